/** Turns, and the receipts that tie messages to them (§4, §15; guarantees 2 and 3). */
import { describe, expect, test } from "bun:test";
import type { OutboundDraft } from "../../types.ts";
import { Turns } from "../turns.ts";

/** Turns whose ids are t1, t2, t3 …, and messages named by their texts. */
function turns() {
  let ids = 0;
  const all = new Turns(() => `t${++ids}`);
  const hand = (messageId: string) =>
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
  return { all, hand, end };
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
    if (message.type === "user_text") return `said ${message.text}`;
    return message.type;
  });
}

describe("a message to an idle Claude", () => {
  test("opens a turn at once, which its result ends", () => {
    const { all, hand, end } = turns();
    expect(inShort(hand("a"))).toEqual(["turn t1 by user for [a]", "a started in t1", "said a"]);
    expect([all.openTurnId, all.isIdle]).toEqual(["t1", false]);
    expect(inShort(all.begin("unknown"))).toEqual([]);
    expect(inShort(all.confirm("a"))).toEqual([]);
    expect(end()).toEqual({
      view: { turn_id: "t1", message_ids: ["a"], trigger: "user", isInterrupted: false },
      emitted: ["a completed in t1"],
    });
    expect([all.openTurnId, all.isIdle]).toEqual([undefined, true]);
  });

  test("takes the turn that was opened for it along when Claude drops it before it began", () => {
    const { all, hand } = turns();
    hand("a");
    expect(inShort(all.withdraw("a"))).toEqual([
      'turn t1 cancelled: rejected "" [a]',
      "a cancelled in t1",
    ]);
    expect(all.isIdle).toBe(true);
  });

  test("is followed by the next one in a turn of its own", () => {
    const { hand, end } = turns();
    hand("a");
    end();
    expect(inShort(hand("b"))[0]).toBe("turn t2 by user for [b]");
    expect(end().emitted).toEqual(["b completed in t2"]);
  });

  test("with more than its text shows its blocks", () => {
    const { all } = turns();
    const blocks = [
      { type: "text", text: "a" },
      { type: "text", text: "file" },
    ] as const;
    const [, , said] = all.deliver({ messageId: "a", text: "a", blocks, size: 5 });
    expect(said).toMatchObject({ type: "user_text", content: [...blocks] });
  });

  test("that is an attachment alone shows it", () => {
    const { all } = turns();
    const blocks = [{ type: "text", text: "of a file" }] as const;
    const [, , said] = all.deliver({ messageId: "a", text: "", blocks, size: 9 });
    expect(said).toMatchObject({ type: "user_text", text: "", content: [...blocks] });
  });
});

test("beginnings without an end open 64 turns at most, and each of those ends", () => {
  const { all, end } = turns();
  const begun = Array.from({ length: 100 }, () => inShort(all.begin("task"))).flat();
  expect(begun).toHaveLength(64);
  expect(all.openCount).toBe(64);
  for (let turn = 1; turn <= 64; turn += 1) expect(end().view?.turn_id).toBe(`t${turn}`);
  expect(all.isIdle).toBe(true);
});

describe("a message steered into a running turn", () => {
  test("is silent until Claude takes it, and then merged", () => {
    const { all, hand, end } = turns();
    hand("a");
    expect(hand("b")).toEqual([]);
    expect(inShort(all.confirm("b"))).toEqual(["b started in t1", "said b"]);
    const { view, emitted } = end();
    expect(view?.message_ids).toEqual(["a", "b"]);
    expect(emitted).toEqual(["a completed in t1", "b completed in t1 merged"]);
    expect(all.isIdle).toBe(true);
  });

  test("that Claude did not take has a turn of its own, by its own echo", () => {
    const { all, hand, end } = turns();
    hand("a");
    hand("b");
    expect(end().emitted).toEqual(["a completed in t1"]);
    expect(all.isIdle).toBe(false);
    expect(inShort(all.begin("unknown"))).toEqual(["turn t2 by user for []"]);
    expect(inShort(all.confirm("b"))).toEqual(["b started in t2", "said b"]);
    expect(end().emitted).toEqual(["b completed in t2"]);
  });

  test("and another one share the next turn, as newer CLIs have it", () => {
    const { all, hand, end } = turns();
    hand("a");
    hand("b");
    hand("c");
    end();
    all.begin("unknown");
    all.confirm("b");
    all.confirm("c");
    expect(end().emitted).toEqual(["b completed in t2", "c completed in t2 merged"]);
  });

  test("is in the turn that begins next if its echo comes before, as 2.1.197 has it", () => {
    const { all, hand, end } = turns();
    hand("a");
    hand("b");
    hand("c");
    expect(end().emitted).toEqual(["a completed in t1"]);
    expect(all.confirm("b")).toEqual([]);
    expect(inShort(all.begin("unknown"))).toEqual([
      "turn t2 by user for [b]",
      "b started in t2",
      "said b",
    ]);
    expect(inShort(all.confirm("c"))).toEqual(["c started in t2", "said c"]);
    expect(end().emitted).toEqual(["b completed in t2", "c completed in t2 merged"]);
    expect(all.isIdle).toBe(true);
  });

  test("may be withdrawn until it started, and not afterwards", () => {
    const { all, hand, end } = turns();
    hand("a");
    all.begin("user");
    hand("b");
    expect(inShort(all.withdraw("b"))).toEqual(["b cancelled"]);
    expect(all.withdraw("b")).toEqual([]);
    expect(all.withdraw("a")).toEqual([]);
    expect(end().emitted).toEqual(["a completed in t1"]);
    expect(all.isIdle).toBe(true);
  });
});

describe("a turn that Claude begins by itself", () => {
  test.each(["task", "schedule", "unknown"] as const)(
    "has its trigger, %s, and no message",
    (trigger) => {
      const { all, end } = turns();
      expect(inShort(all.begin(trigger))).toEqual([`turn t1 by ${trigger} for []`]);
      expect(end()).toEqual({
        view: { turn_id: "t1", message_ids: [], trigger, isInterrupted: false },
        emitted: [],
      });
    },
  );

  test("opens with the first thing said, and only once", () => {
    const { all } = turns();
    expect(inShort(all.ensureOpen("unknown"))).toEqual(["turn t1 by unknown for []"]);
    expect(all.ensureOpen("unknown")).toEqual([]);
    expect(all.begin("unknown")).toEqual([]);
  });

  test("while a message was handed over takes nothing of the message's", () => {
    const { all, hand, end } = turns();
    hand("a");
    all.begin("task");
    const { view, emitted } = end("task-notification");
    expect(view).toMatchObject({ turn_id: "t1", trigger: "task", message_ids: [] });
    expect(emitted).toEqual([]);
    expect(all.isIdle).toBe(false);
    // The host knows that the message started: it is not told twice.
    expect(inShort(all.begin("unknown"))).toEqual(["turn t2 by user for []"]);
    expect(all.confirm("a")).toEqual([]);
    expect(end()).toMatchObject({ view: { message_ids: ["a"] }, emitted: ["a completed in t2"] });
  });

  test("after a message was confirmed leaves the message in its turn", () => {
    const { all, hand, end } = turns();
    hand("a");
    all.confirm("a");
    expect(end("task-notification").emitted).toEqual(["a completed in t1"]);
  });
});

describe("two turns open at once, because results are held back", () => {
  test("end in the order of their starts", () => {
    const { all, hand, end } = turns();
    hand("a");
    all.begin("unknown");
    expect(all.isFollowedBy("task")).toBe(true);
    expect(inShort(all.begin("task"))).toEqual(["turn t2 by task for []"]);
    expect([all.openTurnId, all.openCount]).toEqual(["t2", 2]);
    expect(end()).toMatchObject({ view: { turn_id: "t1" }, emitted: ["a completed in t1"] });
    expect(end("task-notification")).toMatchObject({ view: { turn_id: "t2", trigger: "task" } });
    expect(all.isIdle).toBe(true);
  });

  test("are not two where an init comes again in one turn", () => {
    const { all, hand } = turns();
    hand("a");
    all.begin("unknown");
    expect(all.isFollowedBy("unknown")).toBe(false);
    expect(all.begin("unknown")).toEqual([]);
    expect(all.openCount).toBe(1);
  });

  test("are both cancelled by an exit, the words to the newer one", () => {
    const { all, hand } = turns();
    hand("a");
    all.begin("unknown");
    all.begin("task");
    expect(inShort(all.cancel("exited", "half"))).toEqual([
      'turn t1 cancelled: exited "" [a]',
      'turn t2 cancelled: exited "half" []',
      "a failed in t1",
    ]);
  });
});

describe("a result that nothing explains", () => {
  test("is for the oldest message that waits", () => {
    const { all, hand, end } = turns();
    hand("a");
    hand("b");
    hand("c");
    end();
    expect(end()).toMatchObject({
      view: { turn_id: "t2", trigger: "user", message_ids: ["b"] },
      emitted: ["turn t2 by user for []", "b started in t2", "said b", "b completed in t2"],
    });
    expect(end().view?.message_ids).toEqual(["c"]);
    expect(all.isIdle).toBe(true);
  });

  test("without any message has no turn", () => {
    const { end } = turns();
    expect(end()).toEqual({ view: undefined, emitted: [] });
  });
});

describe("an end without a result", () => {
  test("of the process fails what Claude had and cancels the turn", () => {
    const { all, hand } = turns();
    hand("a");
    hand("b");
    expect(inShort(all.cancel("shutdown", "half"))).toEqual([
      'turn t1 cancelled: shutdown "half" [a]',
      "a failed in t1",
      "b failed",
    ]);
    expect(all.isIdle).toBe(true);
    expect(all.cancel("exited", "")).toEqual([]);
  });

  test("because its line was lost completes what the turn was for", () => {
    const { all, hand } = turns();
    hand("a");
    expect(inShort(all.lose("half"))).toEqual([
      'turn t1 cancelled: line_lost "half" [a]',
      "a completed in t1",
    ]);
    expect(all.isIdle).toBe(true);
  });

  test("of a lost line without a turn is nothing", () => {
    expect(turns().all.lose("")).toEqual([]);
  });
});

describe("what a turn knows of itself", () => {
  test("an interrupt marks the turns that are open, not the next", () => {
    const { all, hand, end } = turns();
    hand("a");
    all.noteInterrupt();
    expect(end().view?.isInterrupted).toBe(true);
    hand("b");
    expect(end().view?.isInterrupted).toBe(false);
  });

  test("a command that said nothing is silent, and one that spoke is not", () => {
    const { all, hand } = turns();
    hand("/compact");
    expect([all.isSilentCommand, all.isRunning("/comp")]).toEqual([true, true]);
    all.noteContent();
    expect(all.isSilentCommand).toBe(false);
  });

  test("a turn for plain words is no command", () => {
    const { all, hand } = turns();
    expect(all.isSilentCommand).toBe(false);
    hand("words");
    expect(all.isSilentCommand).toBe(false);
  });
});
