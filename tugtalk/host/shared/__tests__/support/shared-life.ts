/**
 * The life of one session of hosts that share a database. One client sends messages and answers at any host,
 * some of them twice, and two clients follow at changing hosts. The end checks the rules that hold when all
 * hosts are whole again.
 */
import { expect } from "bun:test";
import { mkdirSync } from "node:fs";
import type { Fields } from "../../../../testing/drivers/host-clients.ts";
import { TestHostSession } from "../../../../testing/drivers/host-process.ts";
import { byEvents, bySocket } from "../../../../testing/drivers/journal-follower.ts";
import { transcriptIn, writeTranscript } from "../../../../testing/drivers/mirrored-session.ts";
import { leftAfter } from "../../../../testing/drivers/processes.ts";
import { movedFolder, setEnvironment } from "../../../../testing/drivers/recorded-claudes.ts";
import { writeConversation } from "../../../../testing/drivers/written-conversation.ts";
import { ASKING_TURNS, answersHeard } from "../../../__tests__/support/asking-turns.ts";
import {
  expectSameForAll,
  finalStatuses,
  userTexts,
} from "../../../__tests__/support/ended-session.ts";
import { RovingClient, type Way } from "./roving-client.ts";
import { RovingFollower } from "./roving-follower.ts";
import type { SharedWorld } from "./shared-world.ts";

/**
 * The message of a person, the time in which prompts are answered after it, and whether Claude is ended then.
 */
export type Sending = Way & {
  readonly waitMs: number;
  readonly isEnd: boolean;
  /** Whether the session moves to another folder. */
  readonly isMove: boolean;
};

const POLL_MS = 20;
const REST_MS = 60_000;
/** After a takeover the queue is held until a person sends a message. */
const PATIENCE_MS = 10_000;
const END_MS = 15_000;
const CONVERSATION = writeConversation(ASKING_TURNS);

export class SharedLife {
  readonly #world: SharedWorld;
  readonly #name: string;
  readonly #client: RovingClient;
  readonly #session: TestHostSession;
  readonly #followers: readonly [RovingFollower, RovingFollower];
  /** The ids of a message, by its text. */
  readonly #given = new Map<string, Set<string>>();
  readonly #answered = new Set<string>();
  /** The prompts whose answer was confirmed. */
  readonly #confirmed: string[] = [];
  #moves = 0;

  private constructor(
    world: SharedWorld,
    name: string,
    client: RovingClient,
    session: TestHostSession,
  ) {
    this.#world = world;
    this.#name = name;
    this.#client = client;
    this.#session = session;
    this.#followers = [
      new RovingFollower(world, session, byEvents, 0),
      new RovingFollower(world, session, bySocket, 1),
    ];
  }

  /** Creates the session, by a request that two hosts may get. */
  static async begin(world: SharedWorld, name: string, way: Way): Promise<SharedLife> {
    const host = world.hostAt(0);
    const dir = host.newFolder();
    setEnvironment(dir, CONVERSATION);
    const client = new RovingClient(world);
    const resume = writtenConversation(world, dir);
    const fields = { dir, trust: true, mirror: true, resume, request_id: `create ${name}` };
    const answers = await client.run("create", fields, way, [201]);
    const [id, ...others] = new Set(answers.map(({ body }) => String(body["id"])));
    expect(others).toEqual([]);
    return new SharedLife(world, name, client, new TestHostSession(host, id ?? "", dir));
  }

  get id(): string {
    return this.#session.id;
  }

  async live(sendings: readonly Sending[]): Promise<void> {
    for (const [number, sending] of sendings.entries()) {
      await this.#send(`${this.#name} ${number}`, sending);
      await this.#answer(sending);
      if (sending.isEnd) await this.#endClaude(sending);
      if (sending.isMove) await this.#move(sending);
    }
  }

  /** All hosts run again: all open work ends, and no message is lost. */
  async rest(way: Way): Promise<void> {
    const end = performance.now() + REST_MS;
    let number = 0;
    do {
      if (performance.now() > end)
        throw new Error(`it does not come to rest: ${await this.#info()}`);
      await this.#send(`${this.#name} last ${number++}`, way);
      const until = performance.now() + PATIENCE_MS;
      while (!this.#isResting && performance.now() < until)
        await this.#answer({ ...way, waitMs: 0 });
    } while (!this.#isResting);
    await this.#endClaude(way);
    for (const follower of this.#followers) await follower.settle();
    await this.#expectWhole();
  }

  /** Deletes the session, which no host has after that. */
  async delete(way: Way): Promise<void> {
    for (const follower of this.#followers) follower.end();
    const fields = { id: this.id };
    await this.#client.run("delete", fields, way, [200, 404]);
    const end = performance.now() + END_MS;
    for (const host of this.#world.hosts)
      while ((await host.run("session", fields)).status !== 404) {
        if (performance.now() > end) throw new Error("a session that was deleted is still there");
        await Bun.sleep(POLL_MS);
      }
  }

  /** Ends Claude. The session stays. */
  async #endClaude(way: Way): Promise<void> {
    await this.#client.run("delete", { id: this.id, keep: true }, way, [200]);
  }

  async #send(text: string, way: Way): Promise<void> {
    const fields = { id: this.id, message: text, client_msg_id: text };
    const answers = await this.#client.run("message", fields, way, [200, 202]);
    this.#given.set(text, new Set(answers.map(({ body }) => String(body["message_id"]))));
  }

  /**
   * Moves the session, even while it works. After two requests it has moved, or is moving; before its first
   * turn the host has nothing of its conversation.
   */
  async #move(way: Way): Promise<void> {
    this.#moves += 1;
    const dir = movedFolder(this.#session.dir, this.#moves);
    mkdirSync(dir);
    const fields = { id: this.id, place: "local", dir, trust: true, force: true };
    const answers = await this.#client.run("move", fields, way, [200, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    for (const { body } of refused)
      expect(body["code"]).toMatch(/^(already_there|at_work|mirror_incomplete)$/);
  }

  /** Answers each prompt that opens within the time. */
  async #answer({ waitMs, ...way }: Omit<Sending, "isEnd" | "isMove">): Promise<void> {
    const end = performance.now() + waitMs;
    do {
      for (const requestId of this.#asked()) {
        this.#answered.add(requestId);
        const fields = { id: this.id, requestId, decision: "allow" };
        const answers = await this.#client.run("approve", fields, way, [200, 409]);
        const confirmed = answers.filter(({ status }) => status === 200);
        this.#confirmed.push(...confirmed.map(() => requestId));
      }
      await Bun.sleep(POLL_MS);
    } while (performance.now() < end);
  }

  #asked(): readonly string[] {
    const { entries } = this.#followers[0].journal;
    return requestsOf(entries, "control_request_forward").filter((id) => !this.#answered.has(id));
  }

  async #info(): Promise<string> {
    return JSON.stringify((await this.#session.run("session")).body);
  }

  /** Every message has ended, and no turn is running. */
  get #isResting(): boolean {
    const { entries, state } = this.#followers[0].journal;
    const ids = [...this.#given.values()].flatMap((given) => [...given]);
    const isOpen = ids.some((id) => finalStatuses(entries, id).length === 0);
    return !isOpen && /^(idle|exited)$/.test(state.status) && state.prompts.length === 0;
  }

  async #expectWhole(): Promise<void> {
    const followers = [this.#followers[0].journal, this.#followers[1].journal] as const;
    await expectSameForAll({ session: this.#session, followers });
    const [{ entries }] = followers;
    const { length } = entries;
    const { claudeInput, claudes } = this.#session;
    expect(
      await leftAfter(
        claudes.map(({ pid }) => pid),
        END_MS,
      ),
    ).toEqual([]);
    const heard = userTexts(claudeInput);
    expect(heard).toEqual([...new Set(heard)]);
    for (const [text, ids] of this.#given) {
      const ends = [...ids].flatMap((id) => finalStatuses(entries, id));
      expect({ text, ids: ids.size, ends: ends.length }).toEqual({ text, ids: 1, ends: 1 });
      if (ends[0] === "completed") expect(heard).toContain(text);
    }
    expectPrompts(entries, this.#confirmed, answersHeard(claudeInput));
    expect(claudes.flatMap(({ beside }) => beside)).toEqual([]);
    // No entry comes after the end of its Claude.
    await expectSameForAll({ session: this.#session, followers });
    expect(followers[0].entries).toHaveLength(length);
  }
}

/** Writes an earlier conversation where Claude keeps it. */
function writtenConversation({ configDir }: SharedWorld, dir: string): string {
  const conversation = crypto.randomUUID();
  const line = { sessionId: conversation, text: "said before" };
  writeTranscript(transcriptIn(configDir, dir, conversation), `${JSON.stringify(line)}\n`);
  return conversation;
}

type Entries = readonly { readonly t: string; readonly d: Fields }[];

/** Each prompt has one outcome, and each confirmed answer has reached Claude once. */
function expectPrompts(
  entries: Entries,
  confirmed: readonly string[],
  heard: readonly unknown[],
): void {
  const resolved = requestsOf(entries, "control_request_resolved");
  const ended = [...resolved, ...requestsOf(entries, "control_request_cancel")];
  expect(ended.toSorted()).toEqual(requestsOf(entries, "control_request_forward").toSorted());
  expect(heard).toEqual([...new Set(heard)]);
  expect(confirmed).toEqual([...new Set(confirmed)]);
  expect(confirmed.filter((id) => !heard.includes(id) || !resolved.includes(id))).toEqual([]);
}

function requestsOf(entries: Entries, type: string): string[] {
  return entries.filter(({ t }) => t === type).map(({ d }) => String(d["request_id"]));
}
