/** One session of the host: its commands, each given to the part that it concerns. */
import { type EntryPage, latestEntries } from "../../client/entry-pages.ts";
import type {
  Cursor,
  PendingPrompt,
  QueuedMessageInfo,
  ReturnedMessage,
  SessionInfo,
  SessionSnapshot,
} from "../../client/host-api.ts";
import { ApiError } from "../api/api-error.ts";
import type { Frame } from "../api/frame.ts";
import type {
  Caller,
  HostSession,
  MessageReceipt,
  NewMessage,
  PromptAnswer,
  Withdrawn,
} from "../api/host-session.ts";
import type { BridgeStarter } from "../bridges/bridge.ts";
import type { Journal, JournalEntry, LoadedSession, SessionRow } from "../journal/journal.ts";
import { acceptedResponse } from "./bridge-refusal.ts";
import { type InterruptOptions, interrupt } from "./interrupting.ts";
import { type Delivery, MessageDesk } from "./message-desk.ts";
import { queuedInfo } from "./message-queue.ts";
import type { PastConversation } from "./past-turns.ts";
import { answerPrompt } from "./prompt-answering.ts";
import { PromptDesk } from "./prompt-desk.ts";
import { SessionBridge, type SessionBridgePorts } from "./session-bridge.ts";
import { eventSession, sessionChanged } from "./session-events.ts";
import { checkLimit } from "./session-limit.ts";
import { LATEST_TURNS, SessionLog } from "./session-log.ts";
import { changeLimit, changeMode, changeModel } from "./session-settings.ts";
import { sessionInfo } from "./session-summary.ts";
import { turnsBefore } from "./transcript-pages.ts";
import { UnreadMessages } from "./unread-messages.ts";

type Fields = Readonly<Record<string, unknown>>;

export type LiveSessionPorts = {
  readonly journal: Journal;
  readonly startBridge: BridgeStarter;
  readonly conversationFree: SessionBridgePorts["conversationFree"];
  /** Throws `ApiError` 409 where another session has the conversation. */
  readonly checkFree: (row: SessionRow) => void;
  readonly now: () => number;
  /** What a list shows of the session may have changed. */
  readonly onRow: (row: SessionRow) => void;
  readonly onFrames: (frames: readonly Frame[]) => void;
};

export class LiveSession implements HostSession {
  readonly id: string;
  readonly #journal: Journal;
  readonly #log: SessionLog;
  readonly #prompts: PromptDesk;
  readonly #messages: MessageDesk;
  readonly #unread: UnreadMessages;
  readonly #bridge: SessionBridge;

  constructor(ports: LiveSessionPorts, loaded: LoadedSession) {
    const { journal, startBridge, conversationFree, checkFree, now, onRow, onFrames } = ports;
    this.id = loaded.row.id;
    this.#journal = journal;
    const counts = () => ({
      pending: this.#prompts.count,
      queued: this.#messages.queue.length,
    });
    const log = new SessionLog({ journal, now, counts, onRow, onFrames }, loaded);
    const prompts = new PromptDesk(this.id, loaded.openPrompts);
    const unread = new UnreadMessages({ log, journal }, loaded.messages);
    const messages = new MessageDesk(
      {
        log,
        journal,
        unread,
        now,
        isReady: () => this.#bridge.isReady,
        deliver: (message) => this.#bridge.running?.send(userMessage(message)),
        mustWait: () => this.#bridge.mustWait,
        checkGoing: () => {
          checkLimit(log.row);
          if (!this.hasClaude) checkFree(log.row);
        },
        wake: () => this.#bridge.wake(),
      },
      loaded.messages,
    );
    const onIdle = () => this.#release();
    const parts = { log, prompts, messages, unread };
    this.#bridge = new SessionBridge({ ...parts, startBridge, conversationFree, now, onIdle });
    this.#log = log;
    this.#prompts = prompts;
    this.#messages = messages;
    this.#unread = unread;
  }

  /** Whether a bridge runs, or is being started. */
  get hasClaude(): boolean {
    return !this.#bridge.isIdle;
  }

  get row(): SessionRow {
    return this.#log.row;
  }

  info(): SessionInfo {
    return sessionInfo(this.#log.row);
  }

  rename(title: string): SessionInfo {
    this.#log.append([sessionChanged(eventSession(this.id), { title })], { session: { title } });
    return this.info();
  }

  setLimit(limitUsd: number | null): SessionInfo {
    changeLimit({ log: this.#log }, limitUsd);
    return this.info();
  }

  message(message: NewMessage): Promise<MessageReceipt> {
    return this.#messages.message(message);
  }

  queue(): readonly QueuedMessageInfo[] {
    return this.#messages.queue.map(queuedInfo);
  }

  editQueued(messageId: string, message: string): void {
    this.#messages.edit(messageId, message);
  }

  deleteQueued(messageId: string): void {
    this.#messages.remove(messageId);
  }

  sendQueued(messageId: string, delivery: "queue" | "steer"): Promise<MessageReceipt> {
    return this.#messages.sendNow(messageId, delivery);
  }

  returned(): readonly QueuedMessageInfo[] {
    return this.#unread.returned.map(queuedInfo);
  }

  readReturned(messageId: string): ReturnedMessage {
    return this.#unread.read(messageId);
  }

  takeReturned(messageId: string): ReturnedMessage {
    const message = this.#unread.take(messageId);
    this.#release();
    return message;
  }

  pending(): readonly PendingPrompt[] {
    return this.#prompts.pending;
  }

  requestOfTool(toolUseId: string): string | undefined {
    const open = this.pending().findLast((prompt) => prompt.toolUseId === toolUseId);
    return open?.requestId ?? this.#journal.promptOfTool(this.id, toolUseId)?.requestId;
  }

  async answer(requestId: string, answer: PromptAnswer, { name }: Caller): Promise<void> {
    await answerPrompt(
      {
        prompts: this.#prompts,
        request: (message) => this.#bridge.request(message),
        known: (id) => this.#journal.prompt(this.id, id),
      },
      { requestId, answer, by: name },
    );
  }

  interrupt(options: InterruptOptions): Promise<Withdrawn> {
    const [log, bridge] = [this.#log, this.#bridge];
    return interrupt({ log, bridge, messages: this.#messages, unread: this.#unread }, options);
  }

  async stopTask(taskId: string): Promise<void> {
    const result = await this.#bridge.request({ type: "stop_task", task_id: taskId });
    if (!result.ok)
      throw new ApiError(404, "unknown_task", result.error ?? "there is no such task");
  }

  setMode(mode: string): Promise<Fields> {
    return changeMode({ log: this.#log, bridge: this.#bridge }, mode);
  }

  setModel(model: string | null): Promise<Fields> {
    return changeModel({ log: this.#log, bridge: this.#bridge }, model);
  }

  async control(subtype: string, fields: Fields): Promise<Fields> {
    return acceptedResponse(await this.#bridge.request({ ...fields, type: "control", subtype }));
  }

  snapshot(): SessionSnapshot {
    const state = latestEntries(this.#log.state, LATEST_TURNS);
    const { before } = state;
    const cursor = this.cursor();
    this.#release();
    return { cursor, state, ...(before !== undefined && { before }) };
  }

  turns(before: string | undefined, limit: number): EntryPage {
    const { state } = this.#log;
    const page = turnsBefore({ id: this.id, state, journal: this.#journal }, before, limit);
    this.#release();
    return page;
  }

  cursor(): Cursor {
    return this.#log.cursor;
  }

  entriesAfter(after: Cursor, maxChars: number): readonly JournalEntry[] | "gap" {
    return this.#journal.entriesAfter(this.id, after, maxChars);
  }

  start(): Cursor {
    return this.#journal.start(this.id);
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    const stop = this.#log.listen(onFrames);
    return () => {
      stop();
      this.#release();
    };
  }

  /** It is deleted. Tells the listeners by this frame. */
  forget(deleted: Frame): void {
    this.#log.forget(deleted);
  }

  async end(): Promise<void> {
    await this.#bridge.close();
    this.#release();
  }

  /** Ends Claude for good. */
  async close(): Promise<void> {
    await this.#bridge.close({ isFinal: true });
    this.#log.unload();
  }

  /** Ends Claude before the session is deleted, also where the disk is full. */
  async leave(): Promise<void> {
    this.#log.leave();
    await this.close();
  }

  /** The journal is closed before Claude has ended. */
  abandon(): void {
    this.#bridge.abandon();
  }

  /** Starts Claude for the first time. Rejects with an `ApiError` if it cannot be started. */
  async begin(past: PastConversation | undefined): Promise<void> {
    await this.#bridge.start();
    if (past === undefined) return;
    try {
      await this.#bridge.addHistory(past);
    } catch (error) {
      // Nobody knows the session: its Claude would go on for ever.
      await this.close();
      throw error;
    }
  }

  /** Closes what a killed host has left open. What waits is held. */
  recover(): void {
    this.#bridge.recover();
    this.#release();
  }

  /** Nobody needs the state of a session that has ended. */
  #release(): void {
    if (this.#bridge.isIdle && !this.#log.isHeard) this.#log.unload();
  }
}

function userMessage({ messageId, message, attachments, isSteering }: Delivery) {
  return {
    type: "user_message" as const,
    message_id: messageId,
    text: message,
    ...(attachments.length > 0 && { attachments: [...attachments] }),
    ...(isSteering && { delivery: "steer" as const }),
  };
}
