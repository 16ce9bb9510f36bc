/** All sessions of the host, on one journal. */
import { randomUUID } from "node:crypto";
import type { SessionInfo } from "../../client/host-api.ts";
import { ApiError } from "../api/api-error.ts";
import type { Frame } from "../api/frame.ts";
import type {
  HostSession,
  HostSessions,
  NewSession,
  ReadableSession,
} from "../api/host-session.ts";
import type { BridgeStarter } from "../bridges/bridge.ts";
import type { Journal, SessionRow } from "../journal/journal.ts";
import { DamagedSessionError } from "../journal/journal-error.ts";
import { journalSession } from "./journal-session.ts";
import { Listeners } from "./listeners.ts";
import { LiveSession, type LiveSessionPorts } from "./live-session.ts";
import { lingerLeft, oldBridgeGone } from "./old-bridge.ts";
import { isLeftOpen } from "./recovery.ts";
import { eventSession, isHostEvent } from "./session-events.ts";
import { forkOf, newRow, pastOf } from "./session-start.ts";
import { sessionInfo } from "./session-summary.ts";

/** More sessions than this cannot be created. */
const MAX_SESSIONS = 10_000;
const CLOSE_BUDGET_MS = 8_000;

export type SessionsOptions = {
  readonly journal: Journal;
  readonly startBridge: BridgeStarter;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Resolves when the bridge that was lost, or left by a killed host, is gone. Rejects with an `ApiError`. */
  readonly oldBridgeGone?: typeof oldBridgeGone;
  /** How long all Claudes together may take to end; 8 s. Their bridges go on ending without the host. */
  readonly closeBudgetMs?: number;
};

/** Opens what the journal has. What a killed host has left open is closed. */
export function openSessions(options: SessionsOptions): HostSessions {
  return new Sessions(options);
}

class Sessions implements HostSessions {
  readonly #options: Required<SessionsOptions>;
  readonly #infos = new Map<string, SessionInfo>();
  /** Those that somebody has asked for. */
  readonly #live = new Map<string, LiveSession>();
  /** Sessions that are being created, by their `request_id`. */
  readonly #creating = new Map<string, Promise<HostSession>>();
  readonly #listeners = new Listeners<Frame>();
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = { now: Date.now, oldBridgeGone, closeBudgetMs: CLOSE_BUDGET_MS, ...options };
    for (const row of options.journal.sessions()) {
      this.#infos.set(row.id, sessionInfo(row));
      if (isLeftOpen(row)) this.#recover(row);
    }
  }

  list(): readonly SessionInfo[] {
    return [...this.#infos.values()].sort((one, other) => other.created_at - one.created_at);
  }

  get(id: string): HostSession {
    return this.#find(id);
  }

  checkFree(conversation: string, ownId?: string): void {
    const holder = this.#sharing(conversation, ownId).find(({ row, hasClaude }) => {
      const { state } = row.summary;
      if (state === "disconnected") return lingerLeft(row, this.#options.now()) > 0;
      return hasClaude || (state !== "exited" && state !== "failed");
    });
    if (holder === undefined) return;
    const message = `conversation ${conversation} is that of session ${holder.id}: end it first`;
    throw new ApiError(409, "in_use", message, { session: holder.id });
  }

  readable(id: string): ReadableSession {
    return (
      this.#unlessDamaged(id, () => {
        const session = this.#find(id);
        session.snapshot();
        return session;
      }) ?? this.#salvaged(id)
    );
  }

  async create(wanted: NewSession): Promise<HostSession> {
    const { requestId } = wanted;
    if (requestId === undefined) return this.#create(wanted);
    const creating = this.#creating.get(requestId);
    if (creating !== undefined) return creating;
    const known = this.#options.journal.sessionOfRequest(requestId);
    if (known !== undefined) return this.get(known.id);
    const created = this.#create(wanted);
    this.#creating.set(requestId, created);
    return created.finally(() => this.#creating.delete(requestId));
  }

  async fork(id: string, atMessage: string | undefined): Promise<HostSession> {
    return this.create(forkOf(this.#find(id).row, atMessage));
  }

  async delete(id: string): Promise<void> {
    try {
      await this.#find(id).leave();
    } catch (error) {
      if (!(error instanceof DamagedSessionError)) throw error;
      this.#live.get(id)?.abandon();
    }
    this.#forget(id);
  }

  listen(onFrame: (frame: Frame) => void): () => void {
    return this.#listeners.add(onFrame);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const closing = Promise.all([...this.#live.values()].map((session) => session.close()));
    const limit = Promise.withResolvers<void>();
    const timer = setTimeout(limit.resolve, this.#options.closeBudgetMs);
    await Promise.race([closing, limit.promise]);
    // It would keep the process alive.
    clearTimeout(timer);
    for (const session of this.#live.values()) session.abandon();
    this.#options.journal.close();
  }

  async #create(wanted: NewSession): Promise<HostSession> {
    if (this.#isClosed) throw new ApiError(503, "closing", "the host ends");
    if (this.#infos.size >= MAX_SESSIONS)
      throw new ApiError(429, "too_many_sessions", `there are ${MAX_SESSIONS} sessions already`);
    // Until it is in the list, two that are created at once would not see each other.
    if (wanted.resume !== undefined && wanted.fork !== true) this.checkFree(wanted.resume);
    const row = newRow(wanted, { id: randomUUID(), now: this.#options.now() });
    this.#options.journal.create(row);
    this.#infos.set(row.id, sessionInfo(row));
    const session = this.#find(row.id);
    try {
      await session.begin(pastOf(wanted));
    } catch (error) {
      this.#forget(row.id);
      throw error;
    }
    return session;
  }

  /** Throws `ApiError` 404. */
  #find(id: string): LiveSession {
    const live = this.#live.get(id);
    if (live !== undefined) return live;
    const loaded = this.#options.journal.load(id);
    if (loaded === undefined) throw unknownSession();
    const onRow = (row: SessionRow) => this.#onRow(row);
    const onFrames = (frames: readonly Frame[]) => this.#onFrames(frames);
    const checkFree: LiveSessionPorts["checkFree"] = ({ id: own, claudeSessionId }) =>
      claudeSessionId === undefined ? undefined : this.checkFree(claudeSessionId, own);
    const conversationFree: LiveSessionPorts["conversationFree"] = (row, signal) =>
      this.#conversationFree(row, signal);
    const ports = { ...this.#options, onRow, onFrames, checkFree, conversationFree };
    const session = new LiveSession(ports, loaded);
    this.#live.set(id, session);
    // It can be read, and starts no Claude any more.
    if (this.#isClosed) void session.close();
    return session;
  }

  /** What cannot be read costs this session alone. */
  #recover(row: SessionRow): void {
    this.#unlessDamaged(row.id, () => this.#find(row.id).recover());
  }

  /** Runs `read`; nothing where the session turns out to be damaged, which the list shows from then on. */
  #unlessDamaged<Value>(id: string, read: () => Value): Value | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof DamagedSessionError)) throw error;
      this.#live.get(id)?.abandon();
      this.#live.delete(id);
      const info = this.#infos.get(id);
      if (info !== undefined)
        this.#infos.set(id, { ...info, state: "failed", pending: 0, last_error: error.message });
      return undefined;
    }
  }

  #salvaged(id: string): ReadableSession {
    const info = this.#infos.get(id);
    if (info === undefined) throw unknownSession();
    return journalSession(this.#options.journal, info);
  }

  /** The other sessions of a conversation. */
  #sharing(conversation: string, ownId: string | undefined): readonly LiveSession[] {
    return [...this.#infos.values()]
      .filter((info) => info.claude_session_id === conversation && info.id !== ownId)
      .flatMap(({ id }) => this.#unlessDamaged(id, () => this.#find(id)) ?? []);
  }

  /** What is refused is refused before the first wait: of two that start at once, the second is. */
  async #conversationFree(row: SessionRow, signal: AbortSignal): Promise<void> {
    const { id, claudeSessionId } = row;
    const rows = [row];
    if (claudeSessionId !== undefined) {
      this.checkFree(claudeSessionId, id);
      rows.push(...this.#sharing(claudeSessionId, id).map((other) => other.row));
    }
    for (const one of rows) await this.#options.oldBridgeGone(one, signal);
  }

  #forget(id: string): void {
    if (!this.#infos.has(id)) return;
    const live = this.#live.get(id);
    this.#options.journal.delete(id);
    this.#infos.delete(id);
    this.#live.delete(id);
    const deleted = { session: id, type: "session-deleted", data: boardData({ id }) };
    live?.forget(deleted);
    this.#listeners.tell(deleted);
  }

  #onFrames(frames: readonly Frame[]): void {
    // `#onRow` tells all of it.
    for (const { session, type, data } of frames)
      if (isHostEvent(type) && type !== "session-changed")
        this.#listeners.tell({ session, type, data });
  }

  #onRow(row: SessionRow): void {
    const info = sessionInfo(row);
    if (Bun.deepEquals(this.#infos.get(row.id), info)) return;
    this.#infos.set(row.id, info);
    this.#listeners.tell({ session: row.id, type: "session-changed", data: boardData(info) });
  }
}

function unknownSession(): ApiError {
  return new ApiError(404, "unknown_session", "there is no such session");
}

/** As in the data of every event. */
function boardData(data: { readonly id: string }): string {
  return JSON.stringify({ ...eventSession(data.id), ...data });
}
