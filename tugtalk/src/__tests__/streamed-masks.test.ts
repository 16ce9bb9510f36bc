/** Texts that come in pieces: what is masked is the same wherever they are cut. */
import { describe, expect, test } from "bun:test";
import { Masks } from "../masks.ts";
import { StreamedMasks } from "../streamed-masks.ts";

/** Made up. */
const TEXTS = [
  "Use sk-ant-api03-abcdefgh1234 for it, then forget it.",
  "Say Authorization: Bearer abcd.efgh-1234 and go on with the work.",
  'It is "api_key": "abc123def456", or https://user:pa55word@host/ as you like.',
  "-----BEGIN PRIVATE KEY-----\nMIIE abc\ndef ghi\njkl mno\n-----END PRIVATE KEY-----\nand on.",
  "Nothing secret is in here at all, only words.",
  "alice wrote to alice@example.org.",
  "kitten-of-mine",
];

const newMasks = () => new Masks({ env: { PASSWORD: "kitten-of-mine" }, names: ["alice"] });

function streamed(pieces: readonly string[]): (string | undefined)[] {
  const streams = new StreamedMasks(newMasks());
  const taken = pieces.map((piece) => streams.take("a", piece));
  streams.end("a");
  return taken.map(({ masked }) => masked);
}

describe.each(TEXTS)("%j", (text) => {
  const whole = newMasks().maskText(text);

  test("cut in two anywhere it is masked like the whole, piece by piece", () => {
    for (let at = 0; at <= text.length; at += 1) {
      const pieces = [text.slice(0, at), text.slice(at)];
      expect(streamed(pieces)).toEqual([whole.slice(0, at), whole.slice(at)]);
    }
  });

  test.each([1, 2, 3, 7])("in pieces of %d it is masked like the whole", (size) => {
    const pieces = text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
    expect(streamed(pieces).join("")).toBe(whole);
  });
});

test("what lies behind some words is decided, and the last words wait", () => {
  const streams = new StreamedMasks(newMasks());
  const pieces = ["one two ", "three four ", "five six ", "seven"].map((piece) =>
    streams.take("a", piece),
  );
  expect(pieces.map(({ masked }) => masked)).toEqual(["one two ", undefined, undefined, undefined]);
});

test("texts under other keys are other texts", () => {
  const streams = new StreamedMasks(newMasks());
  const one = streams.take("a/1", "sk-ant-abcd");
  const other = streams.take("b/1", "efgh");
  streams.end("a/");
  expect([one.masked, other.masked]).toEqual(["[secret-2*]", undefined]);
});

test("a text without a space is decided in between, in time that grows with its length only", () => {
  const streams = new StreamedMasks(newMasks());
  const pieces = Array.from({ length: 2000 }, () => streams.take("a", "x".repeat(1000)));
  const undecided = pieces.filter(({ masked }) => masked === undefined);
  expect(undecided.length).toBeLessThan(10);
  streams.end("a");
  expect(pieces.every(({ masked, text }) => masked === text)).toBe(true);
});
