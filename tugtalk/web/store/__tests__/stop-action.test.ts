/** What Stop and Escape are for, in each state. */
import { expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import { escapeAction, stopAction } from "../stop-action.ts";

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
const QUEUED = { queue: [{ messageId: "m", text: "later" }] };
const WORK = { backgroundTasks: [{ taskId: "b", status: "running" }] };
const DONE = { backgroundTasks: [{ taskId: "b", status: "completed" }] };

const ROWS = [
  { name: "nothing", state: {}, stop: "none", escape: "none", withText: "clear" },
  { name: "an ended turn", state: ENDED, stop: "none", escape: "none", withText: "clear" },
  { name: "a held queue", state: QUEUED, stop: "none", escape: "none", withText: "clear" },
  {
    name: "ended background work",
    state: DONE,
    stop: "none",
    escape: "none",
    withText: "clear",
  },
  {
    name: "an open turn",
    state: OPEN,
    stop: "interrupt",
    escape: "interrupt",
    withText: "interrupt",
  },
  {
    name: "an open turn and background work",
    state: { ...OPEN, ...WORK },
    stop: "interrupt",
    escape: "interrupt",
    withText: "interrupt",
  },
  {
    name: "a message on its way to Claude",
    state: SENT,
    stop: "interrupt",
    escape: "interrupt",
    withText: "interrupt",
  },
  { name: "background work", state: WORK, stop: "offer", escape: "offer", withText: "clear" },
] as const;

test.each(ROWS)("with $name, Stop and Escape do what a person means", (row) => {
  const state = { ...initialSession, ...row.state };
  expect(stopAction(state)).toBe(row.stop);
  expect(escapeAction(state, "")).toBe(row.escape);
  expect(escapeAction(state, "a draft")).toBe(row.withText);
});
