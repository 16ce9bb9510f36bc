/** Conversations that outlive a bridge or a process, with every measured version of the CLI. */
import { expect } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { isTurnEnd } from "../testing/observer/observer-turns.ts";
import { callTool } from "../testing/real/real-replies.ts";
import { allMessages, conversationSent, newestBody } from "../testing/real/real-requests.ts";
import { ofType, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

/** Opens an earlier conversation again. */
const resume = (place: RealPlace, session_id: string, fields = {}) =>
  place.open(
    { session: { mode: "resume", session_id, ...fields } },
    { session_id, mode: "resume" },
  );

const BEGUN = [
  "user: one",
  "assistant calls Bash",
  'user has the result "noted"',
  "assistant: First.",
];

/**
 * The model gets the whole first turn, with its tool, and everything `since`, in order and once. Between them
 * is the part that a version keeps of the turn that the signal broke off.
 */
function expectIntact({ api }: RealPlace, ...since: readonly string[]): void {
  const sent = conversationSent(api);
  expect(sent.slice(0, BEGUN.length)).toEqual(BEGUN);
  const between = sent.slice(BEGUN.length, -since.length);
  expect(between.filter((line) => [...BEGUN, ...since].includes(line))).toEqual([]);
  expect(sent.slice(-since.length)).toEqual([...since]);
}

test("a conversation whose bridge got a SIGTERM in a turn goes on in a resume, a fork and a continue", async (place) => {
  const session = await place.open();
  const { id } = session;
  session.say("one", callTool("Bash", { command: "echo noted", description: "note" }), "First.");
  await session.turn("First.");
  await session.untilWritten("First.");
  const told = await session.hold();
  session.bridge.kill("SIGTERM");
  await session.ended();
  const [end, ...others] = session.bridge.received.filter(isTurnEnd).slice(1);
  expect(others).toEqual([]);
  expect(end).toMatchObject({ message_ids: [told.id] });
  expect(["cancelled", "shutdown"]).toContain(String(end?.["result"] ?? end?.["reason"]));

  const resumed = await resume(place, id);
  const { messages } = await resumed.exchange("which bird?", "A heron.");
  expect(ofType(messages, "system_metadata")).toMatchObject([{ session_id: id }]);
  expectIntact(place, "user: which bird?");
  await resumed.end();

  const init = { mode: "fork", previous_session_id: id };
  const fork = await place.open({ session: { mode: "fork", session_id: id } }, init);
  expect(fork.id).not.toBe(id);
  const forked = await fork.exchange("in a fork?", "A heron, too.");
  expect(ofType(forked.messages, "system_metadata")).toMatchObject([{ session_id: fork.id }]);
  const since = ["user: which bird?", "assistant: A heron.", "user: in a fork?"];
  expectIntact(place, ...since);
  expect(fork.all("session_init")).toHaveLength(1);
  await fork.end();

  const newest = await place.open({ session: { mode: "continue" } });
  expect(newest.id).not.toBe(id);
  await newest.exchange("go on", "Gone on.");
  expectIntact(place, ...since, "assistant: A heron, too.", "user: go on");
});

test("a conversation that was never begun is begun with its id, also a second time, and refuses a repeated message", async (place) => {
  const session_id = crypto.randomUUID();
  const session = { mode: "resume", session_id };
  const idle = await place.open({ session }, { session_id, mode: "new" });
  await idle.end(2);
  const begun = await place.open({ session }, { session_id, mode: "new" });
  const { id: message_id } = await begun.exchange("hello", "Begun.");
  await begun.end(2);
  const again = await resume(place, session_id);
  again.send({ type: "user_message", text: "hello", message_id });
  await again.next("error", { code: "message_rejected", message_id });
  await again.turn({ reason: "rejected" });
  await again.exchange("and on?", "On.");
  expect(conversationSent(place.api)).toEqual([
    "user: hello",
    "assistant: Begun.",
    "user: and on?",
  ]);
});

test("a conversation of another folder is an error, and another one can be started", async (place) => {
  const session_id = crypto.randomUUID();
  const other = join(place.home.configDir, "projects", "-work-other");
  await mkdir(other, { recursive: true });
  await writeFile(join(other, `${session_id}.jsonl`), "");
  const session = place.start({ session: { mode: "resume", session_id } });
  const failure = { code: "resume_failed", reason: "no_such_session", recoverable: true };
  expect((await session.next("error", failure))["message"]).toContain(session_id);
  expect(session.all("session_init")).toEqual([]);
  await session.command("new", {}, { mode: "new" });
  await session.exchange("hello", "A new one.");
  expect(conversationSent(place.api)).toEqual(["user: hello"]);
  await session.end(2);
});

/** Makes Claude write a file; returns the `message_id`. */
async function writes(session: RealSession, file_path: string, content: string): Promise<string> {
  const id = session.say(
    `write ${content}`,
    callTool("Write", { file_path, content }),
    `Wrote ${content}.`,
  );
  await session.turn(`Wrote ${content}.`);
  return id;
}

test("files and conversation are restored for an edited message", async (place) => {
  const session = await place.open({ permission_mode: "acceptEdits" });
  const { id } = session;
  const path = join(place.home.project, "poem.txt");
  await writes(session, path, "first");
  const edited = await writes(session, path, "second");
  await session.exchange("and now?", "Nothing.");

  const rewind = { user_message_id: edited };
  const dry = await session.control("rewind_files", { ...rewind, dry_run: true });
  expect(dry).toMatchObject({ response: { canRewind: true, filesChanged: [path] } });
  expect(await Bun.file(path).text()).toBe("second");
  await session.control("rewind_files", rewind);
  expect(await Bun.file(path).text()).toBe("first");

  const init = { mode: "fork", previous_session_id: id };
  await session.command("fork", { at_message: edited }, init);
  await session.exchange("what did you write?", "The first.");
  expect(allMessages(place.api)).toContain("Wrote first.");
  expect(allMessages(place.api)).not.toContain("write second");
  await session.end(2);

  await (await resume(place, id)).exchange("and you?", "Both.");
  expect(allMessages(place.api)).toContain("Wrote second.");
});

test("a branch before the first message is a new conversation", async (place) => {
  const session = await place.open();
  const { id } = await session.exchange("one", "One.");
  await session.command("fork", { at_message: id }, { mode: "new" });
  await session.exchange("anew", "Anew.");
  expect(allMessages(place.api)).not.toContain("One.");
  await session.end(2);
});

test("a branch in which nothing was said has branches of its own, which end where it ends", async (place) => {
  const session = await place.open();
  await session.exchange("one", "First.");
  const { id } = await session.exchange("two", "Second.");
  await session.command("fork", { at_message: id }, { mode: "fork" });
  await session.command("fork", {}, { mode: "fork" });
  session.say("edited", "Answered.");
  await session.turn("Answered.");
  expect(conversationSent(place.api)).toEqual(["user: one", "assistant: First.", "user: edited"]);
  await session.end(3);
});

test("a branch at an unknown message is resume_failed, and another conversation can be started", async (place) => {
  const session = await place.open();
  await session.exchange("one", "One.");
  const at_message = crypto.randomUUID();
  session.send({ type: "session_command", command: "fork", at_message });
  await session.next("error", { code: "resume_failed", recoverable: true });
  await session.command("resume", {}, { mode: "resume" });
  await session.exchange("two", "Two.");
  expect(allMessages(place.api)).toContain("One.");
  await session.end(2);
});

test("a resume at a message keeps the id and goes on from there, also after a kill", async (place) => {
  const session = await place.open();
  await session.exchange("one", "One.");
  const { id: at_message } = await session.exchange("two", "Two.");
  await session.end();

  const again = await resume(place, session.id, { at_message });
  await again.hold("killed");
  await again.kill();
  await again.exchange("other two", "Other two.");
  expect(allMessages(place.api)).toContain("One.");
  expect(allMessages(place.api)).not.toContain("Two.");
  await again.end(2);

  await (await resume(place, session.id)).exchange("three", "Three.");
  expect(allMessages(place.api)).toContain("Other two.");
  expect(allMessages(place.api)).not.toContain('Two."');
});

test("the model of an old conversation does not change the model of others", async (place) => {
  const old = await place.open({ model: "haiku" });
  await old.exchange("one", "One.");
  await old.end();

  const session = await place.open();
  const { id } = session;
  await session.exchange("one", "One.");
  const { model } = newestBody(place.api);
  const modelAfter = async (command: string, fields = {}) => {
    await session.command(command, fields);
    await session.exchange("go on", "Gone on.");
    return newestBody(place.api).model;
  };
  // This version restores only the text of a conversation.
  const isOwn = place.version !== "2.1.38";
  expect((await modelAfter("resume", { session_id: old.id })) === model).toBe(!isOwn);
  expect(session.all("model_changed")).toHaveLength(isOwn ? 1 : 0);
  expect(await modelAfter("resume", { session_id: id })).toBe(model);
  expect(await modelAfter("new")).toBe(model);
  expect(JSON.stringify(session.all("process_started"))).not.toContain("--model=");
  await session.end(4);
});

/** A setting that is changed is in the request to the model, also in the next process. */
async function expectInForce(session: RealSession, field: string, expected: object): Promise<void> {
  await session.exchange("one", "One.");
  expect(newestBody(session.place.api)[field]).toMatchObject(expected);
  await session.command("fork");
  await session.exchange("two", "Two.");
  expect(newestBody(session.place.api)[field]).toMatchObject(expected);
  await session.end(2);
}

test("changed thinking is in force in the next process", async (place) => {
  const session = await place.open({ model: "claude-sonnet-4-5" });
  await session.control("set_max_thinking_tokens", { max_thinking_tokens: 5000 });
  await expectInForce(session, "thinking", { budget_tokens: 5000 });
});

// 2.1.38 cannot change it.
realTests("2.1.197", "2.1.330")("changed effort is in force in the next process", async (place) => {
  const session = await place.open({ model: "claude-opus-4-6" });
  await session.control("apply_flag_settings", { settings: { effortLevel: "low" } });
  await expectInForce(session, "output_config", { effort: "low" });
});

test("a message whose id is in the conversation already is taken no second time, also after a resume", async (place) => {
  const session = await place.open();
  const message_id = "5d2c7f0e-8a1b-4f61-9d3e-7c2b1a0f9e8d";
  session.post({ text: "one", message_id }, "First.");
  await session.turn("First.");
  await session.untilWritten("First.");
  await session.end();

  const resumed = await resume(place, session.id);
  const asked = place.api.requests.length;
  resumed.send({ type: "user_message", text: "one", message_id });
  await resumed.next(({ type, status }) => type === "message_status" && status === "rejected");
  expect(place.api.requests.slice(asked).filter(({ kind }) => kind === "main")).toEqual([]);
  await resumed.exchange("two", "Second.");
  expect(conversationSent(place.api)).toEqual(["user: one", "assistant: First.", "user: two"]);
});
