/**
 * Control requests that no conversation scripts. Interrupts and the queue need the running turn;
 * `control-answers.ts` has the other answers. Protocol reference §10 and §19.
 */

import { type Fields, isJsonObject } from "../src/base/json.ts";
import { buildLifecycle } from "./claude-lines.ts";
import { answerControlRequest, buildSuccess, type ControlContext } from "./control-answers.ts";
import { buildAbortedTurn, buildWithdrawals } from "./interruption.ts";
import { fieldOf, textOf } from "./json-value.ts";
import type { SimulatorState } from "./simulator-state.ts";

const DIALOG_KINDS = "supportedDialogKinds";

/** Answers the control requests of the host. */
export class HostControls {
  readonly #state: SimulatorState;
  #wasInitialized = false;

  constructor(state: SimulatorState) {
    this.#state = state;
  }

  /** Records the host's declarations in a request that the conversation itself answers. */
  record(request: Fields): void {
    if (textOf(request, "request", "subtype") !== "initialize") return;
    // Only the first request counts.
    const kinds = this.#wasInitialized ? undefined : fieldOf(request, "request", DIALOG_KINDS);
    if (Array.isArray(kinds)) this.#state.dialogKinds = kinds;
    this.#wasInitialized = true;
  }

  /** Answers one request at once, in any state. */
  answer(message: Fields): void {
    const subtype = textOf(message, "request", "subtype");
    if (subtype === "interrupt") this.#interrupt(message);
    else if (subtype === "cancel_async_message") this.#cancelQueued(message);
    else if (subtype === "end_session") this.#endSession(message);
    else this.#answerOther(message);
  }

  /** Ends the running turn as an interrupt does; `answer` comes after the withdrawn prompts. */
  abortTurn(answer: readonly Fields[]): void {
    const { printed, script, session, received, echoesUser } = this.#state;
    const wasOpen = printed.isTurnOpen;
    const opening = [...(wasOpen ? buildWithdrawals(session, printed) : []), ...answer];
    for (const line of opening) this.#state.print(line);
    if (!wasOpen) return;
    const turn = { printed, echoesUser, ...(received === undefined ? {} : { received }) };
    for (const line of buildAbortedTurn(session, turn)) this.#state.printOfTurn(line);
    if (this.#state.unscripted === undefined) script.skipTurn();
    this.#state.unscripted = undefined;
  }

  #answerOther(message: Fields): void {
    const outcome = answerControlRequest(this.#context(), message);
    this.record(message);
    for (const line of [...outcome.lines, ...this.#programLines(message)]) this.#state.print(line);
    const { session } = this.#state;
    const { model = session.model, permissionMode = session.permissionMode } = outcome;
    this.#state.session = { ...session, model, permissionMode };
    this.#state.mcpServers = outcome.mcpServers ?? this.#state.mcpServers;
  }

  /** Handshakes with the servers of the host. */
  #programLines(message: Fields): readonly Fields[] {
    const { program } = this.#state;
    const request = fieldOf(message, "request");
    const subtype = textOf(request, "subtype");
    if (subtype === "initialize" && isJsonObject(request)) return program.declare(request);
    const isChange = textOf(request, "message", "method") === "notifications/tools/list_changed";
    if (subtype !== "mcp_message" || !isChange) return [];
    return program.listAgain(textOf(request, "server_name") ?? "");
  }

  #context(): ControlContext {
    const { session, mcpServers, program, options, printed, echoesUser } = this.#state;
    return {
      checkpoints: this.#state.checkpoints,
      session,
      mcpServers: [...mcpServers, ...program.servers],
      pid: options.pid,
      totalCost: printed.totalCost,
      mayBypassPermissions: options.commandLine.mayBypassPermissions,
      echoesUser,
    };
  }

  #interrupt(message: Fields): void {
    const { held } = this.#state;
    const queued = held.userUuids;
    const cancels = fieldOf(message, "request", "cancel_queued") === true;
    const receipt = cancels ? { still_queued: [], cancelled: queued } : { still_queued: queued };
    if (cancels) held.dropUsers();
    this.abortTurn([buildSuccess(message["request_id"], receipt)]);
  }

  #endSession(message: Fields): void {
    const code = this.#state.printed.isTurnOpen ? 1 : 0;
    this.abortTurn([buildSuccess(message["request_id"])]);
    this.#state.end(code);
  }

  #cancelQueued(message: Fields): void {
    const { held, session } = this.#state;
    const uuid = textOf(message, "request", "message_uuid");
    const cancelled = held.dropUser(uuid);
    const receipt = cancelled ? { message_uuid: uuid } : {};
    this.#state.print(buildSuccess(message["request_id"], { cancelled, ...receipt }));
    if (cancelled && uuid !== undefined)
      this.#state.print(buildLifecycle(session, uuid, "cancelled"));
  }
}
