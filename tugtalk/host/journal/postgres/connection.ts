/** Makes the connections to PostgreSQL, and words their failures for people. The URL is never shown. */
import { SQL } from "bun";
import { JournalError, UnreachableJournalError } from "../journal-error.ts";
import { migrate, SCHEMA } from "./postgres-schema.ts";
import { answered, ReplaceablePool } from "./replaceable-pool.ts";

/** The oldest server that the tests have run on. */
const MIN_VERSION = 150_000;
const MAX_CONNECTIONS = 8;
const CONNECT_SECONDS = 10;
/**
 * The limit for the checks and for making the tables, including the wait for another host that makes them
 * first.
 */
const MAX_START_MS = 30_000;

/** Connects, and makes the tables where there are none. Rejects with a `JournalError`. */
export async function connect(url: string, limitMs = MAX_START_MS): Promise<SQL> {
  const pool = openPool(url);
  const prepared = async () => {
    await checkServer(pool);
    await checkConnections(pool);
    await migrate(pool);
  };
  try {
    // Statements without an answer by then fail, since their connections are closed.
    await answered({ sql: pool, giveUp: () => {} }, prepared, limitMs);
    return pool;
  } catch (error) {
    await pool.close({ timeout: 1 });
    throw postgresFailure(error);
  }
}

/** The connections of a host. The lease has a connection of its own, so that nothing delays its renewal. */
export type HostConnections = {
  readonly pool: ReplaceablePool;
  readonly leasePool: ReplaceablePool;
};

/** Connects for a host, as `connect` does. */
export async function connectHost(url: string): Promise<HostConnections> {
  const sql = await connect(url);
  return {
    pool: new ReplaceablePool(() => openPool(url), sql),
    leasePool: new ReplaceablePool(() => openPool(url, 1)),
  };
}

function openPool(url: string, max = MAX_CONNECTIONS): SQL {
  // Bun's client speaks with other databases, too.
  if (!/^postgres(ql)?:\/\//.test(url)) throw noUrl();
  try {
    return new SQL(url, {
      ...databaseIn(url),
      max,
      idleTimeout: 0,
      maxLifetime: 0,
      connectionTimeout: CONNECT_SECONDS,
      connection: { search_path: SCHEMA, application_name: "tugtalk" },
    });
  } catch (error) {
    throw noUrl(withoutUrl(error));
  }
}

/** Bun takes the name in the variable `PGDATABASE` first. */
function databaseIn(url: string): { readonly database?: string } {
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  return database === "" ? {} : { database };
}

function noUrl(cause?: unknown): JournalError {
  const message = "the URL of the database is not like postgres://user:password@host/name";
  return new JournalError(message, { cause });
}

/** The message may have the URL, and with it the password. */
function withoutUrl(error: unknown): unknown {
  return error instanceof Error ? error.name : undefined;
}

/** Uses the simple protocol, which every pooler accepts. */
async function checkServer(sql: SQL): Promise<void> {
  const [row] = await sql<ServerFacts[]>`
    SELECT current_setting('server_version_num')::int AS version, pg_is_in_recovery() AS "readOnly",
      current_setting('server_encoding') AS encoding, current_setting('search_path') AS path`.simple();
  if (row === undefined) throw new JournalError("the database does not answer as PostgreSQL does");
  if (row.version < MIN_VERSION)
    throw new JournalError(
      `PostgreSQL ${Math.floor(row.version / 10_000)} is too old: at least ${MIN_VERSION / 10_000} is needed`,
    );
  if (row.readOnly) throw new JournalError("the database can only be read: it is a standby");
  if (row.encoding !== "UTF8")
    throw new JournalError(`the database has the encoding ${row.encoding}: UTF8 is needed`);
  if (row.path !== SCHEMA)
    throw new JournalError(
      `a connection pooler does not pass on the search path: give the role one with ALTER ROLE … SET search_path = ${SCHEMA}`,
    );
}

type ServerFacts = {
  readonly version: number;
  readonly readOnly: boolean;
  readonly encoding: string;
  readonly path: string;
};

/**
 * Refuses a pooler that gives a connection to another client after each transaction: the host would lose its
 * notifications.
 */
async function checkConnections(sql: SQL): Promise<void> {
  const [one, other] = await Promise.all([sql.reserve(), sql.reserve()]);
  try {
    const before = await backendOf(one);
    // The second client takes the connection that the first has given back, or the first gets another one.
    await other`BEGIN`.simple();
    const isShared = (await backendOf(other)) === before || (await backendOf(one)) !== before;
    await other`ROLLBACK`.simple();
    if (isShared)
      throw new JournalError(
        "a connection pooler gives the connections of the database to others after each transaction: it must keep one for each client",
      );
  } finally {
    one.release();
    other.release();
  }
}

async function backendOf(sql: SQL): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`.simple();
  return row?.pid;
}

/** A failure of the database in words for people; any other error as it is. */
export function postgresFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof JournalError) return error;
  const state = stateOf(error);
  const found = FAILURES.find(({ codes }) => codes.test(state));
  if (found === undefined) return error;
  const message = `the journal in the database ${found.text}: ${error.message}`;
  return new (found.type ?? JournalError)(message, { cause: error });
}

/** Whether the statement failed because a row with this unique key exists. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && stateOf(error) === "23505";
}

/** SQLSTATE, or the code of Bun's client or of TLS. */
function stateOf(error: Error): string {
  if (error instanceof SQL.PostgresError) return error.errno ?? error.code;
  return "code" in error ? String(error.code) : "";
}

type Failure = {
  readonly codes: RegExp;
  readonly text: string;
  /** `UnreachableJournalError` for a failure that may be over soon: a writer tries again. */
  readonly type?: typeof UnreachableJournalError;
};

const FAILURES: readonly Failure[] = [
  {
    codes: /^28|^ERR_POSTGRES_\w*(AUTHENTICATION|PASSWORD|SASL)/,
    text: "cannot be opened with this user and password",
    type: UnreachableJournalError,
  },
  { codes: /^3D000$/, text: "cannot be opened: there is no such database" },
  { codes: /^42501$/, text: "is not allowed for this role", type: UnreachableJournalError },
  // The code for a role that may not use the schema, too.
  {
    codes: /^(42P01|3F000)$/,
    text: "has no tables for this role",
    type: UnreachableJournalError,
  },
  {
    codes: /^53100$/,
    text: "cannot be written, its disk is full",
    type: UnreachableJournalError,
  },
  { codes: /^53/, text: "has no resources left", type: UnreachableJournalError },
  { codes: /^25006$/, text: "can only be read", type: UnreachableJournalError },
  {
    codes: /^(40001|40P01|55P03|57014)$/,
    text: "was interrupted",
    type: UnreachableJournalError,
  },
  { codes: /^08P01$/, text: "is behind a connection pooler that refuses what is needed" },
  {
    codes: /^(08|25P03|57P|ERR_POSTGRES_(CONNECTION|IDLE|LIFETIME))/,
    text: "cannot be reached",
    type: UnreachableJournalError,
  },
  {
    codes: /^(ERR_POSTGRES_TLS|ERR_TLS|UNABLE_TO_|CERT_|SELF_SIGNED|DEPTH_ZERO|ERR_SSL)/,
    text: "cannot be reached as the sslmode of its URL demands",
  },
  { codes: /^(XX00[12])$/, text: "is damaged" },
];
