/** Commands for sessions that other hosts hold, as rows: asked by one host, answered by the one that holds the session. */
import type { PostgresReader } from "./postgres-reader.ts";

/** A command as it waits. Both texts are JSON. */
export type OpenCall = {
  readonly id: string;
  readonly session: string;
  readonly call: string;
};

/** For how long an answer is kept for whoever has asked. */
const KEPT_MINUTES = 10;

export class Calls {
  readonly #reader: Pick<PostgresReader, "query">;

  constructor(reader: Pick<PostgresReader, "query">) {
    this.#reader = reader;
  }

  async ask({ id, session, call }: OpenCall): Promise<void> {
    const statement = "INSERT INTO calls (id, session, call) VALUES ($1, $2, $3)";
    await this.#reader.query(statement, [id, session, call]);
  }

  /** Those of the sessions that a host holds, in the order in which they were asked. */
  async openFor(hostId: string): Promise<readonly OpenCall[]> {
    return this.#reader.query<OpenCall>(
      `SELECT calls.id, session, call FROM calls JOIN sessions ON sessions.id = session
       WHERE host = $1 AND reply IS NULL ORDER BY calls.number`,
      [hostId],
    );
  }

  /** The sessions that nobody holds and somebody has asked something of. */
  async ofNobody(): Promise<readonly string[]> {
    const rows = await this.#reader.query<{ session: string }>(
      `SELECT DISTINCT session FROM calls JOIN sessions ON sessions.id = session
       WHERE reply IS NULL AND NOT EXISTS (SELECT 1 FROM hosts WHERE hosts.id = sessions.host)`,
    );
    return rows.map(({ session }) => session);
  }

  async answer(id: string, reply: string): Promise<void> {
    await this.#reader.query("UPDATE calls SET reply = $2 WHERE id = $1", [id, reply]);
  }

  /** JSON; undefined before it is answered. */
  async replyTo(id: string): Promise<string | undefined> {
    const statement = "SELECT reply FROM calls WHERE id = $1";
    const [found] = await this.#reader.query<{ reply: string | null }>(statement, [id]);
    return found?.reply ?? undefined;
  }

  /** Nobody waits for the answer any more. */
  async forget(id: string): Promise<void> {
    await this.#reader.query("DELETE FROM calls WHERE id = $1", [id]);
  }

  async forgetOld(): Promise<void> {
    await this.#reader.query(
      "DELETE FROM calls WHERE asked_at < clock_timestamp() - $1::float8 * interval '1 minute'",
      [KEPT_MINUTES],
    );
  }
}
