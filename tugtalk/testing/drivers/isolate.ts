/**
 * Runs before every test file: creates one temporary folder for the whole run and removes it at the
 * end, so that no test touches anything outside it.
 */
import { afterAll } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "tugtalk-test-"));
process.env["TMPDIR"] = folder;
process.env["XDG_STATE_HOME"] = join(folder, "state");
afterAll(() => rmSync(folder, { recursive: true, force: true }));
