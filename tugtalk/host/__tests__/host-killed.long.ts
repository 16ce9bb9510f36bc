/**
 * A host that is killed again and again at random moments, while its sessions stream and messages arrive: no
 * acknowledged message is lost, and none comes twice.
 */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../testing/drivers/host-process.ts";
import { byEvents, bySocket, JournalFollower } from "../../testing/drivers/journal-follower.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";
import { catchUp, expectSameForAll, finalStatuses, userTexts } from "./support/ended-session.ts";
import { connectAll, type FollowedSession } from "./support/session-states.ts";

const ROUNDS = 12;
const SESSIONS = 3;
const MESSAGES = 3;
/** Pieces of text in each turn, and their length. */
const TURN = "150x20";
const END_MS = 10_000;

/** The number of entries of the first session after which the host is killed, in each round. */
const SEED = Number(process.env["TUGTALK_SEED"] ?? Date.now() % 1_000_000);
const MOMENTS = fc.sample(fc.integer({ min: 1, max: 450 }), { numRuns: ROUNDS, seed: SEED });

afterAll(endHosts);

/** A session and its acknowledged messages. */
type Worked = FollowedSession & { readonly acknowledged: string[] };

async function open(host: TestHost): Promise<Worked> {
  const session = await host.createSession({ claudeEnv: { TUGTALK_SIM_FLOOD: TURN } });
  const followers = [new JournalFollower(bySocket), new JournalFollower(byEvents)] as const;
  const worked = { session, followers, acknowledged: [] };
  await connectAll(worked);
  return worked;
}

/** Sends messages one after the other, until the host is gone. */
async function work({ session, acknowledged }: Worked, round: number): Promise<void> {
  for (let number = 0; number < MESSAGES; number += 1) {
    const answer = await session
      .message(`round ${round}, message ${number}`)
      .catch(() => undefined);
    if (answer === undefined) return;
    expect(answer.status).toBeOneOf([200, 202]);
    acknowledged.push(String(answer.body["message_id"]));
  }
}

async function killDuring(
  host: TestHost,
  sessions: readonly Worked[],
  round: number,
): Promise<void> {
  const [first] = sessions;
  const end = (first?.followers[0].cursor.seq ?? 0) + (MOMENTS[round] ?? 1);
  const moment = first?.followers[0].next(({ q }) => q >= end);
  const working = sessions.map((session) => work(session, round));
  await moment;
  const started = descendantsOf(host.pid);
  await host.kill();
  await Promise.all(working);
  await Promise.all(sessions.flatMap(({ followers }) => followers.map((one) => one.hasLost())));
  await host.start();
  for (const session of sessions) await connectAll(session);
  expect(await leftAfter(started, END_MS)).toEqual([]);
}

/** Each acknowledged message waits, or has ended once, and Claude has read none twice. */
async function expectAccounted(worked: Worked): Promise<void> {
  await catchUp(worked);
  const { session, followers, acknowledged } = worked;
  const queued = await queuedIds(session);
  const { entries } = followers[0];
  const wrong = acknowledged.filter(
    (id) => finalStatuses(entries, id).length + (queued.has(id) ? 1 : 0) !== 1,
  );
  expect(wrong).toEqual([]);
  const said = userTexts(session.claudeInput);
  expect(said).toEqual([...new Set(said)]);
}

async function queuedIds(session: TestHostSession): Promise<ReadonlySet<unknown>> {
  const { queue } = (await session.run("queue")).body as {
    readonly queue: readonly { readonly message_id: string }[];
  };
  return new Set(queue.map(({ message_id }) => message_id));
}

test(`a host that is killed at ${ROUNDS} random moments loses nothing that it has acknowledged (seed ${SEED})`, async () => {
  const host = await startHost();
  const sessions: Worked[] = [];
  while (sessions.length < SESSIONS) sessions.push(await open(host));
  for (let round = 0; round < ROUNDS; round += 1) {
    await killDuring(host, sessions, round);
    for (const session of sessions) await expectAccounted(session);
  }
  for (const session of sessions) await expectSameForAll(session);
  const ended = sessions[0]?.followers[0].entries.filter(({ t }) => t === "process_exit").length;
  expect(ended).toBeGreaterThan(ROUNDS / 2);
}, 240_000);
