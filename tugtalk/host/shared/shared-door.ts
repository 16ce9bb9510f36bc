/** The door of all hosts of a database: a token, link, cookie or revocation counts at each of them. */
import type { PostgresReader } from "../journal/postgres/postgres-reader.ts";
import { type Door, type Keys, newKeys } from "../server/door.ts";

type Reader = Pick<PostgresReader, "query">;

export class SharedDoor implements Door {
  readonly isShared = true;
  readonly #reader: Reader;
  readonly #ring: () => void;
  #keys: Keys;
  #aheadMs = 0;
  #onRenewed = () => {};
  #reading = Promise.resolve();

  /** `first` are the keys for a database without any. `ring` wakes the other hosts after new keys. */
  constructor(reader: Reader, first: Keys, ring: () => void) {
    this.#reader = reader;
    this.#keys = first;
    this.#ring = ring;
  }

  get keys(): Keys {
    return this.#keys;
  }

  get aheadMs(): number {
    return this.#aheadMs;
  }

  /** Reads the keys, or writes the first ones. Rejects with a `JournalError`. */
  async open(): Promise<void> {
    const { token, codeKey } = this.#keys;
    const statement =
      "INSERT INTO door (token, code_key) VALUES ($1, $2) ON CONFLICT (is_only) DO NOTHING";
    await this.#reader.query(statement, [token, codeKey]);
    await this.refresh();
  }

  /** Another host may have taken other keys. Rejects with a `JournalError`. */
  async refresh(): Promise<void> {
    // One after the other, so that an earlier read does not replace a later one.
    const reading = this.#reading.then(() => this.#read());
    this.#reading = reading.catch(() => {});
    await reading;
  }

  async #read(): Promise<void> {
    const [found] = await this.#reader.query<Keys & { now: number }>(
      `SELECT token, code_key AS "codeKey",
       (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now FROM door`,
    );
    if (found === undefined) return;
    const { now, token, codeKey } = found;
    this.#aheadMs = Math.round(now - Date.now());
    if (token === this.#keys.token && codeKey === this.#keys.codeKey) return;
    this.#keys = { token, codeKey };
    this.#onRenewed();
  }

  /** Expiry is by the clock of the database. */
  async useCode(code: string, expiry: number): Promise<boolean> {
    await this.#reader.query("DELETE FROM used_codes WHERE expires_at <= clock_timestamp()");
    const used = await this.#reader.query(
      `INSERT INTO used_codes SELECT $1::text, to_timestamp($2::float8 / 1000)
       WHERE to_timestamp($2::float8 / 1000) > clock_timestamp()
       ON CONFLICT (code) DO NOTHING RETURNING code`,
      [code, expiry],
    );
    return used.length > 0;
  }

  async renew(): Promise<void> {
    const { token, codeKey } = newKeys();
    await this.#reader.query("UPDATE door SET token = $1, code_key = $2", [token, codeKey]);
    this.#ring();
    await this.refresh();
  }

  listen(onRenewed: () => void): void {
    this.#onRenewed = onRenewed;
  }
}
