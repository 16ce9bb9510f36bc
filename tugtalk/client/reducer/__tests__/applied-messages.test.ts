/**
 * Which messages are new, among messages of restarted bridges, of a host's epochs, and repetitions. Made up.
 */
import { expect, test } from "bun:test";
import { initialSession } from "../../reduce-session.ts";
import type { SessionInput } from "../../session-input.ts";
import { entriesOf, itemsOf, reduced } from "./reduced.ts";

function ack(instance_id: string, seq = 1): SessionInput {
  return { type: "protocol_ack", seq, ipc_version: 2, version: 2, instance_id };
}

function remark(text: string, seq?: number): SessionInput {
  return {
    type: "notification",
    key: "k",
    text,
    priority: "low",
    ...(seq !== undefined && { seq }),
  };
}

function failure(message: string, seq: number): SessionInput {
  return { type: "error", seq, ipc_version: 2, code: "bad_json", message, recoverable: true };
}

function frame(e: string, q: number, text: string): SessionInput {
  return { s: "session", e, q, t: "notification", d: { key: "k", text, priority: "low" } };
}

/** The texts of all notices. */
function textsOf(messages: readonly SessionInput[]): readonly string[] {
  return itemsOf(reduced(messages)).map((item) => {
    if (item.kind !== "notice") return item.kind;
    const { notice } = item;
    return notice.kind === "text" ? notice.text : notice.kind === "error" ? notice.message : "?";
  });
}

const FIRST = [ack("one"), remark("a", 2), remark("b", 3), remark("c", 4)];
const SECOND = [ack("two"), remark("d", 2)];

test("a restarted bridge counts from 1 again, and its messages are new", () => {
  expect(textsOf([...FIRST, ...SECOND])).toEqual(["a", "b", "c", "d"]);
});

test("a journal of two bridges that is applied twice changes nothing the second time", () => {
  const once = reduced([...FIRST, ...SECOND]);
  expect(reduced([...FIRST, ...SECOND], once)).toEqual(once);
});

test("a message that is delivered again right away leaves the same state object", () => {
  let state = reduced([]);
  for (const message of [...FIRST, ...SECOND]) {
    state = reduced([message], state);
    expect(reduced([message], state)).toBe(state);
  }
});

test("a message without a number is applied each time", () => {
  expect(textsOf([...FIRST, remark("x"), remark("x")])).toEqual(["a", "b", "c", "x", "x"]);
});

test("an error before the first protocol_ack is shown at once", () => {
  expect(textsOf([failure("early", 1)])).toEqual(["early"]);
});

test("errors of the next bridge are shown when its protocol_ack names it", () => {
  const journal = [...FIRST, failure("early", 1), failure("too", 2), ack("two", 3), remark("d", 4)];
  expect(textsOf(journal)).toEqual(["a", "b", "c", "early", "too", "d"]);
});

test("a list of conversations that precedes the protocol_ack of the next bridge is applied with it", () => {
  const sessions = [{ session_id: "s", updated_at: "2026-01-01T00:00:00Z", bytes: 1 }];
  const list = { type: "session_list_result", seq: 1, ipc_version: 2, sessions } as const;
  expect(reduced([...FIRST, list]).pastSessions).toEqual([]);
  expect(reduced([...FIRST, list, ack("two", 2)]).pastSessions).toEqual(sessions);
});

test("errors of the next bridge that are delivered again before its protocol_ack are shown once", () => {
  const early = [failure("early", 1), failure("too", 2)];
  expect(textsOf([ack("one"), ...early, ...early, ack("two", 3)])).toEqual(["early", "too"]);
});

test("a journal that begins with an error is applied twice without a second error", () => {
  const journal = [failure("early", 1), ack("one", 2), remark("a", 3), ...SECOND];
  const once = reduced(journal);
  expect(reduced(journal, once)).toEqual(once);
});

test("frames are identified by epoch and number, whatever the bridge's own numbers are", () => {
  const messages = [
    frame("e1", 1, "a"),
    frame("e1", 2, "b"),
    frame("e1", 2, "b"),
    frame("e1", 1, "a"),
  ];
  expect(textsOf(messages)).toEqual(["a", "b"]);
});

test("a new epoch begins again, and frames of the old one stay known", () => {
  expect(textsOf([frame("e1", 5, "a"), frame("e2", 1, "b"), frame("e1", 4, "a")])).toEqual([
    "a",
    "b",
  ]);
});

test("a repeated frame leaves the same state object", () => {
  const state = reduced([frame("e1", 1, "a"), frame("e2", 1, "b")]);
  expect(reduced([frame("e1", 1, "a"), frame("e2", 1, "b")], state)).toBe(state);
});

test("a snapshot replaces the state, and the frames after it go on", () => {
  const host = reduced([frame("e1", 1, "a"), frame("e1", 2, "b")]);
  const snapshot = { t: "snapshot", d: { cursor: { epoch: "e1", seq: 2 }, state: host } };
  const page = reduced([snapshot, frame("e1", 2, "b"), frame("e1", 3, "c")]);
  expect(page).toEqual(reduced([frame("e1", 3, "c")], host));
});

test("the cursor of the older turns, which is beside the state of a snapshot, is in the state", () => {
  const ofTurns = { cursor: { epoch: 1, seq: 0 }, state: initialSession, before: "turn-3" };
  expect(reduced([{ t: "snapshot", d: ofTurns }]).before).toBe("turn-3");
  const { before: _, ...whole } = ofTurns;
  expect(reduced([{ t: "snapshot", d: whole }])).not.toHaveProperty("before");
});

test.each([
  [{ t: "resume", d: { result: "ok", from: 3 } }],
  [{ t: "ping" }],
  [{ t: "snapshot", d: {} }],
])("the frame %j shows nothing in the transcript unless it is broken", (input) => {
  const kinds = entriesOf(reduced([input])).flatMap(({ items }) => items.map(({ kind }) => kind));
  expect(kinds).toEqual(input.t === "snapshot" ? ["unknown"] : []);
});

test.each([[null], [1], ["text"], [[]], [{}], [{ type: 1 }], [{ t: 1 }]])(
  "the input %j, which is no message, changes nothing",
  (input) => {
    const state = reduced(FIRST);
    // A caller without types may pass anything.
    expect(reduced([input as unknown as SessionInput], state)).toBe(state);
  },
);
