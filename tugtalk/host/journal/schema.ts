/**
 * The tables of the journal, as steps from one version to the next. `user_version` counts the steps that
 * a file has had; a step that was released never changes.
 */
import type { Database } from "bun:sqlite";
import { JournalError } from "./journal-error.ts";

/** Marks the file as ours. */
const APPLICATION_ID = 0x74756774;

const STEPS: readonly string[] = [
  `
  -- Numbers are not used again: rows of a deleted session may still wait for the sweep.
  CREATE TABLE sessions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    request_id TEXT UNIQUE,
    row TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    -- Entries after start_seq up to seq are kept, and turns after start_turn up to turn.
    -- The bytes count from the first one ever written, as do the totals of entries and turns.
    seq INTEGER NOT NULL DEFAULT 0,
    start_seq INTEGER NOT NULL DEFAULT 0,
    bytes INTEGER NOT NULL DEFAULT 0,
    start_bytes INTEGER NOT NULL DEFAULT 0,
    turn INTEGER NOT NULL DEFAULT 0,
    start_turn INTEGER NOT NULL DEFAULT 0,
    turn_bytes INTEGER NOT NULL DEFAULT 0,
    start_turn_bytes INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE entries (
    session INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (session, seq)
  ) WITHOUT ROWID;
  CREATE TABLE turns (
    session INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    key TEXT NOT NULL,
    data TEXT NOT NULL,
    total INTEGER NOT NULL,
    PRIMARY KEY (session, turn),
    UNIQUE (session, key)
  );
  CREATE TABLE snapshots (
    session INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    state TEXT NOT NULL
  );
  CREATE TABLE queue (
    session INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (session, message_id)
  );
  -- seq: where the journal ended when the row was written first.
  CREATE TABLE prompts (
    session INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    tool_use_id TEXT,
    seq INTEGER NOT NULL,
    is_open INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (session, request_id)
  );
  CREATE INDEX prompts_of_tools ON prompts (session, tool_use_id) WHERE tool_use_id IS NOT NULL;
  CREATE INDEX open_prompts ON prompts (session, seq) WHERE is_open = 1;
  CREATE TABLE replies (
    session INTEGER NOT NULL,
    client_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    row TEXT NOT NULL,
    PRIMARY KEY (session, client_id)
  );
  CREATE TABLE trusted_dirs (
    place TEXT NOT NULL,
    dir TEXT NOT NULL,
    PRIMARY KEY (place, dir)
  ) WITHOUT ROWID;
  -- What is to be swept: entries and turns of a session up to these, included.
  CREATE TABLE trash (
    session INTEGER PRIMARY KEY,
    seq INTEGER NOT NULL,
    turn INTEGER NOT NULL
  );
  `,
  `
  -- What the folder granted when it was trusted, as a list of hashes in JSON.
  ALTER TABLE trusted_dirs ADD COLUMN grants TEXT NOT NULL DEFAULT '[]';
  `,
  `
  CREATE TABLE message_ends (
    session INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    status TEXT NOT NULL,
    PRIMARY KEY (session, message_id)
  ) WITHOUT ROWID;
  `,
  `
  -- The queue and the prompts follow from the entries; what is attached to a message does not.
  CREATE TABLE attached (
    session INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (session, message_id)
  ) WITHOUT ROWID;
  INSERT INTO attached SELECT session, message_id, row ->> '$.attachments' FROM queue
    WHERE json_array_length(row, '$.attachments') > 0;
  DROP TABLE queue;
  DROP TABLE prompts;
  `,
  `
  -- Slots are quarters of an hour since 1970. What sessions that were deleted have cost is that of -1.
  CREATE TABLE costs (
    slot INTEGER NOT NULL,
    session INTEGER NOT NULL,
    usd REAL NOT NULL,
    PRIMARY KEY (slot, session)
  ) WITHOUT ROWID;
  `,
  `
  -- What is searched. A number is the time of its text in milliseconds since 1970, or the next one that is free.
  CREATE TABLE texts (
    number INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    entry TEXT NOT NULL,
    item TEXT NOT NULL,
    kind TEXT NOT NULL,
    text TEXT NOT NULL,
    UNIQUE (session, entry, item, kind)
  );
  -- It has no text of its own. What is taken out of it is in the file until the sweep has written it anew.
  CREATE VIRTUAL TABLE text_words USING fts5(words, content='', columnsize=0, prefix='2',
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* M*'");
  -- What is still to be indexed: the turns before this one; of a session without a number its state, too.
  CREATE TABLE unindexed (session INTEGER PRIMARY KEY, turn INTEGER);
  INSERT INTO unindexed SELECT number, NULL FROM sessions;
  `,
  `
  -- Claude's own files of a conversation. start: where the line begins, in bytes.
  CREATE TABLE transcript_lines (
    session INTEGER NOT NULL,
    file TEXT NOT NULL,
    start INTEGER NOT NULL,
    line TEXT NOT NULL,
    PRIMARY KEY (session, file, start)
  );
  `,
];

/** Brings the tables to the version of this host, each step whole or not at all. */
export function migrate(db: Database, path: string): void {
  const version = pragma(db, "user_version");
  if (version > STEPS.length) {
    throw new JournalError(
      `the journal ${path} has version ${version} of a newer tugtalk; this one knows ${STEPS.length}`,
    );
  }
  if (!isOurs(db, version)) throw new JournalError(`${path} is a database of another program`);
  for (const [index, step] of STEPS.entries()) {
    if (index >= version) apply(db, step, index + 1);
  }
}

/** Whether the file has the tables of this host. */
export function isCurrent(db: Database): boolean {
  return pragma(db, "user_version") === STEPS.length;
}

function isOurs(db: Database, version: number): boolean {
  if (version > 0) return pragma(db, "application_id") === APPLICATION_ID;
  return db.query("SELECT 1 FROM sqlite_schema LIMIT 1").get() === null;
}

function apply(db: Database, step: string, version: number): void {
  db.transaction(() => {
    db.run(step);
    db.run(`PRAGMA user_version = ${version}`);
    db.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  })();
}

/** Gives each session a new epoch, since clients may have entries that this file does not have. */
export function beginEpochs(db: Database, now: number): void {
  db.query("UPDATE sessions SET epoch = max(epoch + 1, $now)").run({ now });
}

function pragma(db: Database, name: "user_version" | "application_id"): number {
  return db.query<Record<typeof name, number>, []>(`PRAGMA ${name}`).get()?.[name] ?? 0;
}
