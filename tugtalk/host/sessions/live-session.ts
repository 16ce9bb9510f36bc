/** One session of the host: its commands as inputs of its steps, and what is read of its state. */
import { createHash, randomUUID } from "node:crypto";
import type { AnswerMessage } from "../../client/answers.ts";
import { type EntryPage, latestEntries } from "../../client/entry-pages.ts";
import type {
  Cursor,
  QueuedMessageInfo,
  ReturnedMessage,
  SessionInfo,
  SessionSnapshot,
} from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import type { PromptEnd } from "../../client/reduced-session.ts";
import { ApiError, badField } from "../api/api-error.ts";
import type { Frame } from "../api/frame.ts";
import type {
  Caller,
  HostSession,
  MessageReceipt,
  NewMessage,
  Withdrawn,
} from "../api/host-session.ts";
import type { Journal, JournalEntry, SessionRow } from "../journal/journal.ts";
import { BridgeConnection, type BridgeConnectionPorts } from "./bridge-connection.ts";
import { perform } from "./bridge-effects.ts";
import { acceptedResponse, bridgeRefusal } from "./bridge-refusal.ts";
import { LATEST_TURNS, turnsBefore } from "./latest-turns.ts";
import { CLOSING } from "./old-bridge.ts";
import { type PastConversation, pastTurns } from "./past-turns.ts";
import { checkOpen } from "./prompt-steps.ts";
import { notReturned } from "./returned-messages.ts";
import { type RunnerPorts, SessionRunner } from "./session-runner.ts";
import { checkedMode } from "./session-start.ts";
import { sessionInfo } from "./session-summary.ts";
import { messageInfo, waitingIn, wholeMessage } from "./unread-messages.ts";

type Fields = Readonly<Record<string, unknown>>;

export type LiveSessionPorts = Omit<RunnerPorts, "perform"> &
  Pick<BridgeConnectionPorts, "startBridge" | "conversationFree">;

type Known = { readonly hash: string; readonly receipt: Promise<MessageReceipt> };

export class LiveSession implements HostSession {
  readonly id: string;
  readonly #journal: Journal;
  readonly #runner: SessionRunner;
  readonly #bridge: BridgeConnection;
  /** Commands with a `client_msg_id` that are being answered. */
  readonly #answering = new Map<string, Known>();

  constructor({ startBridge, conversationFree, ...ports }: LiveSessionPorts, row: SessionRow) {
    this.id = row.id;
    this.#journal = ports.journal;
    const runner = new SessionRunner(
      {
        ...ports,
        perform: (effect) => perform(effect, this.#bridge, (input) => this.#runner.tell(input)),
      },
      row,
    );
    this.#runner = runner;
    this.#bridge = new BridgeConnection({
      startBridge,
      conversationFree,
      row: () => runner.row,
      push: (input) => runner.push(input),
      tell: (input) => runner.tell(input),
    });
  }

  /** Whether a bridge runs, or is being started. */
  get hasClaude(): boolean {
    return this.#bridge.isOpen;
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

  /** The same command again gets the same receipt. */
  async message(given: NewMessage): Promise<MessageReceipt> {
    const { message, attachments = [], delivery = "queue", clientMessageId: clientId } = given;
    if (message.trim() === "" && attachments.length === 0)
      throw badField("message", "must not be blank");
    const hash = hashOf([message, attachments, delivery]);
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

  async queue(): Promise<readonly QueuedMessageInfo[]> {
    const state = await this.#runner.state();
    return waitingIn(state.reduced).map((one) => messageInfo(state, one));
  }

  async editQueued(messageId: string, message: string): Promise<void> {
    if (message.trim() === "") throw badField("message", "must not be blank");
    const edit = { kind: "edit_queued", messageId, message } as const;
    await this.#runner.ask<void>((reply) => ({ ...edit, reply }));
  }

  async deleteQueued(messageId: string): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "delete_queued", messageId, reply }));
  }

  sendQueued(messageId: string, delivery: "queue" | "steer"): Promise<MessageReceipt> {
    return this.#runner.ask((reply) => ({ kind: "send_queued", messageId, delivery, reply }));
  }

  async returned(): Promise<readonly QueuedMessageInfo[]> {
    const state = await this.#runner.state();
    return state.reduced.returned.map((one) => messageInfo(state, one));
  }

  async readReturned(messageId: string): Promise<ReturnedMessage> {
    const state = await this.#runner.state();
    const message = state.reduced.returned.find((one) => one.messageId === messageId);
    if (message !== undefined) return wholeMessage(state, message);
    throw notReturned((await this.#journal.messageEnd(this.id, messageId)) === "taken");
  }

  takeReturned(messageId: string): Promise<ReturnedMessage> {
    return this.#runner.ask((reply) => ({ kind: "take_returned", messageId, reply }));
  }

  async prompts(): Promise<readonly OpenPrompt[]> {
    return (await this.#runner.state()).reduced.prompts;
  }

  async closedPrompts(): Promise<readonly PromptEnd[]> {
    return (await this.#runner.state()).reduced.closedPrompts;
  }

  async prompt(requestId: string): Promise<OpenPrompt> {
    const { reduced } = await this.#runner.state();
    checkOpen(reduced, requestId);
    return reduced.prompts.find((one) => one.requestId === requestId) as OpenPrompt;
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

  async control(subtype: string, fields: Fields): Promise<Fields> {
    return acceptedResponse(await this.#bridge.request({ ...fields, type: "control", subtype }));
  }

  async snapshot(): Promise<SessionSnapshot> {
    const { reduced, cursor } = await this.#runner.state();
    const state = latestEntries(reduced, LATEST_TURNS);
    const { before } = state;
    return { cursor, state, ...(before !== undefined && { before }) };
  }

  async turns(before: string | undefined, limit: number): Promise<EntryPage> {
    const { reduced } = await this.#runner.state();
    return turnsBefore({ id: this.id, reduced, journal: this.#journal }, before, limit);
  }

  async range(): Promise<{ readonly start: Cursor; readonly end: Cursor }> {
    const { cursor: end } = await this.#runner.state();
    return { start: await this.#journal.start(this.id), end };
  }

  entriesAfter(after: Cursor, maxChars: number): Promise<readonly JournalEntry[] | "gap"> {
    return this.#journal.entriesAfter(this.id, after, maxChars);
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    return this.#runner.listen(onFrames);
  }

  /** It is deleted. Tells the listeners by this frame. */
  forget(deleted: Frame): void {
    this.#runner.forget(deleted);
  }

  async end(): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "close", isFinal: false, reply }));
  }

  /** Ends Claude for good. */
  async close(): Promise<void> {
    await this.#runner.ask<void>((reply) => ({ kind: "close", isFinal: true, reply }));
  }

  /** Ends Claude before the session is deleted, also where the disk is full. */
  async leave(): Promise<void> {
    this.#runner.leave();
    await this.close();
  }

  /** The journal is closed before Claude has ended. */
  abandon(): void {
    this.#bridge.abandon();
    this.#runner.abandon(CLOSING);
  }

  /** Resolves when all that was taken is in the journal. */
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
      // Nobody knows the session: its Claude would go on for ever.
      await this.close();
      throw error;
    }
  }

  /** Closes what a killed host has left open. What waits is held. */
  async recover(): Promise<void> {
    await this.#runner.push({ kind: "recovered" });
  }

  /** Rejects with an `ApiError` if the conversation cannot be found, neither here nor by Claude. */
  async #addHistory(past: PastConversation): Promise<void> {
    try {
      const turns = await pastTurns({ request: (message) => this.#bridge.request(message) }, past);
      if (turns.length > 0)
        await this.#runner.ask<void>((reply) => ({ kind: "history", turns, reply }));
    } catch (failure) {
      const error = bridgeRefusal(failure);
      await this.#runner.ask<void>((reply) => ({ kind: "no_history", error, reply }));
      // Claude may find it all the same.
      if (error.code === "unknown_request") await this.#bridge.ready();
    }
  }
}

/** Tells two messages apart. */
function hashOf(message: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(message)).digest("hex");
}
