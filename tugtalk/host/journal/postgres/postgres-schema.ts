/**
 * The tables in PostgreSQL, as steps from one version to the next. They are the tables of `../schema.ts`:
 * JSON stays text, since nobody searches in it. A step that was released never changes.
 */
import type { SQL } from "bun";
import { JournalError } from "../journal-error.ts";
import { shortTransaction } from "./short-transaction.ts";

/** All tables are in a schema of their own. */
export const SCHEMA = "tugtalk";
/** The beginning of that schema's comment, which marks it as ours. */
const MARK = "tugtalk journal";
/** Hosts that start at once bring the tables up to date one after the other. */
const MIGRATION_LOCK = 0x7475_6774;

const STEPS: readonly string[] = [
  `
  CREATE TABLE sessions (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    request_id text UNIQUE,
    row text NOT NULL,
    epoch bigint NOT NULL,
    seq bigint NOT NULL DEFAULT 0,
    start_seq bigint NOT NULL DEFAULT 0,
    bytes bigint NOT NULL DEFAULT 0,
    start_bytes bigint NOT NULL DEFAULT 0,
    turn bigint NOT NULL DEFAULT 0,
    start_turn bigint NOT NULL DEFAULT 0,
    turn_bytes bigint NOT NULL DEFAULT 0,
    start_turn_bytes bigint NOT NULL DEFAULT 0,
    -- The host that holds it, if any, and how often it was taken: the fence of its commits.
    host text,
    fence bigint NOT NULL DEFAULT 0,
    -- When its row or its holder changed last.
    changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 50);
  CREATE INDEX held_sessions ON sessions (host) WHERE host IS NOT NULL;
  CREATE INDEX changed_sessions ON sessions (changed_at);
  -- The hosts that live. Where a row is gone, so is every Claude of that host.
  CREATE TABLE hosts (
    id text PRIMARY KEY,
    machine text NOT NULL,
    pid integer NOT NULL,
    version text NOT NULL,
    -- JSON: the names of its places.
    places text NOT NULL,
    lease_until timestamptz NOT NULL,
    gone_at timestamptz NOT NULL,
    -- Which processes its pid is one of, where that is known.
    processes text
  );
  -- The session that may write a conversation of Claude's.
  CREATE TABLE conversations (
    conversation text PRIMARY KEY,
    session text NOT NULL,
    claimed_at timestamptz NOT NULL
  );
  -- Commands for sessions that other hosts hold, and their answers.
  CREATE TABLE calls (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL UNIQUE,
    session text NOT NULL,
    call text NOT NULL,
    reply text,
    asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
  );
  CREATE INDEX open_calls ON calls (session, number) WHERE reply IS NULL;
  CREATE TABLE entries (
    session bigint NOT NULL,
    seq bigint NOT NULL,
    type text NOT NULL,
    data text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (session, seq)
  );
  CREATE TABLE turns (
    session bigint NOT NULL,
    turn bigint NOT NULL,
    key text NOT NULL,
    data text NOT NULL,
    total bigint NOT NULL,
    PRIMARY KEY (session, turn),
    UNIQUE (session, key)
  );
  CREATE TABLE snapshots (
    session bigint PRIMARY KEY,
    seq bigint NOT NULL,
    state text NOT NULL
  );
  CREATE TABLE attached (
    session bigint NOT NULL,
    message_id text NOT NULL,
    data text NOT NULL,
    PRIMARY KEY (session, message_id)
  );
  CREATE TABLE message_ends (
    session bigint NOT NULL,
    message_id text NOT NULL,
    status text NOT NULL,
    PRIMARY KEY (session, message_id)
  );
  CREATE TABLE replies (
    session bigint NOT NULL,
    client_id text NOT NULL,
    row text NOT NULL,
    PRIMARY KEY (session, client_id)
  );
  -- What sessions that were deleted have cost is that of -1.
  CREATE TABLE costs (
    slot bigint NOT NULL,
    session bigint NOT NULL,
    usd float8 NOT NULL,
    PRIMARY KEY (slot, session)
  );
  CREATE INDEX costs_of_sessions ON costs (session);
  -- What can be searched. The words are made by the host.
  CREATE TABLE texts (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL,
    entry text NOT NULL,
    item text NOT NULL,
    kind text NOT NULL,
    at bigint NOT NULL,
    text text NOT NULL,
    words tsvector NOT NULL,
    UNIQUE (session, entry, item, kind)
  );
  CREATE INDEX words_of_texts ON texts USING gin (words);
  -- What opens the door of every host. One row.
  CREATE TABLE door (
    is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
    token text NOT NULL,
    code_key text NOT NULL
  );
  CREATE TABLE used_codes (
    code text PRIMARY KEY,
    expires_at timestamptz NOT NULL
  );
  CREATE TABLE trusted_dirs (
    place text NOT NULL,
    dir text NOT NULL,
    grants text NOT NULL,
    PRIMARY KEY (place, dir)
  );
  `,
  // The number of commits of the session: each commit names the number before.
  "ALTER TABLE sessions ADD COLUMN commits bigint NOT NULL DEFAULT 0",
  `
  CREATE TABLE transcript_lines (
    session bigint NOT NULL,
    file text NOT NULL,
    start bigint NOT NULL,
    line text NOT NULL,
    PRIMARY KEY (session, file, start)
  );
  `,
  // A host has begun with the command, or may have begun.
  "ALTER TABLE calls ADD COLUMN is_taken boolean NOT NULL DEFAULT false",
  // The transaction that has set `changed_at`: the time alone does not say when other hosts can see the row.
  // Hosts of an older version do not write this column.
  `
  ALTER TABLE sessions ADD COLUMN changed_in xid8 NOT NULL DEFAULT pg_current_xact_id();
  CREATE INDEX changes_of_sessions ON sessions (changed_in);
  CREATE FUNCTION mark_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN NEW.changed_in := pg_current_xact_id(); RETURN NEW; END $$;
  CREATE TRIGGER mark_change BEFORE UPDATE ON sessions FOR EACH ROW
    WHEN (NEW.changed_at IS DISTINCT FROM OLD.changed_at) EXECUTE FUNCTION mark_change();
  `,
];

/** Makes the tables, or brings them to the version of this host: all steps, or none. */
export async function migrate(sql: SQL): Promise<void> {
  await shortTransaction(sql, async (transaction) => {
    await transaction`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`;
    const version = await versionOf(transaction);
    if (version === STEPS.length) return;
    if (version > STEPS.length) throw newerJournal(version);
    if (version === 0) await transaction.unsafe(`CREATE SCHEMA ${SCHEMA}`);
    await transaction.unsafe(`SET LOCAL search_path = ${SCHEMA}`);
    for (const step of STEPS.slice(version)) await transaction.unsafe(step);
    await transaction.unsafe(`COMMENT ON SCHEMA ${SCHEMA} IS '${MARK} ${STEPS.length}'`);
  });
}

/** The version of the tables; 0 if the schema is missing. */
async function versionOf(sql: SQL): Promise<number> {
  const [found] = await sql<{ comment: string | null }[]>`
    SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = ${SCHEMA}`;
  if (found === undefined) return 0;
  const version = new RegExp(`^${MARK} (\\d+)$`).exec(found.comment ?? "")?.[1];
  if (version !== undefined) return Number(version);
  throw new JournalError(`the schema ${SCHEMA} of the database is that of another program`);
}

function newerJournal(version: number): JournalError {
  return new JournalError(
    `the journal in the database has version ${version} of a newer tugtalk; this one knows ${STEPS.length}`,
  );
}
