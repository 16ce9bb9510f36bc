/** The effects of Stop and Escape, in each state. */
import { expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import { escapeAction } from "../escape-action.ts";
import { stopAction } from "../stop-action.ts";

const TURN = {
  kind: "turn",
  key: "t",
  turnId: "t",
  trigger: "user",
  messageIds: [],
  items: [],
  agents: {},
} as const;
const OPEN = { openEntries: [{ ...TURN, status: "running" }] } as const;
const ENDED = { openEntries: [{ ...TURN, status: "success" }] } as const;
const SENT = { queue: [{ messageId: "m", isSent: true }] };
const WAITING = { queue: [{ messageId: "m", text: "later" }] };
const HELD = { ...WAITING, isQueueHeld: true };
const WORK = { backgroundTasks: [{ taskId: "b", status: "running" }] };
const DONE = { backgroundTasks: [{ taskId: "b", status: "completed" }] };

/** The effect of Stop, of Escape, and of Escape while a text is typed. */
test.each([
  ["nothing", {}, ["none", "none", "clear"]],
  ["an ended turn", ENDED, ["none", "none", "clear"]],
  ["a held queue", HELD, ["none", "none", "clear"]],
  ["ended background work", DONE, ["none", "none", "clear"]],
  ["an open turn", OPEN, ["interrupt", "interrupt", "interrupt"]],
  [
    "an open turn and background work",
    { ...OPEN, ...WORK },
    ["interrupt", "interrupt", "interrupt"],
  ],
  ["a message on its way to Claude", SENT, ["interrupt", "interrupt", "interrupt"]],
  ["a message that waits for Claude's start", WAITING, ["interrupt", "interrupt", "interrupt"]],
  ["background work", WORK, ["offer", "offer", "clear"]],
] as const)("with %s, Stop and Escape do what a person means", (_name, fields, actions) => {
  const state = { ...initialSession, ...fields };
  const [stopping, escaping, typing] = actions;
  expect(stopAction(state, false)).toBe(stopping);
  expect(escapeAction(state, false, "")).toBe(escaping);
  expect(escapeAction(state, false, "a draft")).toBe(typing);
});

test("with a message on its way to the host, Stop and Escape interrupt before the page knows of its turn", () => {
  expect(stopAction(initialSession, true)).toBe("interrupt");
  expect(escapeAction(initialSession, true, "a draft")).toBe("interrupt");
});
