/**
 * Runs before the test files of a process: creates a temporary folder for them and removes it at the end, so
 * that no test touches anything outside it. The folder that a runner names is shared by the files of all its
 * processes, and the runner removes it. A test during which a bridge emitted something that its schema does
 * not allow fails.
 */
import { afterAll, afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAULTS_FILE } from "./emitted-faults.ts";
import { failOnFaults } from "./fail-on-faults.ts";

const shared = process.env["TUGTALK_TEST_FOLDER"];
const folder = mkdtempSync(join(shared ?? tmpdir(), "tugtalk-test-"));
const faults = join(folder, "emitted-faults.txt");
process.env["TMPDIR"] = folder;
process.env["XDG_STATE_HOME"] = join(folder, "state");
process.env[FAULTS_FILE] = faults;
afterEach(() => failOnFaults(faults));
afterAll(async () => {
  try {
    // Messages that were read after the last test.
    await failOnFaults(faults);
  } finally {
    // With a runner this is called after each file of a process; the next ones use the same modules and folder.
    if (shared === undefined) rmSync(folder, { recursive: true, force: true });
  }
});
