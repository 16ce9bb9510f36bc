/** The bells of a host while a Claude streams, as a further connection hears them. */
import { afterAll, expect, test } from "bun:test";
import { SQL } from "bun";
import { openFaultControl } from "../../../testing/drivers/controlled-claude.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

const hosts = await SharedHosts.open();
const sql = new SQL(hosts.url, { max: 1 });
const control = openFaultControl();
afterAll(async () => {
  control.close();
  await sql.close();
  await hosts.end();
});

const RINGS_PER_SECOND = 30;
/** The number of rings in two seconds. */
const RINGS = 60;
const NAME = /^(rows|door|(entries|call|reply):[\w-]+)$/;

test("a host whose Claude streams rings at most some 30 times a second, and with names only", async () => {
  const host = await hosts.start();
  const created = host.createSession({ claudeEnv: control.env });
  const claude = await control.first;
  await claude.apply({ order: "listen" });
  const session = await created;
  const bells: { readonly text: string; readonly at: number }[] = [];
  await sql.listen("tugtalk", (text) => {
    bells.push({ text, at: performance.now() });
  });
  let said = 0;
  for (; bells.length < RINGS; said += 1)
    await claude.apply({ order: "say", lines: [{ type: "made_up_news", number: said }] });
  const events = await session.events();
  await events.next(({ data }) => Object(data["raw"]).number === said - 1);
  const heard = bells.slice(0, RINGS);
  const seconds = ((heard.at(-1)?.at ?? 0) - (heard[0]?.at ?? 0)) / 1_000;
  if (process.env["FIGURES"]) console.log({ seconds, said });
  // Late timers and deliveries may bring some rings closer together, but not all.
  expect(RINGS - 1).toBeLessThanOrEqual(seconds * RINGS_PER_SECOND * 1.3);
  // Many more messages than bells, one after the other, so that few share a commit.
  expect(said).toBeGreaterThan(5 * RINGS);
  for (const name of bells.flatMap(({ text }) => text.split(" "))) expect(name).toMatch(NAME);
});
