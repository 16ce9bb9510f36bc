/**
 * Turns, and the receipts that tie messages to them (§4, §15; guarantees 2 and 3). Steering, interrupts, lost results
 * and ends are shown with sessions.
 */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../types.ts";
import { Turns } from "../turns.ts";

/** Turns whose ids are t1, t2, t3 …, and messages named by their texts. */
function turns() {
  let ids = 0;
  const all = new Turns(() => `t${++ids}`);
  const deliver = (messageId: string) =>
    all.deliver({
      messageId,
      text: messageId,
      blocks: [{ type: "text", text: messageId }],
      size: messageId.length,
    });
  /** A result comes. */
  const end = (origin?: string) => {
    const opened = all.ensureOpenForResult();
    const settled = all.settle(origin);
    const { view } = all;
    return { view, emitted: inShort([...opened, ...settled, ...all.complete()]) };
  };
  return { all, deliver, end };
}

/** `started t1 [m]`, `t1 m started`, `m completed merged`. */
function inShort(messages: readonly OutboundDraft[]): string[] {
  return messages.map((message) => {
    if (message.type === "turn_started")
      return `turn ${message.turn_id} by ${message.trigger} for [${message.message_ids}]`;
    if (message.type === "message_status") {
      const { message_id, status, turn_id, merged } = message;
      return `${message_id} ${status}${turn_id === undefined ? "" : ` in ${turn_id}`}${merged === true ? " merged" : ""}`;
    }
    if (message.type === "turn_cancelled")
      return `turn ${message.turn_id} cancelled: ${message.reason} "${message.partial_result}" [${message.message_ids}]`;
    if (message.type === "user_text") return `text ${message.text}`;
    return message.type;
  });
}

test("a started message with more than a text has its blocks in user_text", () => {
  const { all } = turns();
  const blocks = [
    { type: "text", text: "a" },
    { type: "text", text: "file" },
  ] as const;
  const [, , text] = all.deliver({ messageId: "a", text: "a", blocks, size: 5 });
  expect(text).toMatchObject({ type: "user_text", content: [...blocks] });
});

test("a started message that is only an attachment has it in user_text", () => {
  const { all } = turns();
  const blocks = [{ type: "text", text: "of a file" }] as const;
  const [, , text] = all.deliver({ messageId: "a", text: "", blocks, size: 9 });
  expect(text).toMatchObject({ type: "user_text", text: "", content: [...blocks] });
});

test("at most 64 turns are open at once, and each of them ends", () => {
  const { all, end } = turns();
  const begun = Array.from({ length: 100 }, () => inShort(all.begin("task"))).flat();
  expect(begun).toHaveLength(64);
  expect(all.openCount).toBe(64);
  for (let turn = 1; turn <= 64; turn += 1) expect(end().view?.turn_id).toBe(`t${turn}`);
  expect(all.isIdle).toBe(true);
});

test("two steered messages share the next turn on newer CLIs", () => {
  const { all, deliver, end } = turns();
  deliver("a");
  deliver("b");
  deliver("c");
  end();
  all.begin("unknown");
  all.confirm("b");
  all.confirm("c");
  expect(end().emitted).toEqual(["b completed in t2", "c completed in t2 merged"]);
});

test("a steered message that is echoed before a turn begins is part of that turn, as on 2.1.197", () => {
  const { all, deliver, end } = turns();
  deliver("a");
  deliver("b");
  deliver("c");
  expect(end().emitted).toEqual(["a completed in t1"]);
  expect(all.confirm("b")).toEqual([]);
  expect(inShort(all.begin("unknown"))).toEqual([
    "turn t2 by user for [b]",
    "b started in t2",
    "text b",
  ]);
  expect(inShort(all.confirm("c"))).toEqual(["c started in t2", "text c"]);
  expect(end().emitted).toEqual(["b completed in t2", "c completed in t2 merged"]);
  expect(all.isIdle).toBe(true);
});

test.each(["task", "schedule", "unknown"] as const)(
  "a turn that Claude begins by itself has its trigger, %s, and no message",
  (trigger) => {
    const { all, end } = turns();
    expect(inShort(all.begin(trigger))).toEqual([`turn t1 by ${trigger} for []`]);
    expect(end()).toEqual({
      view: { turn_id: "t1", message_ids: [], trigger, isInterrupted: false },
      emitted: [],
    });
  },
);

test("a wake-up turn at the time of a delivery leaves the message to its own turn", () => {
  const { all, deliver, end } = turns();
  deliver("a");
  all.begin("task");
  const { view, emitted } = end("task-notification");
  expect(view).toMatchObject({ turn_id: "t1", trigger: "task", message_ids: [] });
  expect(emitted).toEqual([]);
  expect(all.isIdle).toBe(false);
  // The start of the message is emitted once.
  expect(inShort(all.begin("unknown"))).toEqual(["turn t2 by user for []"]);
  expect(all.confirm("a")).toEqual([]);
  expect(end()).toMatchObject({ view: { message_ids: ["a"] }, emitted: ["a completed in t2"] });
});

test("a confirmed message stays in its turn when the result names a task", () => {
  const { all, deliver, end } = turns();
  deliver("a");
  all.confirm("a");
  expect(end("task-notification").emitted).toEqual(["a completed in t1"]);
});

test("two open turns end in the order of their starts", () => {
  const { all, deliver, end } = turns();
  deliver("a");
  all.begin("unknown");
  expect(all.isFollowedBy("task")).toBe(true);
  expect(inShort(all.begin("task"))).toEqual(["turn t2 by task for []"]);
  expect([all.openTurnId, all.openCount]).toEqual(["t2", 2]);
  expect(end()).toMatchObject({ view: { turn_id: "t1" }, emitted: ["a completed in t1"] });
  expect(end("task-notification")).toMatchObject({ view: { turn_id: "t2", trigger: "task" } });
  expect(all.isIdle).toBe(true);
});

test("a second init with an unknown trigger opens no second turn", () => {
  const { all, deliver } = turns();
  deliver("a");
  all.begin("unknown");
  expect(all.isFollowedBy("unknown")).toBe(false);
  expect(all.begin("unknown")).toEqual([]);
  expect(all.openCount).toBe(1);
});

test("an exit cancels both open turns, and the newer one has the partial text", () => {
  const { all, deliver } = turns();
  deliver("a");
  all.begin("unknown");
  all.begin("task");
  expect(inShort(all.cancel("exited", "half"))).toEqual([
    'turn t1 cancelled: exited "" [a]',
    'turn t2 cancelled: exited "half" []',
    "a failed in t1",
  ]);
});

test("a result without a turn is for the oldest waiting message", () => {
  const { all, deliver, end } = turns();
  deliver("a");
  deliver("b");
  deliver("c");
  end();
  expect(end()).toMatchObject({
    view: { turn_id: "t2", trigger: "user", message_ids: ["b"] },
    emitted: ["turn t2 by user for []", "b started in t2", "text b", "b completed in t2"],
  });
  expect(end().view?.message_ids).toEqual(["c"]);
  expect(all.isIdle).toBe(true);
});

test("a lost result line without an open turn ends nothing", () => {
  expect(turns().all.lose("")).toEqual([]);
});

test("a command is silent until it has content", () => {
  const { all, deliver } = turns();
  deliver("/compact");
  expect([all.isSilentCommand, all.isRunning("/comp")]).toEqual([true, true]);
  all.recordContent();
  expect(all.isSilentCommand).toBe(false);
});

test("a turn for plain text is no command", () => {
  const { all, deliver } = turns();
  expect(all.isSilentCommand).toBe(false);
  deliver("text");
  expect(all.isSilentCommand).toBe(false);
});
