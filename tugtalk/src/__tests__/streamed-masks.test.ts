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

/** Secrets that have any number of words. */
const LONG_TEXTS = [
  "Send it with Cookie: theme=dark; lang=en; tz=utc; ab=1; sid=Own; x=y\nand some more words follow.",
  '{"password": "correct horse battery staple zebra yellow quick", "next": 1, and more words go on',
  "Say out of all these words none is mine at all to them, and go on as ever.",
];

const PHRASE = "out of all these words none is mine at all";

const newMasks = () =>
  new Masks({ env: { PASSWORD: "kitten-of-mine", PHRASE_SECRET: PHRASE }, names: ["alice"] });

function streamed(pieces: readonly string[]): (string | undefined)[] {
  const streams = new StreamedMasks(newMasks());
  const taken = pieces.map((piece) => streams.take("a", piece));
  streams.end("a");
  return taken.map(({ masked }) => masked);
}

describe.each([...TEXTS, ...LONG_TEXTS])("%j", (text) => {
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

test.each(TEXTS)("of %j that stands still anywhere every secret is hidden", (text) => {
  const secrets = newMasks().rangesIn(text);
  for (let first = 1; first < text.length; first += 1)
    for (const second of [first + 1, first + 5, first + 20]) {
      const masks = newMasks();
      const streams = new StreamedMasks(masks);
      const cut = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      const taken = cut.map((piece, index) => {
        const masked = streams.take("a", piece);
        if (index < 2) streams.decideAll();
        return masked;
      });
      streams.end("a");
      const masked = taken.map((piece) => piece.masked).join("");
      expect(masked).toHaveLength(text.length);
      for (const { start, end } of secrets)
        expect(masked.slice(start, end)).toMatch(/^[*[]?[secrt\d*-]*[*\]]$/);
      // The whole text comes in one piece later on.
      expect(masks.maskText(text)).toBe(masked);
    }
});

test.each(LONG_TEXTS)("%j is masked like the whole, cut in three anywhere", (text) => {
  const whole = newMasks().maskText(text);
  expect(whole).not.toBe(text);
  for (let first = 1; first < text.length; first += 1)
    for (let second = first + 1; second < text.length; second += 1) {
      const cuts = [text.slice(0, first), text.slice(first, second), text.slice(second)];
      expect(streamed(cuts).join("")).toBe(whole);
    }
});

test.each(LONG_TEXTS)("of %j that stands still twice, anywhere, every secret is hidden", (text) => {
  const secrets = newMasks().rangesIn(text);
  for (let first = 1; first < text.length; first += 1)
    for (let second = first + 1; second < text.length; second += 1) {
      const streams = new StreamedMasks(newMasks());
      const taken = [streams.take("a", text.slice(0, first))];
      streams.decideAll();
      taken.push(streams.take("a", text.slice(first, second)));
      streams.decideAll();
      taken.push(streams.take("a", text.slice(second)));
      streams.end("a");
      const masked = taken.map((piece) => piece.masked).join("");
      for (const { start, end } of secrets)
        expect(masked.slice(start, end)).toMatch(/^[*[]?[secrt\d*-]*[*\]]$/);
    }
});

test("what a standing text has told for sure stays, and so does what comes behind a secret", () => {
  const streams = new StreamedMasks(newMasks());
  const one = streams.take("a", "these words are known: one two three sk-ant-");
  streams.decideAll();
  const other = streams.take("a", "abcdefgh and this is all that there is to say");
  streams.end("a");
  expect([one.masked, other.masked]).toEqual([
    `these words are known: ${"*".repeat(21)}`,
    "-3*****] and this is all that there is to say",
  ]);
});

test("a private key that is longer than what may wait is masked to its end", () => {
  const streams = new StreamedMasks(newMasks());
  const lines = Array.from({ length: 1000 }, (_, index) => `MIIE${index} abcdefgh\n`);
  const end = "-----END PRIVATE KEY-----\n";
  const pieces = ["-----BEGIN PRIVATE KEY-----\n", ...lines, end, "and on"].map((piece) =>
    streams.take("a", piece),
  );
  streams.end("a");
  const masked = pieces.map((piece) => piece.masked).join("");
  expect(masked).toMatch(/^\*+\]?\nand on$/);
});

test("a secret at the end of a long text without spaces is masked to its end", () => {
  for (let cut = 1; cut < 30; cut += 1) {
    const streams = new StreamedMasks(newMasks());
    const secret = "sk-ant-abcdefghijklmnopqrstuvwxyz";
    const pieces = [`${"x".repeat(10_000)}/${secret.slice(0, cut)}`, secret.slice(cut)].map(
      (piece) => streams.take("a", piece),
    );
    streams.end("a");
    const masked = pieces.map((piece) => piece.masked).join("");
    expect(masked.slice(0, 10_001)).toBe(`${"x".repeat(10_000)}/`);
    expect(masked.slice(10_001)).toMatch(/^\[secret-3\*{23}\]$/);
  }
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
  expect([one.masked, other.masked]).toEqual(["[secret-3*]", undefined]);
});

test("a text without a space is decided in between, in time that grows with its length only", () => {
  const streams = new StreamedMasks(newMasks());
  const pieces = Array.from({ length: 2000 }, () => streams.take("a", "x".repeat(1000)));
  const undecided = pieces.filter(({ masked }) => masked === undefined);
  expect(undecided.length).toBeLessThan(10);
  streams.end("a");
  expect(pieces.every(({ masked, text }) => masked === text)).toBe(true);
});
