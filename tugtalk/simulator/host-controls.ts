/**
 * Control requests that no conversation scripts: interrupts and the queue need the running turn, all
 * others are answered by `control-answers.ts`. Protocol reference §10 and §19.
 */
import { buildLifecycle } from "./claude-lines.ts";
import { answerControlRequest, buildSuccess, type ControlContext } from "./control-answers.ts";
import { buildAbortedTurn, buildWithdrawals } from "./interruption.ts";
import { fieldOf, type JsonObject, textOf } from "./json-value.ts";
import type { SimulatorState } from "./simulator-state.ts";

const DIALOG_KINDS = "supportedDialogKinds";

/** Answers the host's control requests, and knows whether it has introduced itself. */
export class HostControls {
  readonly #state: SimulatorState;
  #wasInitialized = false;

  constructor(state: SimulatorState) {
    this.#state = state;
  }

  /** A conversation answers this request; only what has to be remembered is. */
  note(request: JsonObject): void {
    if (textOf(request, "request", "subtype") !== "initialize") return;
    // Only the first one counts.
    const kinds = this.#wasInitialized ? undefined : fieldOf(request, "request", DIALOG_KINDS);
    if (Array.isArray(kinds)) this.#state.dialogKinds = kinds;
    this.#wasInitialized = true;
  }

  /** Answers one request at once, whatever else goes on. */
  answer(message: JsonObject): void {
    const subtype = textOf(message, "request", "subtype");
    if (subtype === "interrupt") this.#interrupt(message);
    else if (subtype === "cancel_async_message") this.#cancelQueued(message);
    else if (subtype === "end_session") this.#endSession(message);
    else this.#answerSimply(message);
  }

  /** Ends the running turn as an interrupt does; `answer` comes after the withdrawn prompts. */
  abortTurn(answer: readonly JsonObject[]): void {
    const { printed, script, session, received, echoesUser } = this.#state;
    const wasOpen = printed.isTurnOpen;
    const opening = [...(wasOpen ? buildWithdrawals(printed) : []), ...answer];
    for (const line of opening) this.#state.print(line);
    if (!wasOpen) return;
    const turn = { printed, echoesUser, ...(received === undefined ? {} : { received }) };
    for (const line of buildAbortedTurn(session, turn)) this.#state.printOfTurn(line);
    if (this.#state.builtin === undefined) script.skipTurn();
    this.#state.builtin = undefined;
  }

  #answerSimply(message: JsonObject): void {
    const outcome = answerControlRequest(this.#context(), message);
    this.note(message);
    for (const line of outcome.lines) this.#state.print(line);
    const { session } = this.#state;
    const { model = session.model, permissionMode = session.permissionMode } = outcome;
    this.#state.session = { ...session, model, permissionMode };
    this.#state.mcpServers = outcome.mcpServers ?? this.#state.mcpServers;
  }

  #context(): ControlContext {
    const { session, mcpServers, options, printed, echoesUser } = this.#state;
    return {
      session,
      mcpServers,
      pid: options.pid,
      totalCost: printed.totalCost,
      wasInitialized: this.#wasInitialized,
      mayBypassPermissions: options.commandLine.mayBypassPermissions,
      echoesUser,
    };
  }

  #interrupt(message: JsonObject): void {
    const { held, session } = this.#state;
    const isLatest = session.version === "2.1.330";
    const queued = held.userUuids;
    const cancels = isLatest && fieldOf(message, "request", "cancel_queued") === true;
    const receipt = cancels ? { still_queued: [], cancelled: queued } : { still_queued: queued };
    if (cancels) held.dropUsers();
    this.abortTurn([buildSuccess(message["request_id"], isLatest ? receipt : undefined)]);
  }

  #endSession(message: JsonObject): void {
    const { session, printed } = this.#state;
    if (session.version === "2.1.38") return;
    const code = printed.isTurnOpen ? 1 : 0;
    this.abortTurn([buildSuccess(message["request_id"])]);
    this.#state.end(code);
  }

  #cancelQueued(message: JsonObject): void {
    const { held, session } = this.#state;
    if (session.version === "2.1.38") return;
    const uuid = textOf(message, "request", "message_uuid");
    const cancelled = held.dropUser(uuid);
    const isLatest = session.version === "2.1.330";
    const receipt = isLatest && cancelled ? { message_uuid: uuid } : {};
    this.#state.print(buildSuccess(message["request_id"], { cancelled, ...receipt }));
    if (isLatest && cancelled && uuid !== undefined) {
      this.#state.print(buildLifecycle(session, uuid, "cancelled"));
    }
  }
}
