/** A journal that is copied after each commit: the copy is the file that a host killed there leaves. */
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../../../journal/sqlite-journal.ts";

export function copiedJournal() {
  const root = mkdtempSync(join(tmpdir(), "copied-journal-"));
  const path = join(root, "journal.sqlite");
  const journal = openJournal(path);
  const copies: string[] = [];
  const commit = journal.commit.bind(journal);
  journal.commit = async (id, change) => {
    const written = await commit(id, change);
    const copy = join(root, `copy-${copies.length}.sqlite`);
    for (const part of ["", "-wal"]) copyFileSync(path + part, copy + part);
    copies.push(copy);
    return written;
  };
  return { journal, copies };
}
