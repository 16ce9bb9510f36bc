/**
 * Edited messages with a real `claude`: the files and the conversation before the message, and the
 * settings of the session throughout. One home, the tests in order.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { expectEnd } from "./real-end.ts";
import { exchange } from "./real-history.ts";
import {
  allMessages,
  callTool,
  holdReply,
  type RealPlace,
  type RealSession,
  startedProcesses,
  startRealSession,
} from "./real-session.ts";
import { REAL_TIMEOUT_MS, sharedPlace } from "./real-shared-session.ts";

/** Declares the tests of one version. */
export function realRewind(version: string): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`claude ${version}`, () => {
    const at = sharedPlace(version);
    listEdit(at);
    listBranches(at);
    listResumeAt(at);
    listSettings(at, version);
  });
}

/** Makes Claude write a file; returns the `message_id`. */
async function writes(session: RealSession, path: string, content: string): Promise<string> {
  const tool = callTool("Write", { file_path: path, content });
  const messageId = session.say(`write ${content}`, tool, `Wrote ${content}.`);
  expect((await session.turn()).end).toMatchObject({ result: "success" });
  return messageId;
}

async function control(session: RealSession, subtype: string, fields: object) {
  const id = session.send({ type: "control", subtype, ...fields });
  return session.next(({ in_reply_to }) => in_reply_to === id);
}

function listEdit(at: () => RealPlace): void {
  test("files and conversation are restored for an edited message", async () => {
    const session = startRealSession(at(), { permission_mode: "acceptEdits" });
    const { session_id } = await session.next("session_init");
    const path = join(at().home.project, "poem.txt");
    await writes(session, path, "first");
    const edited = await writes(session, path, "second");
    await exchange(session, "and now?", "Nothing.");

    const rewind = { user_message_id: edited };
    const dry = await control(session, "rewind_files", { ...rewind, dry_run: true });
    expect(dry).toMatchObject({ ok: true, response: { canRewind: true, filesChanged: [path] } });
    expect(await Bun.file(path).text()).toBe("second");
    expect(await control(session, "rewind_files", rewind)).toMatchObject({ ok: true });
    expect(await Bun.file(path).text()).toBe("first");

    session.send({ type: "session_command", command: "fork", at_message: edited });
    expect(await session.next("session_init")).toMatchObject({
      mode: "fork",
      previous_session_id: session_id,
    });
    await exchange(session, "what did you write?", "The first.");
    expect(allMessages(at().api)).toContain("Wrote first.");
    expect(allMessages(at().api)).not.toContain("write second");
    await expectEnd(session, 2);

    const original = startRealSession(at(), { session: { mode: "resume", session_id } });
    await exchange(original, "and you?", "Both.");
    expect(allMessages(at().api)).toContain("Wrote second.");
    await expectEnd(original);
  });
}

function listBranches(at: () => RealPlace): void {
  test("a branch before the first message is a new conversation", async () => {
    const session = startRealSession(at());
    await session.next("session_init");
    const { messageId: first } = await exchange(session, "one", "One.");
    session.send({ type: "session_command", command: "fork", at_message: first });
    expect(await session.next("session_init")).toMatchObject({ mode: "new" });
    await exchange(session, "anew", "Anew.");
    expect(allMessages(at().api)).not.toContain("One.");
    await expectEnd(session, 2);
  });

  test("a branch at an unknown message is resume_failed, and another conversation can be started", async () => {
    const session = startRealSession(at());
    await session.next("session_init");
    await exchange(session, "one", "One.");
    const at_message = crypto.randomUUID();
    session.send({ type: "session_command", command: "fork", at_message });
    expect(await session.next("error")).toMatchObject({ code: "resume_failed", recoverable: true });
    session.send({ type: "session_command", command: "resume" });
    expect(await session.next("session_init")).toMatchObject({ mode: "resume" });
    await exchange(session, "two", "Two.");
    expect(allMessages(at().api)).toContain("One.");
    await expectEnd(session, 2);
  });
}

function listResumeAt(at: () => RealPlace): void {
  test("a resume at a message keeps the id and goes on from there, also after a kill", async () => {
    const session = startRealSession(at());
    const { session_id } = await session.next("session_init");
    await exchange(session, "one", "One.");
    const { messageId: second } = await exchange(session, "two", "Two.");
    await expectEnd(session);

    const choice = { mode: "resume", session_id, at_message: second };
    const again = startRealSession(at(), { session: choice });
    expect(await again.next("session_init")).toMatchObject({ session_id, mode: "resume" });
    const [pid = 0] = startedProcesses(again.bridge);
    const held = holdReply("begun", " and never ended");
    again.say("killed", held.reply);
    await again.next(({ text, status }) => text === "begun" && status === "partial");
    process.kill(pid, "SIGKILL");
    await again.next("process_exit");

    await exchange(again, "other two", "Other two.");
    expect(allMessages(at().api)).toContain("One.");
    expect(allMessages(at().api)).not.toContain("Two.");
    await expectEnd(again, 2);

    const last = startRealSession(at(), { session: { mode: "resume", session_id } });
    await exchange(last, "three", "Three.");
    expect(allMessages(at().api)).toContain("Other two.");
    expect(allMessages(at().api)).not.toContain('Two."');
    await expectEnd(last);
  });
}

function listSettings(at: () => RealPlace, version: string): void {
  test("changed thinking is in force in the next process", async () => {
    const session = startRealSession(at(), { model: "claude-sonnet-4-5" });
    await session.next("session_init");
    const tokens = { max_thinking_tokens: 5000 };
    expect(await control(session, "set_max_thinking_tokens", tokens)).toMatchObject({ ok: true });
    await expectInForce(session, ({ thinking }) => thinking, { budget_tokens: 5000 });
  });

  // 2.1.38 cannot change it.
  if (version === "2.1.38") return;
  test("changed effort is in force in the next process", async () => {
    const session = startRealSession(at(), { model: "claude-opus-4-6" });
    await session.next("session_init");
    const settings = { effortLevel: "low" };
    expect(await control(session, "apply_flag_settings", { settings })).toMatchObject({ ok: true });
    await expectInForce(session, ({ output_config }) => output_config, { effort: "low" });
  });
}

/** Expects a part of the request to the model before and after a fork. */
async function expectInForce(
  session: RealSession,
  partOf: (body: Readonly<Record<string, unknown>>) => unknown,
  expected: object,
): Promise<void> {
  const { api } = session.place;
  const newest = () => ({ ...api.requests.findLast(({ kind }) => kind === "main")?.body });
  await exchange(session, "one", "One.");
  expect(partOf(newest())).toMatchObject(expected);
  session.send({ type: "session_command", command: "fork" });
  await exchange(session, "two", "Two.");
  expect(partOf(newest())).toMatchObject(expected);
  await expectEnd(session, 2);
}
