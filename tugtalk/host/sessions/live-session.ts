/** One session of the host: commands go to its bridge, and what the bridge says goes to its journal. */
import type { EntryPage } from "../../client/entry-pages.ts";
import { entriesBefore, latestEntries } from "../../client/entry-pages.ts";
import type {
  Cursor,
  PendingPrompt,
  QueuedMessageInfo,
  SessionInfo,
  SessionSnapshot,
} from "../../client/host-api.ts";
import { EndedError } from "../../spawn/spawn-errors.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeEnd, BridgeStarter } from "../bridges/bridge.ts";
import type {
  BridgeMark,
  Journal,
  JournalEntry,
  LoadedSession,
  PromptEnd,
} from "../journal/journal.ts";
import { answerMessage } from "../prompts/answer-message.ts";
import type { Frame } from "../stream/frame.ts";
import { BridgeLife } from "./bridge-life.ts";
import { acceptedResponse, bridgeRefusal } from "./bridge-refusal.ts";
import type {
  Caller,
  HostSession,
  MessageReceipt,
  NewMessage,
  PromptAnswer,
  Withdrawn,
} from "./host-session.ts";
import { MessageDesk, withdrawn } from "./message-desk.ts";
import { queuedInfo } from "./message-queue.ts";
import { CLOSING, lingerLeft } from "./old-bridge.ts";
import { PromptDesk } from "./prompt-desk.ts";
import { missingEnds } from "./recovery.ts";
import { isFinalReceipt, mergedChanges, rowChange, withoutClaude } from "./row-changes.ts";
import { eventSession, hostError, sessionChanged } from "./session-events.ts";
import { type Change, changedRow, LATEST_TURNS, type NewEntry, SessionLog } from "./session-log.ts";
import { permissionModeOf, protocolInit } from "./session-start.ts";
import { isSameSummary, lastErrorAfter, sessionInfo, summaryOf } from "./session-summary.ts";

type Fields = Readonly<Record<string, unknown>>;

type InterruptOptions = { readonly includeBackground: boolean };

export type LiveSessionPorts = {
  readonly journal: Journal;
  readonly startBridge: BridgeStarter;
  /** Resolves when the bridge that was lost, or left by a killed host, is gone. Rejects with an `ApiError`. */
  readonly oldBridgeGone: (row: LoadedSession["row"], signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** What a list shows of the session has changed. */
  readonly onInfo: (info: SessionInfo) => void;
};

export class LiveSession implements HostSession {
  readonly id: string;
  readonly #ports: LiveSessionPorts;
  readonly #log: SessionLog;
  readonly #prompts: PromptDesk;
  readonly #messages: MessageDesk;
  readonly #life: BridgeLife;

  constructor(ports: LiveSessionPorts, loaded: LoadedSession) {
    this.id = loaded.row.id;
    this.#ports = ports;
    this.#log = new SessionLog(ports.journal, loaded);
    this.#prompts = new PromptDesk(this.id, loaded.openPrompts);
    this.#life = new BridgeLife({
      startBridge: (signal) => this.#startBridge(signal),
      onStart: (bridge) => this.#onStart(bridge),
      onBatch: (messages) => this.#onBatch(messages),
      onEnd: (end) => this.#onEnd(end),
    });
    this.#messages = new MessageDesk(
      {
        log: this.#log,
        journal: ports.journal,
        now: ports.now,
        isReady: () => this.#life.isReady,
        deliver: ({ messageId, message, attachments, isSteering }) =>
          this.#life.bridge?.send({
            type: "user_message",
            message_id: messageId,
            text: message,
            ...(attachments.length > 0 && { attachments: [...attachments] }),
            ...(isSteering && { delivery: "steer" }),
          }),
        mustWait: () =>
          this.#life.bridge === undefined && lingerLeft(this.#log.row, ports.now()) > 0,
        wake: () => this.#wake(),
      },
      loaded.queue,
    );
  }

  info(): SessionInfo {
    return sessionInfo(this.#log.row);
  }

  rename(title: string): SessionInfo {
    this.#append([sessionChanged(eventSession(this.id), { title })], { session: { title } });
    return this.info();
  }

  async message(message: NewMessage): Promise<MessageReceipt> {
    return this.#noted(await this.#messages.message(message));
  }

  queue(): readonly QueuedMessageInfo[] {
    return this.#messages.queue.map(queuedInfo);
  }

  editQueued(messageId: string, message: string): void {
    this.#noted(this.#messages.edit(messageId, message));
  }

  deleteQueued(messageId: string): void {
    this.#noted(this.#messages.remove(messageId));
  }

  async sendQueued(messageId: string): Promise<MessageReceipt> {
    return this.#noted(await this.#messages.sendNow(messageId));
  }

  pending(): readonly PendingPrompt[] {
    return this.#prompts.pending;
  }

  requestOfTool(toolUseId: string): string | undefined {
    const open = this.pending().findLast((prompt) => prompt.toolUseId === toolUseId);
    return open?.requestId ?? this.#ports.journal.promptOfTool(this.id, toolUseId)?.requestId;
  }

  async answer(requestId: string, answer: PromptAnswer, { name }: Caller): Promise<void> {
    // Several may wait for the same answer, and the first of them may give the next one.
    while (this.#prompts.answering(requestId)) await this.#prompts.answering(requestId);
    const prompt = this.#prompts.find(requestId);
    if (prompt === undefined) throw this.#closedPrompt(requestId);
    const message = answerMessage(prompt, answer);
    const bridge = this.#bridge();
    try {
      await this.#prompts.claim(requestId, name, () => bridge.request(message));
    } catch (error) {
      // What came before the refusal may have closed it.
      await new Promise(setImmediate);
      const isOpen = this.#prompts.find(requestId) !== undefined;
      if (isOpen && !(error instanceof EndedError)) throw bridgeRefusal(error);
    }
    const end = this.#ports.journal.prompt(this.id, requestId)?.end;
    if (end === undefined || end.outcome === "cancelled") throw alreadyResolved(end);
  }

  async interrupt({ includeBackground }: InterruptOptions): Promise<Withdrawn> {
    const waiting = this.#noted(this.#messages.withdraw());
    const { bridge } = this.#life;
    if (bridge === undefined) return withdrawn(waiting);
    // Its receipt comes before the answer.
    const { delivered } = this.#messages;
    const { cancelled = [] } = await request(() =>
      bridge.request({
        type: "interrupt",
        cancel_queued: true,
        include_background: includeBackground,
      }),
    );
    const taken = delivered.filter(({ messageId }) => cancelled.includes(messageId));
    return withdrawn([...taken, ...waiting]);
  }

  async stopTask(taskId: string): Promise<void> {
    const bridge = this.#bridge();
    const result = await request(() => bridge.request({ type: "stop_task", task_id: taskId }));
    if (!result.ok)
      throw new ApiError(404, "unknown_task", result.error ?? "there is no such task");
  }

  async setMode(mode: string): Promise<Fields> {
    const known = permissionModeOf(mode);
    const { bridge } = this.#life;
    if (bridge !== undefined)
      return acceptedResponse(
        await request(() => bridge.request({ type: "permission_mode", mode: known })),
      );
    const event = sessionChanged(eventSession(this.id), { permission_mode: known });
    this.#append([event], { session: { permissionMode: known } });
    return {};
  }

  async setModel(model: string | null): Promise<Fields> {
    const { bridge } = this.#life;
    if (bridge !== undefined)
      return acceptedResponse(await request(() => bridge.request({ type: "model_change", model })));
    // The same message as a running bridge would send.
    const entry = { type: "model_changed", data: { model, source: "host" } };
    this.#append([entry], model === null ? { unset: ["model"] } : { session: { model } });
    return {};
  }

  async control(subtype: string, fields: Fields): Promise<Fields> {
    const bridge = this.#bridge();
    return acceptedResponse(
      await request(() => bridge.request({ ...fields, type: "control", subtype })),
    );
  }

  snapshot(): SessionSnapshot {
    const state = latestEntries(this.#log.state, LATEST_TURNS);
    const { before } = state;
    return { cursor: this.cursor(), state, ...(before !== undefined && { before }) };
  }

  turns(before: string | undefined, limit: number): EntryPage {
    const { state } = this.#log;
    const { journal } = this.#ports;
    if (before === undefined) return latestPage(state, limit);
    const [oldest] = [...state.entries, ...state.openEntries];
    if (before === oldest?.key) return journal.turnsBefore(this.id, undefined, limit);
    return entriesBefore(state, before, limit) ?? journal.turnsBefore(this.id, before, limit);
  }

  cursor(): Cursor {
    return this.#log.cursor;
  }

  entriesAfter(after: Cursor, maxChars: number): readonly JournalEntry[] | "gap" {
    return this.#ports.journal.entriesAfter(this.id, after, maxChars);
  }

  start(): Cursor {
    return this.#ports.journal.start(this.id);
  }

  listen(onFrames: (frames: readonly Frame[]) => void): () => void {
    return this.#log.listen(onFrames);
  }

  async end(): Promise<void> {
    this.#messages.hold();
    await this.#life.close();
  }

  /** Starts Claude. Rejects with an `ApiError` if it cannot be started. */
  async begin(): Promise<void> {
    await this.#life.start(() => protocolInit(this.#log.row));
    this.#advance();
  }

  /** Closes what a killed host has left open. What waits is held. */
  recover(): void {
    const { bridge, inFlight, summary, isQueueHeld } = this.#log.row;
    // Its mark has the time of the loss.
    const isLost = summary.state === "disconnected";
    const isEnded = isLost || summary.state === "exited" || summary.state === "failed";
    const isOver = isEnded && summary.pending === 0 && inFlight === undefined;
    const isGone = bridge === undefined || isLost;
    if (isOver && isGone && (summary.queued === 0 || isQueueHeld)) return;
    this.#settle(isLost ? bridge : bridge && leftBy(bridge, this.#ports.now()));
    this.#messages.hold();
    this.#note();
  }

  /** Starts a bridge for what waits. A failure is told in the journal, and holds the queue. */
  async #wake(): Promise<void> {
    try {
      await this.begin();
    } catch (error) {
      this.#messages.hold();
      const refusal = error instanceof ApiError ? error : bridgeRefusal(error);
      if (refusal.code !== CLOSING.code) this.#fail(refusal);
    }
  }

  #fail({ code, message }: ApiError): void {
    const session = eventSession(this.id);
    this.#append([hostError(session, code, message), sessionChanged(session, { state: "failed" })]);
  }

  #bridge(): Bridge {
    const { bridge } = this.#life;
    if (bridge === undefined) throw new ApiError(409, "not_running", "Claude does not run");
    return bridge;
  }

  async #startBridge(signal: AbortSignal): Promise<Bridge> {
    const { row } = this.#log;
    await this.#ports.oldBridgeGone(row, signal);
    this.#append([sessionChanged(eventSession(this.id), { state: "starting" })]);
    return this.#ports.startBridge(row.place, signal);
  }

  /** Written before the bridge is told to start Claude. */
  #onStart(bridge: Bridge): void {
    const lingerMs = bridge.lingerMs(protocolInit(this.#log.row));
    const mark = { pid: bridge.pid, at: this.#ports.now(), ...(lingerMs > 0 && { lingerMs }) };
    this.#append([], { session: { bridge: mark } });
  }

  #onBatch(messages: readonly OutboundMessage[]): void {
    const at = this.#ports.now();
    const entries: NewEntry[] = [];
    const prompts: NonNullable<Change["prompts"]>[number][] = [];
    let change: Change = {};
    let { row } = this.#log;
    for (const message of messages) {
      const step = this.#prompts.apply(message, at);
      entries.push(entryOf(message), ...step.entries);
      prompts.push(...step.prompts);
      const changed = rowChange(row, message) ?? {};
      change = mergedChanges(change, changed);
      row = changedRow(row, changed);
      if (isTaken(message)) this.#messages.noteTaken(message.message_id);
    }
    this.#append(entries, { ...change, prompts });
    this.#prompts.settle();
    this.#advance();
  }

  #onEnd(end: BridgeEnd): void {
    const { bridge } = this.#log.row;
    const isLost = !end.isConfirmed && bridge !== undefined;
    this.#settle(isLost ? { ...bridge, at: this.#ports.now() } : undefined);
    if (end.reason !== undefined)
      this.#append([hostError(eventSession(this.id), "bridge_ended", end.reason)]);
    this.#advance();
  }

  /** No bridge is connected: whatever is open has ended. `left` may run for some time. */
  #settle(left: BridgeMark | undefined): void {
    const at = this.#ports.now();
    const { row, state: reduced } = this.#log;
    const open = this.#prompts.pending.map(({ requestId }) => requestId);
    const steps = open.map((request_id) =>
      this.#prompts.cancel({ request_id, reason: "exited" }, at),
    );
    const ends = missingEnds(reduced, {
      requestIds: open,
      queued: this.#messages.queue.map(({ messageId }) => messageId),
      inFlight: row.inFlight,
      claudePid: row.bridge?.claudePid,
    });
    const [closed, others] = [ends.slice(0, open.length), ends.slice(open.length)];
    const told = closed.flatMap((entry, index) => [entry, ...(steps[index]?.entries ?? [])]);
    const isLost = left?.lingerMs !== undefined;
    const state = isLost ? [sessionChanged(eventSession(this.id), { state: "disconnected" })] : [];
    this.#append([...told, ...others, ...state], {
      prompts: steps.flatMap(({ prompts }) => prompts),
      ...(left === undefined
        ? { unset: ["bridge", "inFlight"] }
        : { session: { bridge: withoutClaude(left) }, unset: ["inFlight"] }),
    });
    this.#prompts.settle();
    this.#messages.forgetDelivered();
  }

  #advance(): void {
    this.#messages.advance();
    this.#note();
    const { isHeld, queue } = this.#messages;
    const isIdle = this.#life.bridge === undefined && !this.#life.isStarting;
    if (isIdle && !isHeld && queue.length > 0) void this.#wake();
  }

  #append(entries: readonly NewEntry[], change: Change = {}): void {
    const before = this.#log.row.summary.lastError;
    const lastError = entries.reduce(lastErrorAfter, before);
    this.#log.append(entries, change);
    this.#note(lastError);
  }

  /** What a list shows follows from the state. */
  #note(lastError = this.#log.row.summary.lastError): void {
    const { row, state } = this.#log;
    const counts = { pending: this.#prompts.count, queued: this.#messages.queue.length };
    const summary = summaryOf(state, counts, lastError);
    if (!isSameSummary(summary, row.summary))
      this.#log.append([], { session: { summary, updatedAt: this.#ports.now() } });
    this.#ports.onInfo(this.info());
  }

  #noted<Result>(result: Result): Result {
    this.#note();
    return result;
  }

  #closedPrompt(requestId: string): ApiError {
    const row = this.#ports.journal.prompt(this.id, requestId);
    if (row !== undefined) return alreadyResolved(row.end);
    return new ApiError(404, "unknown_request", `there is no prompt ${requestId}`);
  }
}

/** On a place it may have heard the host up to its end, which was before this time. */
function leftBy(bridge: BridgeMark, now: number): BridgeMark {
  return bridge.lingerMs === undefined ? bridge : { ...bridge, at: now };
}

function alreadyResolved(end: PromptEnd | undefined): ApiError {
  const { outcome = "cancelled", by, reason } = end ?? {};
  return new ApiError(409, "already_resolved", "the prompt is closed already", {
    outcome,
    ...(by !== undefined && { by }),
    ...(reason !== undefined && { reason }),
  });
}

/** The type and the version of the wire are not in the data. */
function entryOf({ type, ipc_version: _version, ...data }: OutboundMessage): NewEntry {
  return { type, data };
}

function isTaken(
  message: OutboundMessage,
): message is Extract<OutboundMessage, { type: "message_status" }> {
  return (
    message.type === "message_status" && (message.status === "started" || isFinalReceipt(message))
  );
}

async function request<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  try {
    return await send();
  } catch (error) {
    throw bridgeRefusal(error);
  }
}

function latestPage(state: Parameters<typeof latestEntries>[0], limit: number): EntryPage {
  const { entries, openEntries, before } = latestEntries(state, limit);
  return { entries: [...entries, ...openEntries], ...(before !== undefined && { before }) };
}
