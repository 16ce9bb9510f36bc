/** Sessions of a host with a real `claude`: killed and resumed, forked, and continued from its own history. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Fields } from "../../../testing/drivers/host-clients.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../../testing/drivers/host-process.ts";
import { conversationSent } from "../../../testing/real/real-history.ts";
import { holdReply, openRealPlace, type RealPlace } from "../../../testing/real/real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "../../../testing/real/real-shared-session.ts";

setDefaultTimeout(2 * REAL_TIMEOUT_MS);

let real: RealPlace;
let host: TestHost;
beforeAll(async () => {
  real = await openRealPlace("2.1.330");
  host = await startHost({ claude: real.claude, env: real.home.environment(real.api.url) });
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  await endHosts();
  await real.close();
});

/** Says something, and waits for the end of its turn. */
async function converse(session: TestHostSession, text: string, reply: string): Promise<void> {
  real.api.script(reply);
  const events = await session.events();
  const { body } = await session.message(text);
  await events.next(
    ({ type, data }) =>
      type === "message_status" &&
      data["message_id"] === body["message_id"] &&
      data["status"] === "completed",
  );
  events.close();
}

/** The texts of a snapshot's transcript. */
async function textsOf(id: string): Promise<readonly unknown[]> {
  const { body } = await host.run("snapshot", { id });
  const { entries, openEntries } = body["state"] as Record<string, readonly Fields[]>;
  return [...(entries ?? []), ...(openEntries ?? [])].flatMap(({ items }) =>
    (items as readonly Fields[]).flatMap(({ text }) => (text === undefined ? [] : [text])),
  );
}

test("a host that is killed in a turn goes on with the same conversation, and says nothing twice", async () => {
  const session = await host.createSession();
  await converse(session, "one", "First.");
  const held = holdReply("half", " of it");
  real.api.script(held.reply);
  const events = await session.events();
  await session.message("two");
  await events.next(({ data }) => data["status"] === "partial" && data["text"] === "half");
  await session.message("three");
  await host.restart();
  held.release();
  expect((await session.run("session")).body).toMatchObject({ state: "exited", queued: 1 });
  expect(await textsOf(session.id)).toEqual(["one", "First.", "two", "half"]);
  real.api.script("Third.", "Fourth.");
  const after = await session.events();
  expect((await session.message("four")).status).toBe(202);
  await after.next(({ type, data }) => type === "turn_complete" && data["text"] === "Fourth.");
  const sent = conversationSent(real.api);
  expect(sent.slice(0, 3)).toEqual(["user: one", "assistant: First.", "user: two"]);
  expect(sent.filter((line) => /^user: (?:three|four)$/.test(line))).toEqual([
    "user: three",
    "user: four",
  ]);
  await session.run("delete");
});

test("a conversation of Claude's own history is continued, and forked before a message, with its turns in front", async () => {
  const first = await host.createSession();
  await converse(first, "red", "Red it is.");
  await converse(first, "blue", "Blue it is.");
  const resume = String((await first.run("session")).body["claude_session_id"]);
  await first.run("delete");
  const wanted = { dir: first.dir, trust: true, resume };
  expect((await host.run("create", wanted)).body["code"]).toBe("in_use");
  const { body } = await host.run("create", { ...wanted, force: true });
  const again = String(body["id"]);
  expect(await textsOf(again)).toEqual(["red", "Red it is.", "blue", "Blue it is."]);
  const { body: snapshot } = await host.run("snapshot", { id: again });
  const { entries } = snapshot["state"] as { readonly entries: readonly Fields[] };
  const [messageId] = (entries.at(-1)?.["messageIds"] ?? []) as readonly string[];
  const { body: fork } = await host.run("fork", { id: again, at_message: messageId });
  const forked = String(fork["id"]);
  expect(await textsOf(forked)).toEqual(["red", "Red it is."]);
  real.api.script("Green it is.");
  const events = await host.events(`/api/sessions/${forked}/events?after=0`);
  await host.run("message", { id: forked, message: "green" });
  await events.next("turn_complete");
  expect(conversationSent(real.api).slice(-3)).toEqual([
    "user: red",
    "assistant: Red it is.",
    "user: green",
  ]);
  events.close();
});
