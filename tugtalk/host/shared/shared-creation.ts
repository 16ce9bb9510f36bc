/**
 * New sessions of hosts that share a database: a request creates one session, at however many hosts it
 * arrives.
 */
import { ApiError } from "../api/api-error.ts";
import type { HostSession, NewSession } from "../api/host-session.ts";
import { LOCAL } from "../bridges/places.ts";
import { isTaken } from "../journal/postgres/connection.ts";
import type { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SessionDirectory } from "./session-directory.ts";

type Ports = {
  readonly journal: Pick<PostgresJournal, "sessionOfRequest">;
  /** The sessions that this host holds. */
  readonly own: Pick<Sessions, "create">;
  readonly directory: Pick<SessionDirectory, "knows">;
  readonly machine: string;
  readonly get: (id: string) => HostSession;
  /** Reads the rows of all sessions. */
  readonly refresh: () => Promise<void>;
  /** The list of sessions has changed: a session was added, or one that did not start is gone. */
  readonly onChange: () => void;
};

export class SharedCreation {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** The session that the same request has created before, or a new one. */
  async create(wanted: NewSession): Promise<HostSession> {
    try {
      return await this.#createHere(wanted);
    } catch (error) {
      const created = await this.#createdElsewhere(wanted);
      if (created !== undefined) return created;
      if (!this.#isGone(error)) throw error;
      return this.#createHere(wanted);
    }
  }

  async #createHere(wanted: NewSession): Promise<HostSession> {
    const { own, machine, refresh, onChange, get } = this.#ports;
    try {
      const { id } = await own.create({
        ...wanted,
        machine: wanted.place === LOCAL ? machine : undefined,
      });
      return get(id);
    } catch (error) {
      // This host may have read a session that did not start, before it was gone.
      await refresh();
      throw error;
    } finally {
      onChange();
    }
  }

  /** Another host may have created the session for the same request. */
  async #createdElsewhere({ request_id: requestId }: NewSession): Promise<HostSession | undefined> {
    const { journal, directory, refresh, get } = this.#ports;
    if (requestId === undefined) return undefined;
    const row = await journal.sessionOfRequest(requestId);
    if (row === undefined) return undefined;
    await refresh();
    return directory.knows(row.id) ? get(row.id) : undefined;
  }

  /** Whether the refusing session is gone, since it did not start at another host. */
  #isGone(refusal: unknown): boolean {
    if (isTaken(refusal)) return true;
    if (!(refusal instanceof ApiError && refusal.code === "in_use")) return false;
    const { session } = refusal.details;
    return typeof session === "string" && !this.#ports.directory.knows(session);
  }
}
