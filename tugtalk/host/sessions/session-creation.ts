/**
 * New sessions: each is in the list and in the journal before its Claude starts, and one request creates one
 * session.
 */
import { randomUUID } from "node:crypto";
import { ApiError } from "../api/api-error.ts";
import type { HostSession, NewSession } from "../api/host-session.ts";
import type { Journal, SessionRow } from "../journal/journal.ts";
import type { LiveSession } from "./live-session.ts";
import type { SessionList } from "./session-list.ts";
import { newRow, pastOf } from "./session-start.ts";

/** The most sessions of a host. */
const MAX_SESSIONS = 10_000;

type Ports = {
  readonly journal: Pick<Journal, "create" | "sessionOfRequest">;
  readonly list: Pick<SessionList, "row" | "set" | "size">;
  readonly now: () => number;
  readonly isClosed: () => boolean;
  readonly get: (id: string) => LiveSession;
  /** Throws if another session has the conversation. */
  readonly checkFree: (conversation: string) => void;
  /** Deletes from the journal a session that did not start. */
  readonly forget: (id: string) => Promise<void>;
  /** Removes a session that is not in the journal. */
  readonly remove: (id: string) => void;
};

export class SessionCreation {
  readonly #ports: Ports;
  /** The sessions by their `request_id`. */
  readonly #ofRequests = new Map<string, Promise<HostSession>>();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The work that must end before the journal is closed. */
  get underWay(): readonly Promise<unknown>[] {
    return [...this.#underWay];
  }

  async create(wanted: NewSession): Promise<HostSession> {
    const { request_id: requestId } = wanted;
    if (requestId === undefined) return this.#create(wanted);
    const creating = this.#ofRequests.get(requestId) ?? this.#createOnce(requestId, wanted);
    this.#ofRequests.set(requestId, creating);
    return creating.finally(() => this.#ofRequests.delete(requestId));
  }

  /** The session that the same request has created before, or a new one. */
  async #createOnce(requestId: string, wanted: NewSession): Promise<HostSession> {
    const { journal, list, get } = this.#ports;
    const known = await journal.sessionOfRequest(requestId);
    if (known === undefined) return this.#create(wanted);
    if (list.row(known.id) !== undefined) return get(known.id);
    const message = `session ${known.id} of the same request is that of another host`;
    throw new ApiError(409, "in_use", message, { session: known.id });
  }

  async #create(wanted: NewSession): Promise<HostSession> {
    const { list, now, isClosed, checkFree } = this.#ports;
    if (isClosed()) throw new ApiError(503, "closing", "the host ends");
    if (list.size >= MAX_SESSIONS)
      throw new ApiError(429, "too_many_sessions", `there are ${MAX_SESSIONS} sessions already`);
    if (wanted.resume !== undefined && wanted.fork !== true) checkFree(wanted.resume);
    const row = newRow(wanted, { id: randomUUID(), now: now() });
    // Listed before the first wait, so that two simultaneous creations see each other.
    list.set(row);
    const created = this.#begin(row, wanted);
    this.#underWay.add(created);
    return created.finally(() => this.#underWay.delete(created));
  }

  async #begin(row: SessionRow, wanted: NewSession): Promise<HostSession> {
    await this.#addToJournal(row);
    try {
      const session = this.#ports.get(row.id);
      await session.begin(pastOf(wanted));
      return session;
    } catch (error) {
      await this.#ports.forget(row.id);
      throw error;
    }
  }

  async #addToJournal(row: SessionRow): Promise<void> {
    try {
      await this.#ports.journal.create(row);
    } catch (error) {
      this.#ports.remove(row.id);
      throw error;
    }
  }
}
