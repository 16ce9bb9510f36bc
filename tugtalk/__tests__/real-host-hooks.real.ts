/** Hooks of the host with every measured version of the CLI. */
import { expect } from "bun:test";
import { exists } from "node:fs/promises";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { Fields } from "../src/base/json.ts";
import type { Received } from "../testing/drivers/bridge-process.ts";
import { callTool } from "../testing/real/real-replies.ts";
import { allMessages, newestMessages } from "../testing/real/real-requests.ts";
import { ofType, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { inOneSession, realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);
const testSince197 = realTests("2.1.197", "2.1.330");

const GUARD = { hook_id: "guard", event: "PreToolUse", matcher: "Bash" };

const resolved = { type: "control_request_resolved", outcome: "answered" };

function start(place: RealPlace, ...host_hooks: readonly Fields[]): Promise<RealSession> {
  return place.open({ options: { host_hooks } });
}

/** Answers the next request of a hook; resolves to it. */
async function settle(
  session: RealSession,
  hook_id: string,
  fields: Fields = {},
): Promise<Received> {
  const request = await session.next("hook_request", { hook_id });
  const { request_id } = request;
  await session.ask({ type: "hook_answer", request_id, ...fields }, { ...resolved, request_id });
  return request;
}

const write = (place: RealPlace, name: string) =>
  callTool("Bash", { command: `touch ${join(place.home.project, name)}` });

inOneSession(
  MEASURED_VERSIONS,
  (place) => start(place, GUARD),
  (test) => {
    test("a command is blocked, with a reason for the model and without a prompt", async (session) => {
      session.say("tidy up", write(session.place, "blocked"), "Not done.");
      const { input, tool_use_id } = await settle(session, "guard", {
        decision: "deny",
        reason: "Nothing is changed here.",
      });
      expect(input).toMatchObject({ hook_event_name: "PreToolUse", tool_name: "Bash" });
      const { messages } = await session.turn("Not done.");
      expect(ofType(messages, "control_request_forward")).toEqual([]);
      expect(ofType(messages, "tool_result")).toMatchObject([{ is_error: true, tool_use_id }]);
      expect(newestMessages(session.place.api)).toContain("Nothing is changed here.");
      expect(await exists(join(session.place.home.project, "blocked"))).toBe(false);
    });

    test("an input is rewritten, and the new one runs", async (session) => {
      session.say("tidy up", write(session.place, "written"), "Done.");
      const updatedInput = { command: `touch ${join(session.place.home.project, "rewritten")}` };
      await settle(session, "guard", { decision: "allow", updatedInput });
      const { messages } = await session.turn("Done.");
      expect(ofType(messages, "control_request_forward")).toEqual([]);
      expect(await exists(join(session.place.home.project, "written"))).toBe(false);
      expect(await exists(join(session.place.home.project, "rewritten"))).toBe(true);
    });

    test("an answer that a hook does not take leaves the tool waiting; one of 10 MiB it takes, and no second one", async (session) => {
      session.say("tidy up", write(session.place, "bad"), "Not done.");
      const { request_id } = await session.next("hook_request");
      const answer = { type: "hook_answer", request_id, decision: "deny" };
      const filled = (length: number) => ({
        ...answer,
        updatedInput: { command: "x".repeat(length) },
      });
      const most = 10 * 1024 * 1024;
      const bad = { type: "error", code: "bad_message", request_id };
      await session.ask({ ...answer, decison: "deny" }, bad);
      await session.ask({ ...answer, updatedOutput: "x" }, bad);
      await session.ask(filled(most), bad);
      await session.ask(filled(most - 1024), resolved);
      await session.ask(answer, { type: "error", code: "stale_request", request_id });
      await session.turn("Not done.");
      expect(await exists(join(session.place.home.project, "bad"))).toBe(false);
    });

    test("an interrupt at the hook of a tool ends the turn", async (session) => {
      session.say("tidy up", write(session.place, "interrupted"));
      const { request_id } = await session.next("hook_request");
      session.send({ type: "interrupt" });
      await session.next("control_request_cancel", { request_id, reason: "interrupted" });
      await session.turn({ result: "cancelled" });
      await session.exchange("hello", "Hello.");
    });

    test("a hook at which Claude is killed is closed before its exit, and the next Claude asks again", async (session) => {
      await session.exchange("hello", "Hello.");
      session.say("tidy up", write(session.place, "killed"));
      const { request_id } = await session.next("hook_request");
      const messages = await session.kill();
      expect(ofType(messages, "control_request_cancel")).toMatchObject([
        { request_id, reason: "exited" },
      ]);
      session.say("tidy up", write(session.place, "killed"), "Not done.");
      await settle(session, "guard", { decision: "deny", reason: "no" });
      await session.turn("Not done.");
    });

    test("a tool at whose hook the host's input ends is refused", async (session) => {
      session.say("tidy up", write(session.place, "ended"), "Not done.");
      const { request_id } = await session.next("hook_request");
      const before = session.all("control_request_cancel").length;
      await session.end(2);
      expect(session.all("control_request_cancel").slice(before)).toMatchObject([
        { request_id, reason: "interrupted" },
      ]);
      expect(await exists(join(session.place.home.project, "ended"))).toBe(false);
    });
  },
);

test("a text is added to a message of the host, for the model only", async (place) => {
  const session = await start(place, { hook_id: "context", event: "UserPromptSubmit" });
  session.say("what day is it?", "Tuesday.");
  const { input } = await settle(session, "context", { context: "Today is Tuesday." });
  expect(input).toMatchObject({ prompt: "what day is it?" });
  await session.turn("Tuesday.");
  expect(allMessages(place.api)).toContain("Today is Tuesday.");
});

test("Claude goes on working where it would have stopped", async (place) => {
  const session = await start(place, { hook_id: "more", event: "Stop" });
  session.say("work", "Half done.", "All done.");
  await settle(session, "more", { decision: "deny", reason: "Do the other half." });
  await settle(session, "more");
  await session.turn("All done.");
  expect(newestMessages(place.api)).toContain("Do the other half.");
});

test("a hook gets the result of a tool after the call", async (place) => {
  const session = await start(place, { hook_id: "audit", event: "PostToolUse" }, GUARD);
  session.say("say three", callTool("Bash", { command: "echo 3" }), "Said.");
  await settle(session, "guard", { decision: "allow" });
  const { input } = await settle(session, "audit", { context: "It was noted." });
  expect(input).toMatchObject({ tool_name: "Bash", tool_response: { stdout: "3" } });
  await session.turn("Said.");
  expect(newestMessages(place.api)).toContain("It was noted.");
});

testSince197("hooks before and after a compaction get its trigger", async (place) => {
  const before = { hook_id: "before", event: "PreCompact" };
  const after = { hook_id: "after", event: "PostCompact", matcher: "manual" };
  const session = await start(place, before, after);
  // 2.1.197 compacts nothing shorter.
  for (const text of ["a heron at the weir", "an otter at the mill"])
    await session.exchange(text, "Seen.");
  const summary = "Somebody saw an animal.";
  session.say("/compact", `<summary>${summary}</summary>`);
  const { input } = await settle(session, "before");
  expect(input).toMatchObject({ trigger: "manual" });
  const { input: told } = await settle(session, "after");
  expect(told).toMatchObject({
    trigger: "manual",
    compact_summary: expect.stringContaining(summary),
  });
  await session.turn();
});

test("a hook that does not answer in time refuses the tool, and the turn goes on", async (place) => {
  const session = await start(place, { ...GUARD, timeout_ms: 50 });
  session.say("tidy up", write(place, "a"), "Not done.");
  const { request_id } = await session.next("hook_request");
  await session.next("control_request_cancel", { request_id, reason: "timeout" });
  await session.turn("Not done.");
  expect(newestMessages(place.api)).toContain("did not answer within 50 ms");
  expect(await exists(join(place.home.project, "a"))).toBe(false);
});

test("a message at whose hook nobody answers is refused, and Claude takes the next one", async (place) => {
  const session = await start(place, {
    hook_id: "guard",
    event: "UserPromptSubmit",
    timeout_ms: 50,
  });
  session.say("hello");
  await session.next("control_request_cancel", { reason: "timeout" });
  await session.turn({});
  session.say("again", "Hello.");
  await settle(session, "guard");
  await session.turn("Hello.");
});

test("an interrupt at the hook of a message ends the turn, and Claude lives", async (place) => {
  const session = await start(place, { hook_id: "guard", event: "UserPromptSubmit" });
  session.say("hello");
  const { request_id } = await session.next("hook_request");
  session.send({ type: "interrupt" });
  await session.next("control_request_cancel", { request_id, reason: "interrupted" });
  await session.turn({ result: "cancelled" });
  session.say("again", "Hello.");
  await settle(session, "guard");
  await session.turn("Hello.");
});
