/**
 * Sessions that the usage limit refuses, in a host that is killed again and again at random moments around
 * the reset. Each continues once, after the reset, unless a person has cancelled it.
 */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Fields } from "../../testing/drivers/host-clients.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../testing/drivers/host-process.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";

/** The number of sessions, some of which share a round. */
const LIVES = Number(process.env["TUGTALK_LIVES"] ?? 120);
const LIVES_PER_ROUND = 30;
const SEED = Number(process.env["TUGTALK_SEED"] ?? Date.now() % 1_000_000);
/** The seconds from the first refusal to the reset: long enough for all to be refused. */
const RESET_S = 15;
/** The longest time after the reset, and after the last start of the host, until all have continued. */
const GONE_ON_MS = 30_000;
const END_MS = 10_000;

/** The actions of a person on a session before the reset. */
const Life = fc.record({
  isLate: fc.boolean(),
  act: fc.constantFrom("on before", "on after", "on after", "cancelled", "left off"),
});
type Life = { readonly isLate: boolean; readonly act: string };

/** The times at which the host is killed, in milliseconds from the reset on. */
const Kills = fc.array(fc.integer({ min: -1_500, max: 3_500 }), { minLength: 1, maxLength: 3 });
const Round = fc.record({
  kills: Kills,
  lives: fc.array(Life, { minLength: LIVES_PER_ROUND, maxLength: LIVES_PER_ROUND }),
});
const ROUNDS = fc.sample(Round, { numRuns: Math.ceil(LIVES / LIVES_PER_ROUND), seed: SEED });

afterAll(endHosts);

type Lived = { readonly session: TestHostSession; readonly life: Life };

const goesOn = ({ act }: Life) => act.startsWith("on");

/** A refused session, after the choice of its person. */
async function begin(host: TestHost, life: Life, resetsAt: number): Promise<Lived> {
  const limit = `${resetsAt}${life.isLate ? " late" : ""}`;
  const session = await host.createSession({ claudeEnv: { TUGTALK_SIM_LIMIT: limit } });
  if (life.act === "on before") await session.run("update", { goes_on: true });
  await session.finishTurn("Do it");
  if (life.act === "on after" || life.act === "cancelled")
    await session.run("update", { goes_on: true });
  if (life.act === "cancelled") await session.run("update", { goes_on_at: null });
  return { session, life };
}

/** The user messages that the session's Claudes have read, in order. A repeated id counts once. */
function heard({ claudeInput }: TestHostSession): readonly string[] {
  const messages = claudeInput.filter(({ type }) => type === "user");
  const byId = new Map(messages.map(({ uuid, message }) => [uuid, textOf(message as Fields)]));
  return [...byId.values()];
}

function textOf({ content }: Fields): string {
  return typeof content === "string" ? content : String(Object(content)[0]?.text);
}

async function killAt(host: TestHost, time: number): Promise<void> {
  await Bun.sleep(Math.max(0, time - Date.now()));
  const started = descendantsOf(host.pid);
  await host.kill();
  expect(await leftAfter(started, END_MS)).toEqual([]);
  await host.start();
}

async function untilGoneOn(lived: readonly Lived[]): Promise<void> {
  const end = Date.now() + GONE_ON_MS;
  const waits = () => lived.some(({ session, life }) => goesOn(life) && heard(session).length < 2);
  while (waits() && Date.now() < end) await Bun.sleep(50);
}

/** The times of the messages with which the session continued. */
async function sentTimes(session: TestHostSession): Promise<readonly number[]> {
  const events = await session.events();
  const { body } = await session.run("snapshot");
  const { seq } = body["cursor"] as { readonly seq: number };
  await events.next(({ id = "0.0" }) => Number(id.split(".")[1]) >= seq);
  events.close();
  return events.events
    .filter(({ type, data }) => type === "message_sent" && data["after_limit"] !== undefined)
    .map(({ data }) => Number(data["sent_at"]));
}

async function expectOnce({ session, life }: Lived, resetsAt: number): Promise<void> {
  const next = life.isLate ? "continue" : "Do it";
  expect(heard(session)).toEqual(goesOn(life) ? ["Do it", next] : ["Do it"]);
  const times = await sentTimes(session);
  expect(times.filter((time) => time < resetsAt * 1000)).toEqual([]);
  expect(times.length > 0).toBe(goesOn(life));
  expect((await session.run("session")).body).not.toHaveProperty("goes_on_at");
}

test(`each of ${LIVES} sessions goes on once after the usage limit, however its host is killed (seed ${SEED})`, async () => {
  const host = await startHost();
  for (const { kills, lives } of ROUNDS) {
    const resetsAt = Math.ceil(Date.now() / 1000) + RESET_S;
    const lived = await Promise.all(lives.map((life) => begin(host, life, resetsAt)));
    expect(Date.now()).toBeLessThan(resetsAt * 1000);
    for (const kill of kills.toSorted((one, other) => one - other))
      await killAt(host, resetsAt * 1000 + kill);
    await untilGoneOn(lived);
    for (const one of lived) await expectOnce(one, resetsAt);
    for (const { session } of lived) await session.run("delete");
  }
}, 1_800_000);
