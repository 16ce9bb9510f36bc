/** The queue of a session in a turn, command by command. */
import { expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { SessionInput } from "../session-input.ts";
import { NO_BRIDGE, type Reply, type SessionState } from "../session-state.ts";
import { step } from "../step.ts";
import { messageInfo, placeIn, waitingIn } from "../unread-messages.ts";

/** These tests do not look at the answers. */
const reply: Reply<unknown> = { resolve: () => {}, reject: () => {} };

const { inFlight: _none, ...ROW } = sessionRow("s");
const IN_TURN: SessionState = {
  row: { ...ROW, inFlight: "now" },
  cursor: { epoch: 1, seq: 0 },
  reduced: initialSession,
  attachments: new Map(),
  sinceSnapshot: 0,
  bridge: { ...NO_BRIDGE, phase: "running", limitAtStart: ROW.limitUsd },
  deferred: [],
  claims: new Map(),
};

function after(inputs: readonly SessionInput[]): SessionState {
  return inputs.reduce((state, input) => step(state, input, { at: 3 }).state, IN_TURN);
}

function add(messageId: string, delivery: "queue" | "replace" = "queue"): SessionInput {
  const message = { messageId, message: messageId, attachments: [], delivery };
  return { kind: "message", ...message, dedupe: undefined, reply };
}
const first = (messageId: string): SessionInput => {
  return { kind: "send_queued", messageId, delivery: "queue", reply };
};
const remove = (messageId: string): SessionInput => {
  return { kind: "delete_queued", messageId, reply };
};

const ROWS: readonly { name: string; inputs: readonly SessionInput[]; ids: string }[] = [
  { name: "messages keep the order in which they came", inputs: [add("a"), add("b")], ids: "a b" },
  {
    name: "a replace message takes the place of the one that waits",
    inputs: [add("a"), add("r", "replace"), add("b"), add("s", "replace")],
    ids: "a s b",
  },
  {
    name: "a replace message replaces no message of another kind",
    inputs: [add("a"), add("r", "replace")],
    ids: "a r",
  },
  {
    name: "a message that is to be sent at once goes before all others",
    inputs: [add("a"), add("b"), add("c"), first("c")],
    ids: "c a b",
  },
  {
    name: "the latest of two messages that are to be sent at once is the first",
    inputs: [add("a"), add("b"), add("c"), first("c"), first("b")],
    ids: "b c a",
  },
  {
    name: "a message that is deleted leaves the order of the others",
    inputs: [add("a"), add("b"), add("c"), remove("b")],
    ids: "a c",
  },
];

test.each(ROWS)("$name", ({ inputs, ids }) => {
  const waiting = waitingIn(after(inputs).reduced);
  expect(waiting.map(({ messageId }) => messageId).join(" ")).toBe(ids);
});

test("a message that has left can be neither edited, deleted nor sent", () => {
  const left = after([add("a"), remove("a")]);
  const edit = { kind: "edit_queued", messageId: "a", message: "b", reply } as const;
  for (const input of [edit, remove("a"), first("a")])
    expect(() => step(left, input, { at: 4 })).toThrow("does not wait in the queue");
  expect(placeIn(left.reduced, "a")).toBe(0);
});

test("a message that is edited keeps its place and its attachments", () => {
  const attachments = [{ filename: "a.txt", content: "x", media_type: "text/plain" }];
  const message = { messageId: "a", message: "a", attachments, delivery: "queue" } as const;
  const state = after([
    { kind: "message", ...message, dedupe: undefined, reply },
    add("b"),
    { kind: "edit_queued", messageId: "a", message: "c", reply },
  ]);
  expect(waitingIn(state.reduced).map((one) => messageInfo(state, one))).toEqual([
    {
      message_id: "a",
      message: "c",
      queued_at: 3,
      attachments: [{ filename: "a.txt", media_type: "text/plain" }],
    },
    { message_id: "b", message: "b", queued_at: 3 },
  ]);
});
