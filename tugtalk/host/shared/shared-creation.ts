/** New sessions of hosts that share a database: a request creates one, at however many of them it comes. */
import { ApiError } from "../api/api-error.ts";
import type { HostSession, NewSession } from "../api/host-session.ts";
import { LOCAL } from "../bridges/places.ts";
import { isTaken } from "../journal/postgres/connection.ts";
import type { PostgresJournal } from "../journal/postgres/postgres-journal.ts";
import type { Sessions } from "../sessions/sessions.ts";
import type { SessionDirectory } from "./session-directory.ts";

type Ports = {
  readonly journal: Pick<PostgresJournal, "sessionOfRequest">;
  /** Those that this host holds. */
  readonly own: Pick<Sessions, "create">;
  readonly directory: Pick<SessionDirectory, "knows">;
  readonly machine: string;
  readonly get: (id: string) => HostSession;
  /** Reads which sessions there are. */
  readonly refresh: () => Promise<void>;
  /** Tells the other hosts that there is another session, or one that did not start and is gone. */
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
      // One that did not start may have been read before it was gone again.
      await refresh();
      throw error;
    } finally {
      onChange();
    }
  }

  /** Another host may have created it for the same request, before or meanwhile. */
  async #createdElsewhere({ request_id: requestId }: NewSession): Promise<HostSession | undefined> {
    const { journal, directory, refresh, get } = this.#ports;
    if (requestId === undefined) return undefined;
    const row = await journal.sessionOfRequest(requestId);
    if (row === undefined) return undefined;
    await refresh();
    return directory.knows(row.id) ? get(row.id) : undefined;
  }

  /** Whether a session was in the way that is gone: it did not start at another host. */
  #isGone(refusal: unknown): boolean {
    if (isTaken(refusal)) return true;
    if (!(refusal instanceof ApiError && refusal.code === "in_use")) return false;
    const { session } = refusal.details;
    return typeof session === "string" && !this.#ports.directory.knows(session);
  }
}
