/** A file that the simulator reads for its host, as 2.1.330 does. */
import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readForHost } from "../read-file.ts";

const root = mkdtempSync(join(tmpdir(), "read-file-"));
const cwd = join(root, "project");
mkdirSync(cwd);
writeFileSync(join(cwd, "a.txt"), "one\ntwo\n");
writeFileSync(join(cwd, "b.bin"), new Uint8Array([0, 255, 254]));
writeFileSync(join(root, "out.txt"), "outside\n");

test("a file of the folder is read by its path from there, and as much of it as is wanted", () => {
  const absPath = join(cwd, "a.txt");
  expect(readForHost(cwd, { path: "a.txt" })).toEqual({
    contents: "one\ntwo\n",
    absPath,
    lossy: false,
    requested_path: "a.txt",
  });
  expect(readForHost(cwd, { path: absPath, max_bytes: 3 })).toEqual({
    contents: "one",
    absPath,
    truncated: true,
    lossy: false,
    requested_path: absPath,
  });
});

test("a file that is no text is marked as lossy", () => {
  expect(readForHost(cwd, { path: "b.bin" })).toMatchObject({ lossy: true });
});

test.each(["none.txt", "../out.txt", "."])("%s is denied", (path) => {
  expect(readForHost(cwd, { path })).toBeUndefined();
});
