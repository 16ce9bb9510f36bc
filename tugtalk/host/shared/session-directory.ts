/** All sessions, of this host and of others, and the sessions that a living host can run. */
import type { SessionInfo } from "../../client/host-api.ts";
import type { OpenPrompt } from "../../client/prompt-models.ts";
import { ApiError, unknownSession } from "../api/api-error.ts";
import type { Frame } from "../api/frame.ts";
import { logError } from "../api/host-log.ts";
import { LOCAL } from "../bridges/places.ts";
import type { SessionRow } from "../journal/journal.ts";
import type { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import { sessionInfo } from "../sessions/session-summary.ts";
import type { Sessions } from "../sessions/sessions.ts";
import { claimConversation } from "./conversations.ts";
import { canRunAt, type HeldSessions } from "./held-sessions.ts";
import { RemoteBoard } from "./remote-board.ts";
import { Rounds } from "./rounds.ts";
import { type KnownSession, SessionRows } from "./session-rows.ts";
import { type LivingHost, livingHosts } from "./takeover.ts";

type Ports = {
  readonly journal: PostgresJournal;
  /** The sessions that this host holds. */
  readonly own: Sessions;
  readonly held: Pick<HeldSessions, "get" | "has">;
  /** Sends a frame to the board. */
  readonly tell: (frame: Frame) => void;
  readonly onDeleted: (deleted: Frame) => void;
};

export class SessionDirectory {
  readonly rows: SessionRows;
  readonly #ports: Ports;
  readonly #board: RemoteBoard;
  readonly #looks = new Rounds(() => this.#lookNow());
  #living: readonly LivingHost[] = [];
  /** Sessions whose change the board lacks, since the database was not reached. */
  readonly #untold = new Set<string>();

  constructor(ports: Ports) {
    this.#ports = ports;
    this.rows = new SessionRows(ports.journal, (id, known) => this.#onRow(id, known));
    this.#board = new RemoteBoard(ports.journal, ports.tell);
  }

  /**
   * The row of the holder if this host is it, or else the last one read. Throws an `ApiError` 404, and a
   * `DamagedSessionError`.
   */
  row(id: string): SessionRow {
    const row = this.#ports.held.get(id)?.row ?? this.rows.get(id)?.row;
    if (row === undefined) throw unknownSession();
    return row;
  }

  knows(id: string): boolean {
    return this.#ports.held.has(id) || this.rows.get(id) !== undefined;
  }

  /** Throws an `ApiError` 404 if the session does not exist. */
  info(id: string): SessionInfo {
    if (this.#ports.held.has(id)) return this.#ports.own.info(id);
    const known = this.rows.get(id);
    if (known === undefined) throw unknownSession();
    return this.#knownInfo(known);
  }

  list(): readonly SessionInfo[] {
    const own = this.#ports.own.list();
    const ids = new Set(own.map(({ id }) => id));
    const others = this.rows.all().filter(({ row }) => !ids.has(row.id));
    return [...own, ...others.map((known) => this.#knownInfo(known))].sort(
      (one, other) => other.created_at - one.created_at,
    );
  }

  openPrompts(id: string): readonly OpenPrompt[] {
    const { held, own } = this.#ports;
    return held.has(id) ? own.openPrompts(id) : this.#board.prompts(id);
  }

  /** Rejects with an `ApiError` 409 if a session may be writing the conversation. */
  async checkFree(conversation: string): Promise<void> {
    await this.#ports.own.checkFree(conversation);
    if (this.#writerOf(conversation) === undefined) return;
    // The session may have ended, or be gone, since the last read.
    await this.rows.refresh();
    const writer = this.#writerOf(conversation);
    if (writer !== undefined) throw inUse(conversation, writer);
  }

  /** The session of another host that may be writing the conversation. */
  #writerOf(conversation: string): string | undefined {
    const isWriter = ({ row }: KnownSession) =>
      row.claudeSessionId === conversation && isAtWork(row.summary.state);
    const id = this.rows.all().find(isWriter)?.row.id;
    return id !== undefined && !this.#ports.held.has(id) ? id : undefined;
  }

  /** Rejects with an `ApiError` 409 if a session of another host has the conversation. */
  async checkElsewhere(conversation: string, id: string): Promise<void> {
    const holder = await claimConversation(this.#ports.journal, conversation, id);
    if (holder !== id) throw inUse(conversation, holder);
  }

  /** Rejects with an `ApiError` 503 if no living host can run the session, now or soon. */
  async checkReachable(id: string): Promise<void> {
    const known = this.rows.get(id);
    if (known === undefined) throw unknownSession();
    if (isReachable(await livingHosts(this.#ports.journal), known)) return;
    const { place, machine } = known.row;
    const where = place === LOCAL ? `the machine ${machine}` : `the place ${place}`;
    throw new ApiError(503, UNREACHABLE, `no host that runs can reach ${where}`);
  }

  /**
   * Reads which hosts live, on which the reachable sessions depend. One read answers all simultaneous calls.
   */
  lookForHosts(): Promise<void> {
    return this.#looks.ask();
  }

  async #lookNow(): Promise<void> {
    const before = this.#living;
    this.#living = await livingHosts(this.#ports.journal);
    for (const known of this.rows.all())
      if (isReachable(before, known) !== isReachable(this.#living, known))
        this.#tellInfo(this.info(known.row.id));
  }

  /** Gives the board the changes that it lacks. */
  tellRest(): void {
    const untold = [...this.#untold];
    this.#untold.clear();
    for (const id of untold) {
      const known = this.rows.get(id);
      if (known !== undefined) this.#onRow(id, known);
    }
  }

  #knownInfo(known: KnownSession): SessionInfo {
    const info = sessionInfo(known.row);
    return isReachable(this.#living, known) ? info : { ...info, unreachable: true };
  }

  #onRow(id: string, known: KnownSession | undefined): void {
    if (known === undefined) {
      // The answer to this host's deletion may be lost.
      this.#ports.journal.giveUp(id);
      this.#forget(id);
      return;
    }
    if (this.#ports.journal.holds(id)) {
      this.#board.skip(known);
      return;
    }
    void this.#tellChange(id, known);
  }

  async #tellChange(id: string, known: KnownSession): Promise<void> {
    try {
      await Promise.all([this.#board.changed(known), this.#tellKnown(id, known)]);
    } catch (error) {
      this.#untold.add(id);
      logError(error);
    }
  }

  /** Sends the info to the board. An unknown host may have begun since the last look. */
  async #tellKnown(id: string, known: KnownSession): Promise<void> {
    if (known.host !== undefined && !this.#living.some((host) => host.id === known.host))
      await this.lookForHosts();
    if (this.knows(id)) this.#tellInfo(this.info(id));
  }

  #tellInfo(info: SessionInfo): void {
    const data = JSON.stringify(info);
    this.#ports.tell({ session: info.id, type: "session_changed", data });
  }

  #forget(id: string): void {
    this.#untold.delete(id);
    this.#board.forget(id);
    const deleted = { session: id, type: "session_deleted", data: JSON.stringify({ id }) };
    this.#ports.onDeleted(deleted);
    this.#ports.tell(deleted);
  }
}

const UNREACHABLE = "place_unreachable";

/** Rethrows every error but the one that no living host can reach the session. */
export function unlessUnreachable(thrown: unknown): void {
  if (!(thrown instanceof ApiError && thrown.code === UNREACHABLE)) throw thrown;
}

function isReachable(hosts: readonly LivingHost[], { host, row }: KnownSession): boolean {
  return hosts.some((one) => one.id === host || canRunAt(one, row));
}

function isAtWork(state: SessionInfo["state"]): boolean {
  return state !== "exited" && state !== "failed" && state !== "disconnected";
}

function inUse(conversation: string, session: string): ApiError {
  const message = `conversation ${conversation} is that of session ${session}: end it first`;
  return new ApiError(409, "in_use", message, { session });
}
