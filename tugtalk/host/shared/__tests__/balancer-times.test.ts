/** The time limit of a command, in the document and in the balancer's example. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { MAX_WAIT_MS } from "../../journal/postgres/calls.ts";
import { MAX_ANSWER_MS } from "../../journal/postgres/replaceable-pool.ts";
import { MAX_WITHDRAWAL_MS } from "../remote-calls.ts";

const ROOT = join(import.meta.dir, "../../../..");

test.each([
  ["roadmap/scale.md", /give it (\d+) s\./],
  ["tugtalk/examples/many-hosts/nginx.conf", /proxy_read_timeout (\d+)s;/],
])("a balancer set up as %s says waits until a host has answered", async (path, time) => {
  const [, seconds] = time.exec(await Bun.file(join(ROOT, path)).text()) ?? [];
  expect(Number(seconds) * 1_000).toBeGreaterThan(MAX_WAIT_MS + MAX_WITHDRAWAL_MS + MAX_ANSWER_MS);
});
