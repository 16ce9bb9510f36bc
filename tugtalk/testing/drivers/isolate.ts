/**
 * Runs before every test file: creates one temporary folder for the whole run and removes it at the
 * end, so that no test touches anything outside it. A test during which a bridge emitted something
 * that its schema does not allow fails.
 */
import { afterAll, afterEach } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FAULTS_FILE, failOnFaults } from "./emitted-faults.ts";

const folder = mkdtempSync(join(tmpdir(), "tugtalk-test-"));
const faults = join(folder, "emitted-faults.txt");
process.env["TMPDIR"] = folder;
process.env["XDG_STATE_HOME"] = join(folder, "state");
process.env[FAULTS_FILE] = faults;
afterEach(() => failOnFaults(faults));
afterAll(() => {
  try {
    // What was read after the last test.
    failOnFaults(faults);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
