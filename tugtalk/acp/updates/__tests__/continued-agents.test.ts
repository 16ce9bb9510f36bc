/** Agents that have ended and go on with a message, for a client that shows agents as child sessions. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../../src/types.ts";
import { readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { clientFeatures } from "../../client-features.ts";
import { sendTranscript } from "../../send-transcript.ts";
import { firstState, type Update, type UpdateState } from "../update-state.ts";
import { updatesOf } from "../updates-of.ts";

const messages = (await playCapture(
  await readCapture("2.1.330/sub_background"),
)) as readonly OutboundDraft[];
const started = messages.find((message) => message.type === "task_started" && !isCommand(message));
const { task_id = "", tool_use_id: call = "" } = started?.type === "task_started" ? started : {};
const CONTINUED = { type: "task_started", task_id, tool_use_id: "message" } as const;
const TEXT = {
  type: "assistant_text",
  status: "complete",
  is_partial: false,
  msg_id: "m",
  block_index: 0,
  text: "It goes on.",
  parent_tool_use_id: call,
} as const;
const END = {
  type: "task_notification",
  task_id,
  tool_use_id: "message",
  status: "completed",
} as const;

const FIRST = firstState("/work/project", clientFeatures({ subagents: {} }));

function isCommand({ task_type }: { readonly task_type?: unknown }): boolean {
  return task_type === "local_bash";
}

/** The state after the capture and these messages, and what the client has of the child session. */
function after(...more: readonly OutboundDraft[]) {
  let state = FIRST;
  const updates = [...messages, ...more].flatMap((message) => {
    const step = updatesOf(state, message);
    state = step.state;
    return step.updates;
  });
  return { state, shown: shownOf(updates) };
}

function shownOf(updates: readonly Update[]): unknown[] {
  return updates.flatMap((update) => {
    if (update.sessionUpdate === "subagent_update") return [update.state?.state];
    return JSON.stringify(update).includes(TEXT.text) ? ["text"] : [];
  });
}

const ONCE = ["running", "idle"];

test("the child session of an agent that goes on with a message runs again before its text, until its end", () => {
  expect(after().shown).toEqual(ONCE);
  expect(after(CONTINUED, TEXT, END).shown).toEqual([...ONCE, "running", "text", "idle"]);
  expect(after(CONTINUED, CONTINUED, TEXT, END, END).shown.slice(2)).toEqual(
    after(CONTINUED, TEXT, END).shown.slice(2),
  );
});

test("the end of Claude ends an agent that goes on with a message", () => {
  const ended = { pid: 1, exit_code: 0, signal: null, expected: true, stderr_tail: "" } as const;
  const exit = { type: "process_exit", ...ended, will_restart: false } as const;
  expect(after(CONTINUED, exit).shown).toEqual([...ONCE, "running", "idle"]);
});

test("an agent that goes on with a message runs also behind a load", async () => {
  const { state: live } = after(CONTINUED);
  const { state, shown } = await load(live);
  expect(shown).toEqual([...ONCE, "running"]);
  expect(shownOf(updatesOf(state, END).updates)).toEqual(["idle"]);
});

/** The state behind a load, and the same of its updates. */
async function load(live: UpdateState) {
  const updates: Update[] = [];
  const { state } = await sendTranscript(
    { pages: async () => pages(), caughtUp: async () => {}, isOwn: true },
    {
      state: live,
      openTurnId: undefined,
      lastEntry: undefined,
      prompt: undefined,
      begun: new Set(),
      isOver: () => false,
    },
    { notify: (update) => updates.push(update), flush: async () => {} },
  );
  return { state, shown: shownOf(updates) };
}

/** The past, as the messages of the live session. */
async function* pages(): AsyncGenerator<readonly OutboundDraft[]> {
  yield messages.filter(({ type }) => OF_PAST.has(type));
}

const OF_PAST: ReadonlySet<string> = new Set([
  "tool_use",
  "tool_result",
  "tool_use_structured",
  "task_notification",
]);

test("an agent that a later process of Claude lets go on is known from the transcript", async () => {
  const { state } = await load(FIRST);
  expect(shownOf(updatesOf(state, CONTINUED).updates)).toEqual(["running"]);
});
