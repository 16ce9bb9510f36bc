/** Commands for sessions of other hosts, as rows: one host asks, and the holder of the session answers. */
import type { PostgresReader } from "./postgres-reader.ts";

/** A waiting command. Both texts are JSON. */
export type OpenCall = {
  readonly id: string;
  readonly session: string;
  readonly call: string;
};

/** The fate of a command that nobody waits for any more. */
export type Withdrawn = {
  /** JSON: the answer, where a host has answered the command already. */
  readonly reply?: string;
  /** A host has begun with the command, or may have begun. */
  readonly isTaken: boolean;
};

/** No host begins with an older command: its client already knows that it was not executed. */
export const MAX_WAIT_MS = 120_000;
/** For how long the table keeps requests and withdrawals. */
const KEPT_MINUTES = 10;
/** Takes the place of the answer to a withdrawn command. */
const WITHDRAWN = "withdrawn";
const IS_OPEN = `reply IS NULL AND asked_at > clock_timestamp() - interval '${MAX_WAIT_MS} ms'`;

export class Calls {
  readonly #reader: Pick<PostgresReader, "query">;

  constructor(reader: Pick<PostgresReader, "query">) {
    this.#reader = reader;
  }

  async ask({ id, session, call }: OpenCall): Promise<void> {
    const statement = "INSERT INTO calls (id, session, call) VALUES ($1, $2, $3)";
    await this.#reader.query(statement, [id, session, call]);
  }

  /** Takes the calls of the sessions that a host holds, in the order in which they were asked. */
  async takeFor(hostId: string): Promise<readonly OpenCall[]> {
    return this.#reader.query<OpenCall>(
      `WITH taken AS (
         UPDATE calls SET is_taken = true FROM sessions
         WHERE sessions.id = session AND host = $1 AND ${IS_OPEN}
         RETURNING calls.number, calls.id, session, call
       ) SELECT id, session, call FROM taken ORDER BY number`,
      [hostId],
    );
  }

  /** The sessions that have commands waiting and no host. */
  async ofNobody(): Promise<readonly string[]> {
    const rows = await this.#reader.query<{ session: string }>(
      `SELECT DISTINCT session FROM calls JOIN sessions ON sessions.id = session
       WHERE ${IS_OPEN} AND NOT EXISTS (SELECT 1 FROM hosts WHERE hosts.id = sessions.host)`,
    );
    return rows.map(({ session }) => session);
  }

  async answer(id: string, reply: string): Promise<void> {
    await this.#reader.query("UPDATE calls SET reply = $2 WHERE id = $1", [id, reply]);
  }

  /**
   * The answer as JSON; null before there is one. Undefined where the table does not have the command, as
   * after a step of the clock.
   */
  async replyTo(id: string): Promise<string | null | undefined> {
    const statement = "SELECT reply FROM calls WHERE id = $1";
    const [found] = await this.#reader.query<{ reply: string | null }>(statement, [id]);
    return found?.reply;
  }

  /** Nobody waits for the answer any more. */
  async forget(id: string): Promise<void> {
    await this.#reader.query("DELETE FROM calls WHERE id = $1", [id]);
  }

  /** No host takes the command from now on, even if the request is still on its way to the database. */
  async withdraw(id: string, session: string): Promise<Withdrawn> {
    const [known] = await this.#reader.query<{ reply: string; is_taken: boolean }>(
      `INSERT INTO calls (id, session, call, reply) VALUES ($1, $2, '', $3)
       ON CONFLICT (id) DO UPDATE SET reply = coalesce(calls.reply, excluded.reply)
       RETURNING reply, is_taken`,
      [id, session, WITHDRAWN],
    );
    const { reply, is_taken: isTaken } = known ?? { reply: WITHDRAWN, is_taken: true };
    return { isTaken, ...(reply !== WITHDRAWN && { reply }) };
  }

  async forgetOld(): Promise<void> {
    await this.#reader.query(
      "DELETE FROM calls WHERE asked_at < clock_timestamp() - $1::float8 * interval '1 minute'",
      [KEPT_MINUTES],
    );
  }
}
