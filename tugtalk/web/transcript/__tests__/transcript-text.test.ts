import { expect, test } from "bun:test";
import type { TranscriptItem, Turn } from "../../../client/transcript-models.ts";
import { Announcements } from "../announcements.ts";
import { attachedFiles } from "../attachments.tsx";
import { amountsOf, answerOf, callsOf, outcomeOf } from "../turn-end.ts";
import { TURN, textItem as text } from "./support/sample-turn.ts";

const CALL: TranscriptItem = { kind: "tool", key: "c", toolUseId: "c", status: "done" };

test("a turn that ended well has no outcome, and each other end has its words", () => {
  expect(outcomeOf(TURN)).toBeUndefined();
  expect(outcomeOf({ ...TURN, status: "unknown" })).toBeUndefined();
  const ended = (status: Turn["status"], subtype: string) =>
    outcomeOf({ ...TURN, status, end: { subtype, isError: true } });
  expect(ended("cancelled", "success")).toBe("Interrupted");
  expect(ended("cancelled", "exited")).toBe("Claude ended before it had answered");
  expect(ended("error", "error_max_turns")).toBe("Stopped: it took more steps than allowed");
  expect(ended("error", "constructor")).toBe("Failed");
});

test("the amounts of a turn are those that are known, with all input tokens in one sum", () => {
  const cost = { durationMs: 34_000, costUsd: 1.5, inputTokens: 10, outputTokens: 20 };
  const model = "claude-opus-4-5-20251101";
  expect(amountsOf({ ...TURN, model, cost: { ...cost, cacheReadTokens: 1_190 } })).toEqual([
    "34 s",
    "$1.50",
    "1.2k in, 20 out",
    "opus-4-5",
  ]);
  expect(amountsOf({ ...TURN, cost: { inputTokens: 0, outputTokens: 0 } })).toEqual([]);
  expect(amountsOf(TURN)).toEqual([]);
});

test("the answer of a turn is its texts, and its calls count those of its agents", () => {
  const turn = { ...TURN, items: [text("One."), CALL, text("Two.")], agents: { c: [CALL] } };
  expect(answerOf(turn)).toBe("One.\n\nTwo.");
  expect(callsOf(turn)).toBe(2);
});

test("a paragraph is announced once when it is finished, and the end of a turn after its texts", () => {
  const running: Turn = { ...TURN, status: "running" };
  const announcements = new Announcements();
  const next = (words: string, isStreaming = true) =>
    announcements.next([], [{ ...running, items: [text(words, isStreaming)] }]);
  expect(next("Ea")).toEqual([]);
  expect(next("Early.\n\nNo")).toEqual(["Early."]);
  expect(next("Early.\n\nNow")).toEqual([]);
  const ended = { ...TURN, items: [text("Early.\n\nNow.")] };
  expect(announcements.next([], [ended])).toEqual(["Now.", "Claude has finished"]);
  expect(announcements.next([], [ended])).toEqual([]);
  expect(announcements.next([ended], [])).toEqual([]);
});

test("a turn that has begun and ended between two looks is announced, open or not", () => {
  const turnWith = (key: string) => ({ ...TURN, key, items: [text(`${key}.`, false, key)] });
  const [old, first] = [turnWith("old"), turnWith("first")];
  const [second, third] = [turnWith("second"), turnWith("third")];
  const announcements = new Announcements();
  expect(announcements.next([old], [])).toEqual([]);
  expect(announcements.next([old, first], [])).toEqual(["first.", "Claude has finished"]);
  expect(announcements.next([old, first, second], [third])).toEqual([
    "second.",
    "third.",
    "Claude has finished",
    "Claude has finished",
  ]);
  // An older page comes in front.
  expect(announcements.next([turnWith("older"), old, first, second], [third])).toEqual([]);
});

test("parts that are there when the page opens are not announced", () => {
  const announcements = new Announcements();
  expect(announcements.next([], [{ ...TURN, items: [text("Old.")] }])).toEqual([]);
  expect(announcements.next([], [TURN])).toEqual([]);
});

test("attached images are drawn if the browser can draw them safely, and all else has a name", () => {
  const image = (media_type: string) => ({
    type: "image",
    source: { type: "base64", media_type, data: "AAAA" },
  });
  const document = { type: "document", title: "notes.txt" };
  expect(attachedFiles([{ type: "text" }, image("image/png"), document])).toEqual([
    { kind: "image", mediaType: "image/png", data: "AAAA" },
    { kind: "file", name: "notes.txt" },
  ]);
  expect(attachedFiles([image("image/svg+xml"), { type: "image" }])).toEqual([
    { kind: "file", name: "An image" },
    { kind: "file", name: "An image" },
  ]);
});
