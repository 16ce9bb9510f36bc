/**
 * A host that is killed at random moments while its sessions ask for permissions and a client answers each. A
 * confirmed answer has reached Claude once, and each prompt ends once.
 */
import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { byEvents, bySocket, JournalFollower } from "../../testing/drivers/journal-follower.ts";
import { descendantsOf, leftAfter } from "../../testing/drivers/processes.ts";
import { ASKING_TURNS, answersHeard } from "./support/asking-turns.ts";
import { catchUp, expectSameForAll } from "./support/ended-session.ts";
import { connectAll, type FollowedSession } from "./support/session-states.ts";

const ROUNDS = 12;
const END_MS = 10_000;

const SEED = Number(process.env["TUGTALK_SEED"] ?? Date.now() % 1_000_000);
/** The number of prompts after which the host is killed, and whether before the answer or during it. */
const MOMENTS = fc.sample(fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()), {
  numRuns: ROUNDS,
  seed: SEED,
});

afterAll(endHosts);

/** Sends messages and allows each prompt, until the host is gone. Records the confirmed answers. */
async function work({ session, followers }: FollowedSession, confirmed: string[]): Promise<void> {
  for (;;) {
    const sent = await session.message("go").catch(() => undefined);
    const asked = await followers[0].next("control_request_forward").catch(() => undefined);
    if (sent === undefined || asked === undefined) return;
    const requestId = String(asked.d["request_id"]);
    const answer = await session
      .run("approve", { requestId, decision: "allow" })
      .catch(() => undefined);
    if (answer?.status === 200) confirmed.push(requestId);
  }
}

async function killDuring(host: TestHost, followed: FollowedSession, round: number) {
  const [prompts = 1, isBeside = false] = MOMENTS[round] ?? [];
  const confirmed: string[] = [];
  const working = work(followed, confirmed);
  const type = isBeside ? "control_request_forward" : "control_request_resolved";
  for (let count = 0; count < prompts; count += 1) await followed.followers[1].next(type);
  const started = descendantsOf(host.pid);
  await host.kill();
  await working;
  // The record of the ended Claude has all that it has read.
  expect(await leftAfter(started, END_MS)).toEqual([]);
  await Promise.all(followed.followers.map((follower) => follower.hasLost()));
  await host.start();
  await connectAll(followed);
  await catchUp(followed);
  return confirmed;
}

function requestsOf({ followers }: FollowedSession, type: string): unknown[] {
  return followers[0].entries.filter(({ t }) => t === type).map(({ d }) => d["request_id"]);
}

test(`answers are neither lost nor given twice by a host that is killed at ${ROUNDS} random moments (seed ${SEED})`, async () => {
  const host = await startHost();
  const session = await host.createSession({ conversation: ASKING_TURNS });
  const followers = [new JournalFollower(bySocket), new JournalFollower(byEvents)] as const;
  const followed = { session, followers };
  await connectAll(followed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const confirmed = await killDuring(host, followed, round);
    const resolved = requestsOf(followed, "control_request_resolved");
    const ended = [...resolved, ...requestsOf(followed, "control_request_cancel")];
    expect(confirmed.filter((id) => !resolved.includes(id))).toEqual([]);
    expect(ended.toSorted()).toEqual(requestsOf(followed, "control_request_forward").toSorted());
    const answered = answersHeard(session.claudeInput);
    expect(answered).toEqual([...new Set(answered)]);
    expect(confirmed.filter((id) => !answered.includes(id))).toEqual([]);
  }
  expect(requestsOf(followed, "control_request_resolved").length).toBeGreaterThan(ROUNDS);
  await expectSameForAll(followed);
}, 240_000);
