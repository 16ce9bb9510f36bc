/** All sessions of the host, on one journal. */
import { randomUUID } from "node:crypto";
import type { SessionInfo } from "../../client/host-api.ts";
import { ApiError } from "../api/api-error.ts";
import type { BridgeStarter } from "../bridges/bridge.ts";
import type { Journal, SessionRow } from "../journal/journal.ts";
import type { Frame } from "../stream/frame.ts";
import type { HostSession, HostSessions, NewSession } from "./host-session.ts";
import { LiveSession, type LiveSessionPorts } from "./live-session.ts";
import { oldBridgeGone } from "./old-bridge.ts";
import { eventSession, isHostEvent } from "./session-events.ts";
import { choiceFor, permissionModeOf } from "./session-start.ts";
import { sessionInfo } from "./session-summary.ts";

/** More sessions than this cannot be created. */
const MAX_SESSIONS = 10_000;

export type SessionsOptions = {
  readonly journal: Journal;
  readonly startBridge: BridgeStarter;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Resolves when the bridge that was lost, or left by a killed host, is gone. Rejects with an `ApiError`. */
  readonly oldBridgeGone?: LiveSessionPorts["oldBridgeGone"];
};

/** Opens what the journal has. What a killed host has left open is closed. */
export function openSessions(options: SessionsOptions): HostSessions {
  return new Sessions(options);
}

class Sessions implements HostSessions {
  readonly #journal: Journal;
  readonly #options: SessionsOptions;
  readonly #now: () => number;
  readonly #rows = new Map<string, SessionInfo>();
  readonly #live = new Map<string, LiveSession>();
  /** Sessions that are being created, by their `request_id`. */
  readonly #creating = new Map<string, Promise<HostSession>>();
  readonly #listeners = new Set<(frame: Frame) => void>();
  #isClosed = false;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#journal = options.journal;
    this.#now = options.now ?? Date.now;
    for (const row of this.#journal.sessions()) this.#open(row).recover();
  }

  list(): readonly SessionInfo[] {
    return [...this.#rows.values()].sort((one, other) => other.created_at - one.created_at);
  }

  get(id: string): HostSession {
    const session = this.#find(id);
    if (session === undefined)
      throw new ApiError(404, "unknown_session", "there is no such session");
    return session;
  }

  async create(session: NewSession): Promise<HostSession> {
    const { requestId } = session;
    if (requestId === undefined) return this.#create(session);
    const known = this.#creating.get(requestId);
    if (known !== undefined) return known;
    const created = this.#journal.sessionOfRequest(requestId);
    if (created !== undefined) return this.get(created.id);
    const creating = this.#create(session);
    this.#creating.set(requestId, creating);
    return creating.finally(() => this.#creating.delete(requestId));
  }

  async fork(id: string, atMessage: string | undefined): Promise<HostSession> {
    const { place, dir, title, claude_session_id: resume } = this.get(id).info();
    const row = this.#journal.sessions().find((one) => one.id === id);
    if (resume === undefined || row?.choice !== undefined)
      throw new ApiError(409, "empty_session", "nothing was said in the session yet");
    const { model, permissionMode, options } = row ?? {};
    const settings = { model, permissionMode, options };
    return this.create({ place, dir, title, ...settings, resume, fork: true, atMessage });
  }

  async delete(id: string): Promise<void> {
    const session = this.get(id);
    await session.end();
    this.#forget(id);
  }

  listen(onFrame: (frame: Frame) => void): () => void {
    const listener = (frame: Frame) => onFrame(frame);
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await Promise.all([...this.#live.values()].map((session) => session.end()));
    this.#journal.close();
  }

  async #create(wanted: NewSession): Promise<HostSession> {
    if (this.#isClosed) throw new ApiError(503, "closing", "the host ends");
    if (this.#rows.size >= MAX_SESSIONS)
      throw new ApiError(429, "too_many_sessions", `there are ${MAX_SESSIONS} sessions already`);
    const row = this.#newRow(wanted);
    this.#journal.create(row);
    const session = this.#open(row);
    try {
      await session.begin();
    } catch (error) {
      this.#forget(row.id);
      throw error;
    }
    return session;
  }

  #newRow(wanted: NewSession): SessionRow {
    const { dir, place, title = "", model, permissionMode, options, requestId, resume } = wanted;
    const now = this.#now();
    return {
      id: randomUUID(),
      place,
      dir,
      title,
      createdAt: now,
      updatedAt: now,
      choice: choiceFor(wanted),
      ...(resume !== undefined && wanted.fork !== true && { claudeSessionId: resume }),
      ...(model !== undefined && { model }),
      ...(permissionMode !== undefined && { permissionMode: permissionModeOf(permissionMode) }),
      ...(options !== undefined && { options: { ...options } }),
      ...(requestId !== undefined && { requestId }),
      isQueueHeld: false,
      summary: { state: "starting", pending: 0, queued: 0, costUsd: 0 },
    };
  }

  #find(id: string): LiveSession | undefined {
    return this.#live.get(id);
  }

  #open(row: SessionRow): LiveSession {
    const loaded = this.#journal.load(row.id);
    if (loaded === undefined) throw new Error(`the journal has no session ${row.id}`);
    const session = new LiveSession(
      {
        journal: this.#journal,
        startBridge: this.#options.startBridge,
        oldBridgeGone: this.#options.oldBridgeGone ?? oldBridgeGone,
        now: this.#now,
        onInfo: (info) => this.#onInfo(info),
      },
      loaded,
    );
    this.#live.set(row.id, session);
    this.#rows.set(row.id, sessionInfo(row));
    session.listen((frames) => this.#onFrames(frames));
    return session;
  }

  #forget(id: string): void {
    this.#journal.delete(id);
    this.#live.delete(id);
    this.#rows.delete(id);
    this.#tell({ session: id, type: "session-deleted", data: boardData({ id }) });
  }

  #onFrames(frames: readonly Frame[]): void {
    // `#onInfo` tells all of it.
    for (const { session, type, data } of frames)
      if (isHostEvent(type) && type !== "session-changed") this.#tell({ session, type, data });
  }

  #onInfo(info: SessionInfo): void {
    const known = this.#rows.get(info.id);
    if (known !== undefined && Bun.deepEquals(known, info)) return;
    this.#rows.set(info.id, info);
    this.#tell({ session: info.id, type: "session-changed", data: boardData(info) });
  }

  #tell(frame: Frame): void {
    for (const listener of [...this.#listeners]) listener(frame);
  }
}

/** As in the data of every event. */
function boardData(data: { readonly id: string }): string {
  return JSON.stringify({ ...eventSession(data.id), ...data });
}
