/** Paths for journals of tests. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A path in a new folder. The runner of the tests deletes it with its temporary folder. */
export function temporaryPath(): string {
  return join(mkdtempSync(join(tmpdir(), "journal-")), "journal.sqlite");
}
