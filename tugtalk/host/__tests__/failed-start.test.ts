/** A host that cannot start leaves its data folder free. */
import { expect, test } from "bun:test";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "../../testing/drivers/failure.ts";
import { SIMULATOR } from "../bridges/places.ts";
import { parseHostFlags } from "../host-flags.ts";
import { openHost } from "../running-host.ts";
import { lockFolder } from "../server/folder-lock.ts";

/** Gives the error of a host that cannot start with these flags, and its data folder. */
async function failedStart(...flags: readonly string[]) {
  const root = mkdtempSync(join(tmpdir(), "host-"));
  const data = join(root, "data");
  const parsed = parseHostFlags([`--data=${data}`, ...flags], {}, import.meta.dir);
  if (!("flags" in parsed)) throw new Error("the flags are refused");
  return { failure: await failureOf(openHost(parsed.flags, SIMULATOR)), data };
}

test("a host that cannot be opened under the lock of its data folder gives the folder free", async () => {
  const { failure, data } = await failedStart("--database-file=/missing");
  expect(String(failure)).toContain("/missing");
  expect(lockFolder(data)).not.toThrow();
});

test("a host whose port is taken gives its data folder free", async () => {
  using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { failure, data } = await failedStart(`--port=${other.port}`);
  expect(String(failure)).toContain("is in use");
  expect(lockFolder(data)).not.toThrow();
});
