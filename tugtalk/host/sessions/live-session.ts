/** One session of the host: turns its commands into inputs of its steps, and reads its state. */
import { randomUUID } from "node:crypto";
import type { AnswerMessage } from "../../client/answers.ts";
import type {
  MessageReceipt,
  ReturnedMessage,
  SessionInfo,
  Withdrawn,
} from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import type { RewindPreview, RewoundFiles } from "../../client/rewind-models.ts";
import { type Fields, isJsonObject } from "../../src/base/json.ts";
import { ApiError, badField } from "../api/api-error.ts";
import type { Frame } from "../api/frame.ts";
import type { Caller, Delivery, HostSession, NewMessage, Rewind } from "../api/host-session.ts";
import type { Folder, SessionRow } from "../journal/journal.ts";
import { BridgeConnection, type BridgeConnectionPorts } from "./bridge-connection.ts";
import { perform } from "./bridge-effects.ts";
import { acceptedResponse, bridgeRefusal } from "./bridge-refusal.ts";
import { hashOf } from "./known-replies.ts";
import { CLOSING } from "./old-bridge.ts";
import { type PastConversation, pastTurns } from "./past-turns.ts";
import type { BridgeInput } from "./session-input.ts";
import { SessionReads } from "./session-reads.ts";
import { previewRewind, type RewindPorts, rewindSession } from "./session-rewinds.ts";
import { type RunnerPorts, SessionRunner } from "./session-runner.ts";
import { checkedMode } from "./session-start.ts";
import { sessionInfo } from "./session-summary.ts";
import { restoreTranscript } from "./transcript-restore.ts";

export type LiveSessionPorts = Omit<RunnerPorts, "perform"> &
  Pick<BridgeConnectionPorts, "startBridge" | "conversationFree">;

type Known = { readonly hash: string; readonly receipt: Promise<MessageReceipt> };

export class LiveSession extends SessionReads implements HostSession {
  readonly #runner: SessionRunner;
  readonly #bridge: BridgeConnection;
  /** Commands with a `client_msg_id` that are being answered. */
  readonly #answering = new Map<string, Known>();

  constructor({ startBridge, conversationFree, ...ports }: LiveSessionPorts, row: SessionRow) {
    const runner: SessionRunner = new SessionRunner(
      {
        ...ports,
        perform: (effect) => perform(effect, effectPorts),
      },
      row,
    );
    const bridge = new BridgeConnection({
      startBridge,
      conversationFree,
      row: () => runner.row,
      push: (input) => runner.push(input),
      tell: (input, done) => runner.tell(input, done),
    });
    const effectPorts = {
      bridge,
      tell: (input: BridgeInput) => runner.tell(input),
      restore: () => restoreTranscript({ journal: ports.journal, bridge, row: runner.row }),
    };
    super(row.id, ports.journal, () => runner.state());
    this.#runner = runner;
    this.#bridge = bridge;
  }

  /** Whether a bridge runs, or is being started. */
  get hasClaude(): boolean {
    return this.#bridge.isOpen;
  }

  get #rewindPorts(): RewindPorts {
    return { session: this, runner: this.#runner, bridge: this.#bridge };
  }

  get row(): SessionRow {
    return this.#runner.row;
  }

  info(): SessionInfo {
    return sessionInfo(this.row);
  }

  async rename(title: string): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "title", title, reply }));
  }

  async setLimit(limitUsd: number | null): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "limit", limitUsd, reply }));
  }

  async setArchived(isArchived: boolean): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "archive", isArchived, reply }));
  }

  async setGoesOn(isOn: boolean): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "goes_on", isOn, reply }));
  }

  async cancelGoingOn(): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "cancel_going_on", reply }));
  }

  goOnAfterLimit(): Promise<void> {
    return this.#runner.push({ kind: "go_on", messageId: randomUUID() });
  }

  /** Indexes a session of a host without an index. */
  async index(): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "index", reply }));
  }

  /** Sends a user message. The same command again gets the same receipt. */
  async message(given: NewMessage): Promise<MessageReceipt> {
    const { message, attachments = [], delivery = "queue", clientMessageId: clientId } = given;
    if (message.trim() === "" && attachments.length === 0)
      throw badField("message", "must not be blank");
    // The hash treats `now` as `queue`: a client may repeat a message with less haste.
    const hash = hashOf([message, attachments, delivery === "now" ? "queue" : delivery]);
    const known = clientId === undefined ? undefined : this.#answering.get(clientId);
    if (known?.hash === hash) return known.receipt;
    const receipt = this.#runner.ask<MessageReceipt>((reply) => ({
      kind: "message",
      messageId: randomUUID(),
      message,
      attachments,
      delivery,
      dedupe: clientId === undefined ? undefined : { clientId, hash },
      reply,
    }));
    if (clientId === undefined || known !== undefined) return receipt;
    this.#answering.set(clientId, { hash, receipt });
    return receipt.finally(() => this.#answering.delete(clientId));
  }

  async editQueued(messageId: string, message: string): Promise<void> {
    if (message.trim() === "") throw badField("message", "must not be blank");
    const edit = { kind: "edit_queued", messageId, message } as const;
    await this.#runner.ask<void>((reply) => ({ ...edit, reply }));
  }

  async deleteQueued(messageId: string): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "delete_queued", messageId, reply }));
  }

  sendQueued(messageId: string, delivery: Exclude<Delivery, "replace">): Promise<MessageReceipt> {
    return this.#runner.ask((reply) => ({ kind: "send_queued", messageId, delivery, reply }));
  }

  takeReturned(messageId: string): Promise<ReturnedMessage> {
    return this.#runner.ask((reply) => ({ kind: "take_returned", messageId, reply }));
  }

  /**
   * Waits for the commit on its way: a client may know the prompt from another host, which has read that
   * commit already.
   */
  override async prompt(requestId: string): Promise<OpenPrompt> {
    await this.#runner.committed();
    return super.prompt(requestId);
  }

  /** Waits as `prompt` does. */
  override async promptOfCall(toolUseId: string): Promise<OpenPrompt | PromptEnd | undefined> {
    await this.#runner.committed();
    return super.promptOfCall(toolUseId);
  }

  answer(message: AnswerMessage, { name }: Caller): Promise<void> {
    return this.#runner.ask((reply) => ({ kind: "answer", answer: { message, by: name, reply } }));
  }

  interrupt({ includeBackground }: { readonly includeBackground: boolean }): Promise<Withdrawn> {
    return this.#runner.ask((reply) => ({ kind: "interrupt", includeBackground, reply }));
  }

  async stopTask(taskId: string): Promise<void> {
    const result = await this.#bridge.request({ type: "stop_task", task_id: taskId });
    if (!result.ok)
      throw new ApiError(404, "unknown_task", result.error ?? "there is no such task");
  }

  async setMode(wanted: string): Promise<Fields> {
    const mode = checkedMode(wanted);
    if (this.#bridge.isRunning)
      return acceptedResponse(await this.#bridge.request({ type: "permission_mode", mode }));
    await this.#runner.ask<void>((reply) => ({ kind: "mode", mode, reply }));
    return {};
  }

  async setModel(model: string | null): Promise<Fields> {
    if (this.#bridge.isRunning)
      return acceptedResponse(await this.#bridge.request({ type: "model_change", model }));
    await this.#runner.ask<void>((reply) => ({ kind: "model", model, reply }));
    return {};
  }

  previewRewind(messageId: string): Promise<RewindPreview> {
    return previewRewind(this.#rewindPorts, messageId);
  }

  rewind(messageId: string, what: Rewind): Promise<RewoundFiles | undefined> {
    return rewindSession(this.#rewindPorts, messageId, what);
  }

  async control(subtype: string, fields: Fields): Promise<Fields> {
    const request = { ...fields, type: "control", subtype } as const;
    const response = acceptedResponse(await this.#bridge.request(request));
    const { settings } = fields;
    if (subtype === "apply_flag_settings" && isJsonObject(settings))
      await this.#runner.ask<void>((reply) => ({ kind: "flag_settings", settings, reply }));
    return response;
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    return this.#runner.listen(onFrames);
  }

  /** The session is deleted. Sends this frame to the listeners. */
  forget(deleted: Frame): void {
    this.#runner.forget(deleted);
  }

  async end(): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "close", isFinal: false, reply }));
  }

  /** Ends Claude; no further one is started. */
  async close(): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "close", isFinal: true, reply }));
  }

  /** Moves the session to another place. */
  async move(target: Folder, isForced: boolean): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "move", target, isForced, reply }));
  }

  /** Ends Claude, without a further start, so that another host can move the session. */
  async handOver(isForced: boolean): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "move", target: undefined, isForced, reply }));
  }

  /** Ends Claude before the session is deleted, even if the disk is full. */
  async leave(): Promise<void> {
    this.#runner.leave();
    await this.close();
  }

  /** The journal closes before Claude has ended. */
  abandon(why = CLOSING, whyUnsure = why): void {
    this.#bridge.abandon();
    this.#runner.abandon(why, whyUnsure);
  }

  /** Another host has the session, or may have it soon: Claude is ended, and no further entry is written. */
  lose(why: ApiError, whyUnsure: ApiError): void {
    this.#bridge.close();
    this.abandon(why, whyUnsure);
  }

  /** Resolves when all accepted inputs are in the journal. */
  settled(): Promise<void> {
    return this.#runner.settled();
  }

  /** Starts Claude for the first time. Rejects with an `ApiError` if it cannot be started. */
  async begin(past: PastConversation | undefined): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "start", reply }));
    if (past === undefined) return;
    try {
      await this.#addHistory(past);
    } catch (error) {
      // No client knows the session: its Claude would run forever.
      await this.close();
      throw error;
    }
  }

  /** Closes turns and prompts that a killed host has left open. Holds waiting messages. */
  recover({ isBridgeGone }: { readonly isBridgeGone: boolean }): Promise<void> {
    return this.#runner.push({ kind: "recovered", isBridgeGone });
  }

  /**
   * Adds the turns of the conversation. Rejects with an `ApiError` if neither the bridge nor Claude finds it.
   */
  async #addHistory(past: PastConversation): Promise<void> {
    try {
      const turns = await pastTurns({ request: (message) => this.#bridge.request(message) }, past);
      if (turns.length > 0)
        await this.#runner.ask<void>((reply) => ({ kind: "history", turns, reply }));
    } catch (failure) {
      const error = bridgeRefusal(failure);
      await this.#runner.ask<void>((reply) => ({ kind: "no_history", error, reply }));
      // Claude may find the conversation all the same.
      if (error.code === "unknown_request") await this.#bridge.ready();
    }
  }
}
