/**
 * Random lives of a session that the usage limit has refused: its host is killed between any two commits, its
 * bridge ends, the clock moves, and Claude is slow. It continues once all the same, or never if a person has
 * chosen so.
 */
import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Journal } from "../../journal/journal.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import {
  limitReached,
  refusedTurn,
  said,
  status,
  turnComplete,
  turnStarted,
} from "./support/bridge-words.ts";
import type { FakeBridge } from "./support/fake-bridge.ts";
import { entriesOf, SessionHarness, settled } from "./support/session-harness.ts";

const LIVES = 1_000;
const SEED = Number(process.env["TUGTALK_SEED"] ?? Date.now() % 1_000_000);
const NOW = 1_000_000_000_000;
const RESET = NOW + 3_600_000;
const LATE = RESET + 86_400_000;
/** More acts than any life needs to come to rest. */
const LAST_ACTS = 30;

const Act = fc.oneof(
  fc.record({ kind: fc.constant("clock" as const), at: fc.integer({ min: -6_000, max: 6_000 }) }),
  fc.record({ kind: fc.constant("kill" as const), commits: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ kind: fc.constant("claude" as const) }),
  fc.record({ kind: fc.constant("bridge" as const) }),
);
type Act =
  | { readonly kind: "clock"; readonly at: number }
  | { readonly kind: "kill"; readonly commits: number }
  | { readonly kind: "claude" }
  | { readonly kind: "bridge" };

const Life = fc.record({
  isLate: fc.boolean(),
  isWanted: fc.boolean(),
  hasQueued: fc.boolean(),
  // A bridge that ends for the fourth time within a minute is not restarted.
  acts: fc
    .array(Act, { minLength: 3, maxLength: 14 })
    .filter((acts) => acts.filter(({ kind }) => kind === "bridge").length <= 3),
});
type Life = {
  readonly isLate: boolean;
  readonly isWanted: boolean;
  readonly hasQueued: boolean;
  readonly acts: readonly Act[];
};

/**
 * A journal whose host is killed after a commit: the commit is written, and the host gets no answer any more.
 */
class MortalJournal {
  readonly journal: Journal = openJournal(":memory:");
  commitsLeft = Number.POSITIVE_INFINITY;

  constructor() {
    const { journal } = this;
    const commit = journal.commit.bind(journal);
    journal.commit = async (id, change) => {
      if (this.commitsLeft <= 0) return new Promise(() => {});
      const written = await commit(id, change);
      this.commitsLeft -= 1;
      return this.commitsLeft <= 0 ? new Promise(() => {}) : written;
    };
  }
}

class LivedSession {
  readonly harness: SessionHarness;
  readonly mortal: MortalJournal;
  /** The texts of the messages with which Claude has begun a turn. */
  readonly begun: string[] = [];
  /** The message ids of the conversation, which Claude takes once each. */
  readonly #known = new Set<string>();
  readonly #taken = new Map<FakeBridge, number>();
  /** The message of the open turn, and the bridge that knows it. */
  #open: { readonly id: string; readonly bridge: FakeBridge } | undefined;
  /** The first bridge of the running host. */
  #first = 0;
  #turns = 1;

  private constructor(harness: SessionHarness, mortal: MortalJournal) {
    this.harness = harness;
    this.mortal = mortal;
  }

  /** A refused session, with the choice of its person. */
  static async begin({ isLate, isWanted, hasQueued }: Life): Promise<LivedSession> {
    const mortal = new MortalJournal();
    const harness = await SessionHarness.open(mortal.journal);
    const lived = new LivedSession(harness, mortal);
    await harness.at(NOW);
    const session = await harness.create();
    if (isWanted) await session.setGoesOn(true);
    const { message_id } = await session.message({ message: "Text of t1" });
    if (hasQueued) await session.message({ message: "Queued" });
    lived.#taken.set(harness.bridge, 1);
    lived.#known.add(message_id);
    const before = isLate ? [said("t1", "I begin")] : [];
    await harness.say(limitReached(RESET), ...refusedTurn("t1", [message_id], ...before));
    return lived;
  }

  /** Performs one act. After a `kill`, the host may be killed during the acts that follow. */
  async act(act: Act): Promise<void> {
    if (act.kind === "kill") {
      this.mortal.commitsLeft = act.commits;
      return;
    }
    if (act.kind === "clock") await this.harness.at(RESET + act.at);
    else if (act.kind === "claude") await this.claude();
    else this.#endBridge();
    await settled();
    if (this.mortal.commitsLeft <= 0) await this.restart();
  }

  async restart(): Promise<void> {
    this.mortal.commitsLeft = Number.POSITIVE_INFINITY;
    this.#first = this.harness.bridges.length;
    this.#open = undefined;
    await this.harness.restart();
    await settled();
  }

  /** Claude begins the next message, or ends its turn. False: there is nothing to do. */
  async claude(): Promise<boolean> {
    const bridge = this.#bridge;
    if (bridge === undefined) return false;
    if (this.#open?.bridge === bridge) this.#end(this.#open.id, bridge);
    else if (!this.#beginNext(bridge)) return false;
    await settled();
    return true;
  }

  get #bridge(): FakeBridge | undefined {
    const bridge = this.harness.bridges.slice(this.#first).at(-1);
    return bridge?.isEnded === true ? undefined : bridge;
  }

  #beginNext(bridge: FakeBridge): boolean {
    const taken = this.#taken.get(bridge) ?? 0;
    const next = bridge.sentOf("user_message")[taken];
    if (next?.message_id === undefined) return false;
    this.#taken.set(bridge, taken + 1);
    const { message_id: id, text } = next;
    this.#turns += 1;
    const turn_id = `t${this.#turns}`;
    const started = [turnStarted(turn_id, [id]), status(id, "started", { turn_id })];
    if (this.#known.has(id)) {
      const reason = { type: "turn_cancelled", turn_id, reason: "rejected", partial_result: "" };
      const cancelled = { ...reason, message_ids: [id], trigger: "user" };
      bridge.say(...started, cancelled, status(id, "rejected", { turn_id }));
      return true;
    }
    this.#known.add(id);
    this.begun.push(text ?? "");
    this.#open = { id, bridge };
    bridge.say(...started, { type: "user_text", turn_id, message_id: id, text, kind: "host" });
    return true;
  }

  #end(id: string, bridge: FakeBridge): void {
    const turn_id = `t${this.#turns}`;
    this.#open = undefined;
    bridge.say(turnComplete(turn_id, [id]), status(id, "completed", { turn_id }));
  }

  #endBridge(): void {
    this.#open = undefined;
    this.#bridge?.end();
  }
}

async function live(life: Life): Promise<void> {
  const lived = await LivedSession.begin(life);
  for (const act of life.acts) await lived.act(act);
  if (lived.mortal.commitsLeft < Number.POSITIVE_INFINITY) await lived.restart();
  const { harness, begun } = lived;
  for (let acts = 0; acts < LAST_ACTS; acts += 1) {
    await harness.at(LATE + acts * 5_000);
    await lived.claude();
  }
  const text = life.isLate ? "continue" : "Text of t1";
  expect(begun.filter((one) => one !== "Queued")).toEqual(life.isWanted ? [text] : []);
  const [info] = harness.sessions.list();
  expect(info).not.toHaveProperty("goes_on_at");
  const session = harness.sessions.get(info?.id ?? "");
  const [sent] = (await entriesOf(session)).filter(({ data }) => data.includes("after_limit"));
  if (sent !== undefined) expect(JSON.parse(sent.data).sent_at).toBeWithin(RESET, LATE + 100_000);
  // Messages that wait behind it are sent after it, held or returned; none is lost.
  const queued = begun.filter((one) => one === "Queued").length + (info?.queued ?? 0);
  const returned = await session.returned();
  expect(returned.map(({ message }) => message)).toEqual(returned.map(() => "Queued"));
  expect(queued + returned.length > 0).toBe(life.hasQueued);
}

test(`in ${LIVES} random lives a session that the usage limit has refused goes on exactly once, or not at all where that is not wanted`, async () => {
  await fc.assert(fc.asyncProperty(Life, live), { numRuns: LIVES, seed: SEED });
}, 300_000);
