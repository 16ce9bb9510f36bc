/**
 * When the host gets the lines that Claude has appended, and of which turns it learns that it has them whole.
 */
import { expect, test } from "bun:test";
import { fakeClock, settlePromises } from "../../../testing/drivers/fake-claude.ts";
import type { OutboundDraft } from "../../types.ts";
import type { TranscriptMessage } from "../mirrored-files.ts";
import { TranscriptMirror } from "../transcript-mirror.ts";

const INIT = { type: "session_init", session_id: "s", mode: "new" } as const;
const CUT_OFF = {
  type: "turn_cancelled",
  partial_result: "",
  trigger: "user",
  reason: "stalled",
} as const;
const file = "s.jsonl";

function openMirror() {
  const clock = fakeClock();
  const emitted: OutboundDraft[] = [];
  const disk: TranscriptMessage[] = [];
  const rounds: (readonly string[])[] = [];
  let room: Promise<void> | undefined;
  let isFailing = false;
  let offset = 0;
  const mirror = new TranscriptMirror({
    clock,
    emit: (message) => void emitted.push(message),
    flush: () => room,
    next: async (ids) => {
      if (isFailing) throw new Error("the disk is gone");
      const next = disk.shift();
      if (next === undefined) rounds.push(ids);
      return next;
    },
  });
  mirror.observe(INIT);
  return {
    clock,
    emitted,
    mirror,
    rounds,
    fail: () => {
      isFailing = true;
    },
    /** The host reads no more until the promise resolves. */
    block: (until: Promise<void>) => {
      room = until;
    },
    /** Claude writes a line. */
    write: (line: object) => {
      const text = JSON.stringify(line);
      disk.push({ type: "transcript_lines", session_id: "s", file, offset, lines: [text] });
      offset += text.length + 1;
    },
    /** A turn ends with this answer. */
    endTurn: async (turn_id: string, uuid?: string) => {
      if (uuid !== undefined) mirror.observe(answered(uuid));
      mirror.observe({ ...CUT_OFF, turn_id, message_ids: [] });
      await settlePromises();
    },
    wait: async (ms: number) => {
      clock.advance(ms);
      await settlePromises();
    },
  };
}

const answered = (uuid: string): OutboundDraft => ({
  type: "assistant_text",
  msg_id: "m",
  block_index: 0,
  status: "complete",
  is_partial: false,
  text: "hello",
  uuid,
});

test("the end of a turn that is on disk is sent at once, with its turn", async () => {
  const { write, endTurn, emitted, clock } = openMirror();
  write({ uuid: "a" });
  write({ uuid: "b" });
  await endTurn("t", "b");
  expect(emitted).toMatchObject([
    { offset: 0, lines: ['{"uuid":"a"}'] },
    { offset: 13, through_turn_id: "t" },
  ]);
  expect(emitted[0]).not.toHaveProperty("through_turn_id");
  expect(clock.openTimers()).toBe(0);
});

test("the end of a turn that comes late is waited for", async () => {
  const { write, endTurn, emitted, wait, clock } = openMirror();
  write({ uuid: "a" });
  await endTurn("t", "b");
  expect(emitted).toHaveLength(1);
  await wait(50);
  write({ uuid: "b" });
  await wait(100);
  expect(emitted.at(-1)).toMatchObject({ lines: ['{"uuid":"b"}'], through_turn_id: "t" });
  expect(clock.openTimers()).toBe(0);
});

test("an end that was sent before the turn ended is confirmed without lines", async () => {
  const { write, endTurn, emitted } = openMirror();
  write({ uuid: "a" });
  write({ uuid: "b" });
  await endTurn("t", "a");
  await endTurn("u", "b");
  expect(emitted).toMatchObject([
    { lines: ['{"uuid":"a"}'], through_turn_id: "t" },
    { lines: ['{"uuid":"b"}'] },
    { offset: 26, lines: [], through_turn_id: "u" },
  ]);
});

test("an end that does not come is reported as late, and sent when it comes with a later turn", async () => {
  const { write, endTurn, emitted, wait, clock } = openMirror();
  await endTurn("t", "a");
  for (let waits = 0; waits < 8; waits += 1) await wait(2_000);
  expect(emitted).toMatchObject([{ type: "transcript_failed", session_id: "s", reason: "late" }]);
  expect(clock.openTimers()).toBe(0);
  write({ uuid: "a" });
  write({ uuid: "b" });
  await endTurn("u", "b");
  expect(emitted.slice(1)).toMatchObject([{ offset: 0 }, { through_turn_id: "u" }]);
});

test("a turn without an answer is looked for some times, and not confirmed", async () => {
  const { write, endTurn, emitted, wait, rounds, clock } = openMirror();
  await endTurn("t");
  write({ type: "system" });
  for (let waits = 0; waits < 8; waits += 1) await wait(2_000);
  expect(emitted).toMatchObject([{ lines: ['{"type":"system"}'] }]);
  expect(emitted[0]).not.toHaveProperty("through_turn_id");
  expect(rounds).toHaveLength(5);
  expect(clock.openTimers()).toBe(0);
});

const tool = { msg_id: "m", block_index: 0, tool_use_id: "x", tool_name: "Bash" };
const MARKS: readonly (readonly [last: OutboundDraft, line: object, isMark: boolean])[] = [
  [{ type: "tool_use", ...tool, status: "complete", input: {} }, { id: "x" }, true],
  [{ type: "tool_use", ...tool, status: "streaming" }, { id: "x" }, false],
  [
    { type: "tool_result", tool_use_id: "x", output: "", is_error: false },
    { tool_use_id: "x" },
    true,
  ],
  [{ type: "tool_result", tool_use_id: "x", output: "", is_error: false }, { id: "x" }, false],
  [{ ...answered("x"), parent_tool_use_id: "p" }, { uuid: "x" }, false],
  [answered("x"), { text: '"uuid":"x"' }, false],
];
test.each(MARKS)(
  "after %j the line %j may be the end of the turn: %j",
  async (last, line, isMark) => {
    const { mirror, write, endTurn, emitted } = openMirror();
    mirror.observe(last);
    write(line);
    await endTurn("t");
    expect(emitted[0]).toMatchObject({ lines: [JSON.stringify(line)] });
    expect("through_turn_id" in (emitted[0] ?? {})).toBe(isMark);
  },
);

test("after the exit the rest is sent, and then nothing is looked for", async () => {
  const { mirror, write, endTurn, emitted, wait, rounds, clock } = openMirror();
  await endTurn("t", "a");
  write({ uuid: "late" });
  await mirror.settle();
  expect(emitted).toMatchObject([{ lines: ['{"uuid":"late"}'] }]);
  await endTurn("u", "b");
  await wait(10_000);
  expect(rounds).toHaveLength(2);
  expect(clock.openTimers()).toBe(0);
});

test("a conversation that /clear has left is read until the process is gone", async () => {
  const { mirror, endTurn, rounds } = openMirror();
  mirror.observe({ ...INIT, session_id: "n", mode: "clear" });
  await endTurn("t");
  await mirror.settle();
  mirror.observe({ ...INIT, session_id: "n", mode: "resume" });
  await endTurn("u");
  expect(rounds).toEqual([["s", "n"], ["s", "n"], ["n"]]);
});

test("of the conversations that a process has left the newest are read", async () => {
  const { mirror, endTurn, rounds } = openMirror();
  const ids = Array.from({ length: 20 }, (_, at) => `n${at}`);
  for (const session_id of ids) mirror.observe({ ...INIT, session_id, mode: "clear" });
  await endTurn("t");
  expect(rounds).toEqual([ids.slice(4)]);
});

test("each piece waits until the host has read those before", async () => {
  const { mirror, write, emitted, block } = openMirror();
  const { promise, resolve } = Promise.withResolvers<void>();
  block(promise);
  write({ uuid: "a" });
  const settled = mirror.settle();
  await settlePromises();
  expect(emitted).toEqual([]);
  resolve();
  await settled;
  expect(emitted).toHaveLength(1);
});

test("a failure of the disk is reported, and holds no exit up", async () => {
  const { mirror, fail, emitted } = openMirror();
  fail();
  await mirror.settle();
  expect(emitted).toMatchObject([{ reason: "unreadable", message: "the disk is gone" }]);
});
