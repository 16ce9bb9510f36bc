/**
 * Messages with delivery `now` and a real `claude` that runs a command of 40 s, asks for a permission, or
 * waits at a hook.
 */
import { expect } from "bun:test";
import { join } from "node:path";
import { promptText } from "../simulator/api-request.ts";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import type { ScriptEntry } from "../simulator/reply-script.ts";
import { leftAfter } from "../testing/drivers/processes.ts";
import {
  agentInput,
  answerTo,
  as,
  callTool,
  holdWhole,
  startGate,
} from "../testing/real/real-replies.ts";
import { newestMessages } from "../testing/real/real-requests.ts";
import { ofType, type RealPlace, type RealSession } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

/** How long the turn may take to begin, in ms. Alone it takes some dozens, on a machine with six times its load up to 150. */
const LIMIT_MS = 1_000;

/** How long the command may take to end, in ms. */
const END_MS = 5_000;

const test = realTests(...MEASURED_VERSIONS);
/** 2.1.38 begins no turn about an agent that has ended. */
const newer = realTests("2.1.197", "2.1.330");

/** A session whose Claude runs a command of 40 s; the process id of the command. */
async function inCommand(place: RealPlace) {
  using gate = startGate();
  const pidFile = join(place.home.project, "pid");
  const code = `await Bun.write('pid', String(process.pid)); await fetch('${gate.url}'); await Bun.sleep(40_000)`;
  const session = place.start({ options: { allowed_tools: ["Bash"] } });
  session.say("work", callTool("Bash", { command: `"${process.execPath}" -e "${code}"` }));
  await gate.reached;
  gate.open();
  return { session, pid: Number(await Bun.file(pidFile).text()) };
}

/** Sends a message that is to be delivered now; its id, and when it was sent. */
function sendNow(session: RealSession, text: string, ...script: ScriptEntry[]) {
  return { sentAt: performance.now(), id: session.post({ text, delivery: "now" }, ...script) };
}

/** Waits for the turn of the message, which begins in time. */
async function expectBegun(session: RealSession, { sentAt, id }: ReturnType<typeof sendNow>) {
  await session.next(
    ({ type, message_ids }) =>
      type === "turn_started" && Array.isArray(message_ids) && message_ids.includes(id),
  );
  const ms = performance.now() - sentAt;
  console.log(`claude ${session.place.version}: the turn begins after ${ms.toFixed(0)} ms`);
  expect(ms).toBeLessThan(LIMIT_MS);
}

test("in a command of 40 s the turn of the message begins within a second, before a message that waits, and the command ends", async (place) => {
  const { session, pid } = await inCommand(place);
  const waiting = session.say("and then this", "That, too.");
  const sent = sendNow(session, "stop that");
  place.api.script("Stopped.");
  await session.turn({ result: "cancelled" });
  await expectBegun(session, sent);
  expect(await leftAfter([pid], END_MS)).toEqual([]);
  await session.turn({ result: "success", message_ids: [sent.id] });
  await session.turn({ result: "success", message_ids: [waiting] });
  expect(newestMessages(place.api)).toContain("and then this");
});

test("of two messages the later one has the first turn, and each has its own", async (place) => {
  const { session } = await inCommand(place);
  const earlier = sendNow(session, "do this", "First.");
  const later = sendNow(session, "no, that", "Second.");
  await session.turn({ result: "cancelled" });
  await expectBegun(session, later);
  await session.turn({ result: "success", text: "First.", message_ids: [later.id] });
  await session.turn({ result: "success", text: "Second.", message_ids: [earlier.id] });
});

test("a steered message is returned or its turn is interrupted, and the message goes on", async (place) => {
  const { session } = await inCommand(place);
  const [steered] = await session.steer("by the way");
  // 2.1.38 may ask the model for the steered message before its turn is interrupted.
  const sent = sendNow(session, "stop that", answerTo("stop that", "Stopped."));
  await session.turn({ result: "cancelled" });
  const isReturned = place.version !== "2.1.38";
  if (!isReturned) await session.turn({ result: "cancelled", message_ids: [steered] });
  await expectBegun(session, sent);
  await session.turn("Stopped.");
  const receipts = session.all("message_status").filter(({ message_id }) => message_id === steered);
  const last = isReturned
    ? { status: "cancelled", reason: "interrupted" }
    : { status: "completed" };
  expect(receipts.at(-1)).toMatchObject(last);
});

test("an open permission prompt is closed as interrupted", async (place) => {
  const session = place.start();
  session.say(
    "write",
    callTool("Write", { file_path: join(place.home.project, "a"), content: "a" }),
  );
  const { request_id } = await session.prompt();
  const sent = sendNow(session, "stop that", "Stopped.");
  await session.next("control_request_cancel", { request_id, reason: "interrupted" });
  await session.turn({ result: "cancelled" });
  await expectBegun(session, sent);
  const { messages } = await session.turn("Stopped.");
  expect(ofType(messages, "error")).toEqual([]);
});

/** Answers the hook of a message. */
async function pass(session: RealSession): Promise<void> {
  const { request_id } = await session.next("hook_request");
  session.send({ type: "hook_answer", request_id });
}

/** Without a message of the host. */
const isWakeUp = (prompt: string) =>
  prompt.includes("Measured.") && !/and then this|stop that/.test(prompt);

/** Claude is at the hook of a turn of its own, because an agent of this name has ended. */
async function untilWakeUp(session: RealSession, name: string): Promise<void> {
  const { promise: until, resolve: release } = Promise.withResolvers<void>();
  session.place.api.script(
    as(name, { content: [{ type: "text", text: "Measured." }], holds: [{ until }] }),
    // Claude may read the message that ends the turn a moment after the hook's answer, and ask the model
    // before.
    { reply: holdWhole("Never.").reply, when: ({ body }) => isWakeUp(promptText(body)) },
  );
  const input = agentInput(name, { run_in_background: true });
  session.say("send one", callTool("Task", input), "Sent.");
  await pass(session);
  await session.turn("Sent.");
  release();
  const { turn_id } = await session.next("turn_started", { message_ids: [] });
  await session.next("hook_request", { turn_id });
}

newer(
  "at the hook of a turn of Claude's own an interrupt ends it, and so does a message, whose turn is next",
  async (place) => {
    const session = await place.open({
      options: {
        host_hooks: [{ hook_id: "guard", event: "UserPromptSubmit" }],
        allowed_tools: ["Task", "Agent"],
      },
    });
    await untilWakeUp(session, "heron");
    const queued = session.say("and then this", answerTo("and then this", "That, too."));
    session.send({ type: "interrupt" });
    await session.turn({ result: "cancelled", message_ids: [] });
    await pass(session);
    await session.turn({ result: "success", text: "That, too.", message_ids: [queued] });
    await untilWakeUp(session, "otter");
    const sent = sendNow(session, "stop that", answerTo("stop that", "Stopped."));
    await session.turn({ result: "cancelled", message_ids: [] });
    await expectBegun(session, sent);
    await pass(session);
    await session.turn({ result: "success", text: "Stopped.", message_ids: [sent.id] });
  },
);
