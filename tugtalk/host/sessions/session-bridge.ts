/** The bridge of one session: started when it is needed, its words written down, what it leaves open closed. */
import { isPrompt, refuse } from "../../client/answers.ts";
import type { AnswerTo, Request } from "../../spawn/running-tugtalk.ts";
import type { OutboundMessage } from "../../src/types.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeEnd, BridgeStarter } from "../bridges/bridge.ts";
import type { BridgeMark, SessionRow } from "../journal/journal.ts";
import { changedRow } from "../journal/rows.ts";
import { BridgeLife } from "./bridge-life.ts";
import { entryOf, isJournaled, isLastExit } from "./bridge-messages.ts";
import { bridgeRefusal } from "./bridge-refusal.ts";
import { BudgetRenewal } from "./budget-renewal.ts";
import type { MessageDesk } from "./message-desk.ts";
import { CLOSING, lingerLeft } from "./old-bridge.ts";
import { historyParts, type PastConversation, pastTurns, titleOfTurns } from "./past-turns.ts";
import type { PromptDesk } from "./prompt-desk.ts";
import { missingEnds } from "./recovery.ts";
import { RestartLimit } from "./restart-limit.ts";
import { mergedChanges, rowChange } from "./row-changes.ts";
import type { Change, NewEntry } from "./session-change.ts";
import { eventSession, hostError, sessionChanged } from "./session-events.ts";
import { LATEST_TURNS, type SessionLog } from "./session-log.ts";
import { protocolInit } from "./session-start.ts";
import type { UnreadMessages } from "./unread-messages.ts";

/** More open prompts than this are refused: nobody could answer them. */
const MAX_PROMPTS = 200;

export type SessionBridgePorts = {
  readonly log: SessionLog;
  readonly prompts: PromptDesk;
  readonly messages: MessageDesk;
  readonly unread: UnreadMessages;
  readonly startBridge: BridgeStarter;
  /**
   * Resolves when nobody else can be writing the conversation: no other session, and no bridge that was
   * lost or left by a killed host. Rejects with an `ApiError`.
   */
  readonly conversationFree: (row: SessionRow, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  /** No bridge runs, and none is started. */
  readonly onIdle: () => void;
};

export class SessionBridge {
  readonly #ports: SessionBridgePorts;
  readonly #session;
  readonly #life: BridgeLife;
  readonly #restarts: RestartLimit;
  readonly #renewal: BudgetRenewal;

  constructor(ports: SessionBridgePorts) {
    this.#ports = ports;
    this.#session = eventSession(ports.log.row.id);
    this.#restarts = new RestartLimit(ports.now);
    this.#life = new BridgeLife({
      startBridge: (signal) => this.#startBridge(signal),
      onStart: (bridge) => this.#onStart(bridge),
      onBatch: (messages) => this.#onBatch(messages),
      onEnd: (end, failure) => this.#onEnd(end, failure),
    });
    this.#renewal = new BudgetRenewal({
      log: ports.log,
      isReady: () => this.#life.isReady,
      end: () => this.#life.close({ isFinal: false }),
    });
  }

  /** The bridge, from its start to its end. */
  get running(): Bridge | undefined {
    return this.#life.bridge;
  }

  /** Whether it takes user messages. */
  get isReady(): boolean {
    return this.#life.isReady && !this.#renewal.isDue;
  }

  get isIdle(): boolean {
    return this.running === undefined && !this.#life.isStarting;
  }

  /** Whether Claude is being ended. */
  get isClosing(): boolean {
    return this.#life.isClosing;
  }

  /** Whether a bridge can be started only later, since the one before may still run. */
  get mustWait(): boolean {
    const { log, now } = this.#ports;
    return this.running === undefined && lingerLeft(log.row, now()) > 0;
  }

  /** Rejects with an `ApiError`, also where no bridge runs. */
  async request<Sent extends Request>(message: Sent): Promise<AnswerTo<Sent>> {
    const { running } = this;
    if (running === undefined) throw new ApiError(409, "not_running", "Claude does not run");
    try {
      return await running.request(message);
    } catch (error) {
      throw bridgeRefusal(error);
    }
  }

  /** Starts Claude. Rejects with an `ApiError` if it cannot be started. */
  async start(): Promise<void> {
    const { log, messages } = this.#ports;
    await this.#renewal.done();
    await this.#life.start(() => protocolInit(log.row));
    this.#life.flush();
    messages.advance();
  }

  /** Starts Claude for what waits. A failure is told in the journal, and holds the queue. */
  async wake(): Promise<void> {
    const { log, messages } = this.#ports;
    try {
      await this.start();
    } catch (error) {
      const { code, message } = bridgeRefusal(error);
      messages.hold();
      if (code !== CLOSING.code && log.state.status !== "failed")
        log.append([hostError(this.#session, code, message), this.#state("failed")]);
    }
  }

  /**
   * Puts the turns of the conversation before this session in front. Rejects with an `ApiError` if it
   * cannot be found, neither here nor by Claude.
   */
  async addHistory(past: PastConversation): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    const { log } = this.#ports;
    try {
      const turns = await pastTurns(running, past);
      if (turns.length === 0) return;
      const { entry, older } = historyParts(this.#session, turns, LATEST_TURNS);
      const title = titleOfTurns(turns);
      const isTitled = log.row.title !== "" || title === "";
      log.append([entry, ...(isTitled ? [] : [sessionChanged(this.#session, { title })])], {
        turns: older,
        ...(!isTitled && { session: { title } }),
      });
    } catch (error) {
      const { code, message } = bridgeRefusal(error);
      log.append([hostError(this.#session, "no_history", message)]);
      if (code === "unknown_request") await this.#found();
    }
  }

  /** Resolves when Claude has found its conversation. */
  async #found(): Promise<void> {
    try {
      await this.#life.ready();
    } catch (error) {
      await this.#life.close({ isFinal: true });
      throw error;
    }
  }

  /** What a killed host has left open has ended, and what waits is held. */
  recover(): void {
    const { log, messages, now } = this.#ports;
    const { bridge, summary } = log.row;
    // The mark of a connection that was lost before has the time of the loss.
    this.#settle(summary.state === "disconnected" ? bridge : bridge && leftBy(bridge, now()));
    messages.hold();
  }

  /** Ends Claude. What waits is held. */
  async close(how = { isFinal: false }): Promise<void> {
    this.#ports.messages.hold();
    await this.#life.close(how);
  }

  /** The host ends, and Claude does not. */
  abandon(): void {
    this.#life.abandon();
  }

  /** Gives the bridge what is next, or starts one for it. */
  advance(): void {
    const { messages, log } = this.#ports;
    messages.advance();
    if (messages.isHeld || messages.queue.length === 0) return;
    if (this.#renewal.isDue) void this.wake();
    if (!this.isIdle) return;
    if (this.#restarts.take()) {
      void this.wake();
      return;
    }
    messages.hold();
    const words = "the bridge keeps ending: it was started three times in a minute";
    log.append([hostError(this.#session, "restart_limit", words)]);
  }

  async #startBridge(signal: AbortSignal): Promise<Bridge> {
    const { log, conversationFree, startBridge } = this.#ports;
    await conversationFree(log.row, signal);
    log.append([this.#state("starting")]);
    return startBridge(log.row.place, signal);
  }

  /** Written before the bridge is told to start Claude. */
  #onStart(bridge: Bridge): void {
    const { log, now } = this.#ports;
    this.#renewal.recordStart();
    const lingerMs = bridge.lingerMs(protocolInit(log.row));
    const mark = { pid: bridge.pid, at: now(), ...(lingerMs > 0 && { lingerMs }) };
    log.append([], { session: { bridge: mark } });
  }

  #onBatch(batch: readonly OutboundMessage[]): void {
    const { log, prompts, unread, now } = this.#ports;
    const at = now();
    const entries: NewEntry[] = [];
    const rows: NonNullable<Change["prompts"]>[number][] = [];
    const queued: NonNullable<Change["queued"]>[number][] = [];
    const unqueued: string[] = [];
    let change: Change = {};
    let { row } = log;
    this.#renewal.record(batch);
    for (const message of batch.filter(isJournaled)) {
      const step = prompts.apply(message, at);
      const receipt = unread.recordReceipt(message);
      entries.push(entryOf(message), ...step.entries, ...receipt.entries);
      queued.push(...(receipt.queued ?? []));
      unqueued.push(...(receipt.unqueued ?? []));
      rows.push(...step.prompts);
      const changed = rowChange(row, message);
      change = mergedChanges(change, changed);
      row = changedRow(row, changed);
    }
    log.append(entries, { ...change, prompts: rows, queued, unqueued });
    prompts.settle();
    this.#refuseSurplus(batch);
    if (!batch.some(isLastExit)) this.advance();
    else if (!this.#renewal.isUnderWay) void this.close();
  }

  #refuseSurplus(batch: readonly OutboundMessage[]): void {
    const surplus = this.#ports.prompts.count - MAX_PROMPTS;
    if (surplus <= 0) return;
    for (const message of batch.filter(isPrompt).slice(-surplus))
      this.running?.send(refuse(message, "too many prompts are open"));
  }

  #onEnd({ reason, isConfirmed }: BridgeEnd, failure: ApiError | undefined): void {
    const { log, now } = this.#ports;
    const { bridge } = log.row;
    this.#settle(isConfirmed ? undefined : bridge && { ...bridge, at: now() });
    log.append([
      ...(reason === undefined ? [] : [hostError(this.#session, "bridge_ended", reason)]),
      ...(failure === undefined ? [] : [this.#state("failed")]),
    ]);
    this.advance();
    if (this.isIdle) this.#ports.onIdle();
  }

  /** No bridge is connected: whatever is open has ended. `left` may run for some time. */
  #settle(left: BridgeMark | undefined): void {
    const { log, prompts, messages, unread, now } = this.#ports;
    const { row, state } = log;
    const closed = prompts.cancelAll(now());
    const ends = missingEnds(state, {
      queued: messages.queue.map(({ messageId }) => messageId),
      inFlight: row.inFlight,
      claudePid: row.bridge?.claudePid,
    });
    const lost = left?.lingerMs === undefined ? [] : [this.#state("disconnected")];
    const { entries, queued = [] } = unread.returnSent();
    log.append([...closed.entries, ...ends, ...entries, ...lost], {
      prompts: closed.prompts,
      queued,
      ...(left === undefined
        ? { unset: ["bridge", "inFlight"] }
        : { session: { bridge: left }, unset: ["inFlight"] }),
    });
    prompts.settle();
  }

  #state(state: "starting" | "disconnected" | "failed"): NewEntry {
    return sessionChanged(this.#session, { state });
  }
}

/** On a place it may have heard the host up to its end, which was before this time. */
function leftBy(bridge: BridgeMark, now: number): BridgeMark {
  return bridge.lingerMs === undefined ? bridge : { ...bridge, at: now };
}
