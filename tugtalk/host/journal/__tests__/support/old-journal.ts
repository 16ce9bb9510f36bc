/** The tables of an older host. */
import type { Database } from "bun:sqlite";

/** Gives a journal of this host, which has no messages, the tables of version 3. */
export function asOfVersion3(db: Database): void {
  withoutTexts(db);
  db.run("DROP TABLE costs");
  db.run("DROP TABLE attached");
  db.run(`CREATE TABLE queue (session INTEGER NOT NULL, message_id TEXT NOT NULL,
    position INTEGER NOT NULL, row TEXT NOT NULL, PRIMARY KEY (session, message_id))`);
  db.run("CREATE TABLE prompts (session INTEGER NOT NULL, request_id TEXT NOT NULL)");
  db.run("PRAGMA user_version = 3");
}

/** Gives a journal of this host the tables of the last version without a search. */
export function withoutTexts(db: Database): void {
  for (const table of ["texts", "text_words", "unindexed", "transcript_lines"])
    db.run(`DROP TABLE ${table}`);
  db.run("PRAGMA user_version = 5");
}
