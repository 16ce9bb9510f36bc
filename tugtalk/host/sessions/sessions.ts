/** All sessions of the host, on one journal. */
import type { SessionInfo } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import { ApiError, unknownSession } from "../api/api-error.ts";
import type { Frame } from "../api/frame.ts";
import type {
  HostSession,
  HostSessions,
  Move,
  NewSession,
  ReadableSession,
} from "../api/host-session.ts";
import type { Folder, SessionRow } from "../journal/journal.ts";
import { DamagedSessionError, UnreachableJournalError } from "../journal/journal-error.ts";
import { Alarms } from "./alarms.ts";
import { boardFrames } from "./board-frames.ts";
import { checkFree, conversationFree, type Holders, holderError } from "./conversation-holders.ts";
import { indexSessions } from "./index-sessions.ts";
import { journalSession } from "./journal-session.ts";
import { Listeners } from "./listeners.ts";
import { LiveSession } from "./live-session.ts";
import { isLeftOpen } from "./recovery.ts";
import { SessionCreation } from "./session-creation.ts";
import { SessionList } from "./session-list.ts";
import { forkOf, worktreeOf } from "./session-start.ts";
import type { NewEntry, SessionState } from "./session-state.ts";
import { type FilledOptions, filledOptions, type SessionsOptions } from "./sessions-options.ts";
import { MAX_WAIT_MS, ringsAfter, ringsAt } from "./usage-limit.ts";

/** The wait before an unreadable session tries again to continue. */
const AWAY_RETRY_MS = 500;

/**
 * Opens the sessions of the journal. Closes turns and prompts that a killed host has left open before any
 * command.
 */
export async function openSessions(options: SessionsOptions): Promise<HostSessions> {
  const sessions = new Sessions(options, await options.journal.sessions());
  await sessions.recover();
  void sessions.index();
  return sessions;
}

export class Sessions implements HostSessions {
  readonly #options: FilledOptions;
  /** Includes sessions that are not loaded. */
  readonly #list = new SessionList();
  readonly #live = new Map<string, LiveSession>();
  readonly #creation: SessionCreation;
  readonly #forgetting = new Map<string, Promise<void>>();
  readonly #listeners = new Listeners<Frame>();
  /** The times at which sessions continue after the usage limit. */
  readonly #alarms: Alarms;
  #isClosed = false;

  constructor(options: SessionsOptions, rows: readonly SessionRow[]) {
    this.#options = filledOptions(options);
    const ring = (id: string) => void this.#goOn(id);
    this.#alarms = new Alarms({ ...this.#options, ring, maxWaitMs: MAX_WAIT_MS });
    const { journal, now } = this.#options;
    this.#creation = new SessionCreation({
      journal,
      list: this.#list,
      now,
      isClosed: () => this.#isClosed,
      get: (id) => this.get(id),
      checkFree: (conversation) => checkFree(this.#holders(), conversation),
      forget: (id) => this.#forget(id),
      remove: (id) => this.#removeAndTell(id),
    });
    for (const row of rows) this.#list.set(row);
  }

  /**
   * Closes the work that a killed host has left open. Sessions that were about to continue after the usage
   * limit do so.
   */
  async recover(): Promise<void> {
    const left = this.#list.rows.filter(isLeftOpen);
    await Promise.all(left.map(({ id }) => this.#recover(id, false)));
    for (const row of this.#list.rows) this.#setAlarm(row);
  }

  /** Takes over a session of another host: closes the work that the other host has left open. */
  async adopt(row: SessionRow): Promise<void> {
    this.#list.set(row);
    if (isLeftOpen(row) || row.bridge !== undefined) await this.#recover(row.id, true);
    this.#setAlarm(this.#list.row(row.id) ?? row);
  }

  /**
   * Another host has the session, or may have it soon: its commands are rejected with `why`, and those that
   * may be written with `whyUnsure`.
   */
  lose(id: string, why: ApiError, whyUnsure = why): void {
    const live = this.#live.get(id);
    this.#remove(id);
    live?.lose(why, whyUnsure);
  }

  #recover(id: string, isBridgeGone: boolean): Promise<void> {
    return this.#unlessDamaged(() => this.get(id).recover({ isBridgeGone }));
  }

  #setAlarm(row: SessionRow): void {
    this.#alarms.set(row.id, ringsAfter(row, this.#options.now()));
  }

  async index(): Promise<void> {
    const index = async (id: string) => this.get(id).index();
    await indexSessions(this.#options.journal, index, () => this.#isClosed);
  }

  list = (): readonly SessionInfo[] => this.#list.infos;

  /** The info in the list. Throws an `ApiError` 404. */
  info(id: string): SessionInfo {
    return this.#list.info(id);
  }

  openPrompts = (id: string): readonly OpenPrompt[] => this.#list.prompts(id);

  /** Throws `ApiError` 404, and a `DamagedSessionError`. */
  get(id: string): LiveSession {
    const row = this.#list.row(id);
    if (row === undefined) throw unknownSession();
    if (row.isDamaged === true) throw new DamagedSessionError(id);
    const live = this.#live.get(id);
    if (live !== undefined) return live;
    const { journal, startBridge, now, uptime, oldBridgeGone, checkElsewhere } = this.#options;
    const session = new LiveSession(
      {
        journal,
        startBridge,
        now,
        uptime,
        onCommit: (state, entries) => this.#onCommit(state, entries),
        onDamage: (error) => this.#onDamage(id, error),
        inUse: ({ claudeSessionId }) => holderError(this.#holders(), claudeSessionId, id),
        conversationFree: async (committed, signal) => {
          await conversationFree(this.#holders(), committed, (one) =>
            oldBridgeGone(one, signal, now()),
          );
          const { claudeSessionId } = committed;
          if (claudeSessionId !== undefined) await checkElsewhere(claudeSessionId, id);
        },
      },
      row,
    );
    this.#live.set(id, session);
    // The session can be read, and starts no Claude any more.
    if (this.#isClosed)
      session.close().catch(() => {
        // The session was lost, or the host has ended, before the input was in the journal.
      });
    return session;
  }

  /** No other host creates sessions in this journal. */
  async seek(): Promise<void> {}

  async checkFree(conversation: string): Promise<void> {
    checkFree(this.#holders(), conversation);
  }

  async readable(id: string): Promise<ReadableSession> {
    try {
      const session = this.get(id);
      await session.snapshot();
      return session;
    } catch (error) {
      if (error instanceof DamagedSessionError)
        return await journalSession(this.#options.journal, this.info(id));
      throw error;
    }
  }

  create(wanted: NewSession): Promise<HostSession> {
    return this.#creation.create(wanted);
  }

  async fork(id: string, atMessage: string | undefined): Promise<HostSession> {
    return this.create(forkOf(this.get(id).row, atMessage, this.list()));
  }

  worktreeOf(id: string): string | undefined {
    return worktreeOf(this.get(id).row);
  }

  async move(id: string, { isForced, ...target }: Move & Pick<Folder, "machine">): Promise<void> {
    await this.get(id).move(target, isForced);
  }

  /** Ends the session's Claude, so that another host can take the session. */
  async handOver(id: string, isForced: boolean): Promise<void> {
    const { oldBridgeGone, now } = this.#options;
    const session = this.get(id);
    await session.handOver(isForced);
    await oldBridgeGone(session.row, new AbortController().signal, now());
  }

  async delete(id: string): Promise<void> {
    try {
      await this.get(id).leave();
    } catch (error) {
      if (!(error instanceof DamagedSessionError)) throw error;
      this.#live.get(id)?.abandon();
    }
    try {
      await this.#forget(id);
    } catch (error) {
      // The session stays as the journal has it.
      this.#live.get(id)?.abandon();
      this.#live.delete(id);
      throw error;
    }
  }

  listen(onFrame: (frame: Frame) => void): () => void {
    return this.#listeners.add(onFrame);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#alarms.close();
    const closings = [...this.#live.values()].map((session) => session.close());
    const closing = Promise.allSettled([...closings, ...this.#creation.underWay]);
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, this.#options.closeBudgetMs);
    await Promise.race([closing, limit.promise]);
    // The timer would keep the process alive.
    clearTimeout(timer);
    for (const session of this.#live.values()) session.abandon();
    this.#options.journal.close();
  }

  /** A row that cannot be read affects this session alone, which reports it. */
  async #unlessDamaged(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (!(error instanceof DamagedSessionError)) throw error;
    }
  }

  /** Continues a session after the usage limit. Does nothing if the session was lost or deleted meanwhile. */
  async #goOn(id: string): Promise<void> {
    try {
      await this.#unlessDamaged(() => this.get(id).goOnAfterLimit());
    } catch (error) {
      if (error instanceof UnreachableJournalError)
        this.#alarms.set(id, this.#options.now() + AWAY_RETRY_MS);
      else if (!(error instanceof ApiError)) throw error;
    }
  }

  #onDamage(id: string, error: unknown): void {
    if (error instanceof DamagedSessionError) this.#list.setDamaged(id, error.message);
  }

  #holders(): Holders {
    const hasClaude = (id: string) => this.#live.get(id)?.hasClaude === true;
    const { now, uptime } = this.#options;
    return { rows: this.#list.rows, hasClaude, now: now(), up: uptime() };
  }

  /** Forgets a session once, for any number of simultaneous calls. */
  #forget(id: string): Promise<void> {
    const forgetting = this.#forgetting.get(id) ?? this.#forgetNow(id);
    this.#forgetting.set(id, forgetting);
    return forgetting.finally(() => this.#forgetting.delete(id));
  }

  async #forgetNow(id: string): Promise<void> {
    if (this.#list.row(id) === undefined) return;
    await this.#live.get(id)?.settled();
    await this.#options.journal.delete(id);
    this.#removeAndTell(id);
  }

  #removeAndTell(id: string): void {
    const live = this.#live.get(id);
    this.#remove(id);
    const deleted = { session: id, type: "session_deleted", data: JSON.stringify({ id }) };
    live?.forget(deleted);
    this.#listeners.tell(deleted);
  }

  #remove(id: string): void {
    this.#alarms.set(id, undefined);
    this.#list.delete(id);
    this.#live.delete(id);
  }

  #onCommit({ row, reduced }: SessionState, entries: readonly NewEntry[]): void {
    for (const frame of boardFrames(row.id, entries, reduced.closedPrompts))
      this.#listeners.tell(frame);
    this.#list.setPrompts(row.id, reduced.prompts);
    const before = this.#list.row(row.id) && this.info(row.id);
    this.#list.set(row);
    this.#alarms.set(row.id, ringsAt(row));
    const info = this.info(row.id);
    if (Bun.deepEquals(before, info)) return;
    this.#listeners.tell({ session: row.id, type: "session_changed", data: JSON.stringify(info) });
  }
}
