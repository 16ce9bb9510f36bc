/**
 * A session of the reference host with a real `claude`, over HTTP: a permission, a question, an interrupt,
 * and a host that is killed. One host, the tests in order.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../drivers/host-process.ts";
import { byEvents, type Entry, JournalFollower } from "../drivers/journal-follower.ts";
import { descendantsOf, leftAfter } from "../drivers/processes.ts";
import { conversationSent } from "./real-history.ts";
import {
  callTool,
  holdReply,
  newestMessages,
  openRealPlace,
  type RealPlace,
} from "./real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "./real-shared-session.ts";

/** How long a bridge and its Claude may take to end after their host. */
const END_MS = 10_000;

type Shared = {
  readonly place: RealPlace;
  readonly host: TestHost;
  readonly session: TestHostSession;
  readonly follower: JournalFollower;
};

/** Declares the tests of one version. */
export function realHost(version: string): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`the reference host with claude ${version}`, () => {
    let shared: Shared | undefined;
    const at = () => {
      if (shared === undefined) throw new Error("there is no session");
      return shared;
    };
    beforeAll(async () => {
      shared = await open(await openRealPlace(version));
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      await endHosts();
      await shared?.place.close();
    });
    listPrompts(at);
    listInterrupt(at);
    listKill(at);
  });
}

async function open(place: RealPlace): Promise<Shared> {
  const env = place.home.environment(place.api.url);
  const host = await startHost({ claude: place.claude, env });
  const session = await host.createSession();
  const shared = { place, host, session, follower: new JournalFollower(byEvents) };
  await connect(shared);
  return shared;
}

async function connect({ host, session, follower }: Shared): Promise<void> {
  await follower.connect({ url: host.url, authorization: host.authorization, id: session.id });
}

/** Sends a message that begins a turn at once. */
async function say({ session }: Shared, text: string): Promise<void> {
  expect(await session.message(text)).toMatchObject({ status: 200, body: { status: "sent" } });
}

async function turnEnd({ follower }: Shared): Promise<Entry["d"]> {
  return (await follower.next(({ t }) => t === "turn_complete" || t === "turn_cancelled")).d;
}

function listPrompts(at: () => Shared): void {
  test("a permission that is posted lets the tool run", async () => {
    const { place, session, follower } = at();
    place.api.script(callTool("Bash", { command: "touch made.txt", description: "make" }), "Made.");
    await say(at(), "remember the heron at the weir, and make a file");
    const { requestId, toolName } = (await follower.next("approval-requested")).d;
    expect(toolName).toBe("Bash");
    const answer = await session.run("approve", { requestId, decision: "allow" });
    expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await turnEnd(at())).toMatchObject({ result: "success", text: "Made." });
    expect(existsSync(join(session.dir, "made.txt"))).toBe(true);
    const again = await session.run("approve", { requestId, decision: "deny" });
    expect(again).toMatchObject({ status: 409, body: { code: "already_resolved" } });
  });

  test("a question that is answered by its index reaches the model by its text", async () => {
    const { place, session, follower } = at();
    const options = ["Red", "Blue"].map((label) => ({ label, description: label }));
    const questions = [
      { question: "Which colour?", header: "Colour", options, multiSelect: false },
    ];
    place.api.script(callTool("AskUserQuestion", { questions }), "Noted.");
    await say(at(), "ask me");
    const { requestId } = (await follower.next("question-requested")).d;
    const answer = await session.run("answer", { requestId, answers: { "0": "Blue" } });
    expect(answer).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await turnEnd(at())).toMatchObject({ result: "success", text: "Noted." });
    expect(newestMessages(place.api)).toMatch(/Which colour\?.*Blue/);
  });
}

function listInterrupt(at: () => Shared): void {
  test("an interrupt that is posted ends the turn", async () => {
    const { place, session, follower } = at();
    const held = holdReply("The weir is", " far away.");
    place.api.script(held.reply);
    await say(at(), "tell me of it");
    await follower.next(({ t, d }) => t === "assistant_text" && d["status"] === "partial");
    const answer = await session.run("interrupt");
    expect(answer).toMatchObject({ status: 200, body: { status: "ok", queued: [] } });
    expect(await turnEnd(at())).toMatchObject({ result: "cancelled" });
    held.release();
  });
}

function listKill(at: () => Shared): void {
  test("a killed host leaves no process, and after its next start the model remembers", async () => {
    const { place, host, session, follower } = at();
    const { body } = await session.run("session");
    const started = descendantsOf(host.pid);
    expect(started.length).toBeGreaterThanOrEqual(2);
    await host.kill();
    await follower.hasLost();
    expect(await leftAfter(started, END_MS)).toEqual([]);
    await host.start();
    await connect(at());
    place.api.script("The heron.");
    await say(at(), "which bird?");
    const { args } = (await follower.next("process_started")).d;
    expect(args).toContain(`--resume=${body["claude_session_id"]}`);
    expect(await turnEnd(at())).toMatchObject({ result: "success", text: "The heron." });
    const sent = conversationSent(place.api);
    expect(sent[0]).toBe("user: remember the heron at the weir, and make a file");
    expect(sent.at(-1)).toBe("user: which bird?");
  });

  test("a host that is killed while the model streams goes on after its next start", async () => {
    const { place, host, session, follower } = at();
    const held = holdReply("Above the", " weir.");
    place.api.script(held.reply);
    await say(at(), "where was it?");
    await follower.next(({ t, d }) => t === "assistant_text" && d["status"] === "partial");
    const started = descendantsOf(host.pid);
    await host.kill();
    await follower.hasLost();
    held.release();
    await host.start();
    await connect(at());
    await follower.next(({ t, d }) => t === "message_status" && d["status"] === "failed");
    expect((await session.run("session")).body).toMatchObject({ state: "exited", pending: 0 });
    place.api.script("At the weir.");
    await say(at(), "tell me again");
    expect(await turnEnd(at())).toMatchObject({ result: "success", text: "At the weir." });
    expect(await leftAfter(started, END_MS)).toEqual([]);
    const asked = conversationSent(place.api).filter((line) => line === "user: where was it?");
    expect(asked.length).toBeLessThanOrEqual(1);
  });
}
