/** The entries that a journal lacks after an unreported end. */
import { expect, test } from "bun:test";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import type { ReducedSession } from "../../../client/reduced-session.ts";
import { sessionRow } from "../../journal/__tests__/support/samples.ts";
import type { SessionRow } from "../../journal/journal.ts";
import { isLeftOpen, missingEnds, type UntoldEnd } from "../recovery.ts";
import { status, turnComplete, turnStarted } from "./support/bridge-words.ts";
import type { Draft } from "./support/fake-bridge.ts";

function stateAfter(...messages: readonly Draft[]): ReducedSession {
  return messages.reduce<ReducedSession>(reduceSession, initialSession);
}

const sent = (message_id: string): Draft => ({ type: "message_sent", message_id, message: "Hi" });
const queued = (message_id: string): Draft => ({
  type: "message_queued",
  message_id,
  message: "Hi",
  queued_at: 1,
});
const text = (turn_id: string, message_id: string): Draft => ({
  type: "user_text",
  turn_id,
  message_id,
  text: "Hi",
  kind: "host",
});

const ROWS: readonly {
  readonly name: string;
  readonly messages: readonly Draft[];
  readonly end?: Partial<UntoldEnd>;
  readonly ends: readonly string[];
}[] = [
  { name: "an idle session has only its own end", messages: [], ends: ["session_state exited"] },
  {
    name: "a session that has ended has none",
    messages: [{ type: "session_state", state: "exited" }],
    end: { claudePid: 7 },
    ends: [],
  },
  {
    name: "the turns end in the order of their starts, before their messages and Claude",
    messages: [turnStarted("t1"), turnStarted("t2"), sent("m1")],
    end: { claudePid: 7 },
    ends: [
      "turn_cancelled t1",
      "turn_cancelled t2",
      "message_status m1 failed",
      "process_exit 7",
      "session_state exited",
    ],
  },
  {
    name: "a turn that is over has no second end",
    messages: [turnStarted("t1"), turnComplete("t1")],
    ends: ["session_state exited"],
  },
  {
    name: "a message that waits has not failed, and one that was steered into the turn has",
    messages: [
      turnStarted("t1"),
      sent("m1"),
      status("m1", "started", { turn_id: "t1" }),
      text("t1", "m1"),
      queued("m2"),
      sent("m3"),
    ],
    end: { queued: ["m2"], inFlight: "m1" },
    ends: [
      "turn_cancelled t1",
      "message_status m1 failed",
      "message_status m3 failed",
      "session_state exited",
    ],
  },
];

test.each(ROWS)("$name", ({ messages, end = {}, ends }) => {
  const nothing = { queued: [], inFlight: undefined, claudePid: undefined };
  const missing = missingEnds(stateAfter(...messages), { ...nothing, ...end });
  const words = missing.map(({ type, data }) =>
    [type, data["turn_id"] ?? data["message_id"] ?? data["pid"], data["status"] ?? data["state"]]
      .filter((word) => word !== undefined)
      .join(" "),
  );
  expect(words).toEqual([...ends]);
});

const EXITED = { ...sessionRow("s").summary, state: "exited", pending: 0, queued: 0 } as const;
const REWIND = { stage: "conversation", messageId: "m1", message: "One" } as const;
const LEFT: readonly (readonly [string, boolean, Partial<SessionRow>])[] = [
  ["that has ended", false, {}],
  ["that was running", true, { summary: { ...EXITED, state: "running" } }],
  ["with an open prompt", true, { summary: { ...EXITED, pending: 1 } }],
  ["with a message in flight", true, { inFlight: "m1" }],
  ["with a bridge", true, { bridge: { pid: 1, at: 1 } }],
  ["whose connection was lost before", false, { summary: { ...EXITED, state: "disconnected" } }],
  ["that was being moved, without a bridge", true, { move: { place: "local", dir: "/new" } }],
  ["that was being rewound, without a bridge", true, { rewind: REWIND }],
  ["with messages that would go on", true, { summary: { ...EXITED, queued: 1 } }],
  ["with messages that are held", false, { summary: { ...EXITED, queued: 1, isQueueHeld: true } }],
];

test.each(LEFT)("after a kill of the host, a session %s is left open: %p", (_, isLeft, fields) => {
  const { bridge: _bridge, inFlight: _inFlight, ...row } = sessionRow("s");
  const session = { ...row, summary: EXITED, ...fields };
  expect(isLeftOpen(session)).toBe(isLeft);
});
