/** Bytes that no peer writes: noise, and good lines that were cut, doubled, spliced or changed. */
import * as fc from "fast-check";
import { KIND_FIXTURES } from "../captures/kind-fixtures.ts";
import { EXAMPLES } from "../drivers/bad-host-lines.ts";

/** Bytes, and where they are cut into chunks. */
export type RandomBytes = { readonly bytes: Uint8Array; readonly cuts: readonly number[] };

const deep = (depth: number) => `${'{"a":['.repeat(depth)}1${"]}".repeat(depth)}`;

/** Bytes that replace a value, or are inserted anywhere. */
const POISON: readonly Uint8Array[] = [
  ...[
    "null",
    "1e999",
    "-1e999",
    "123456789012345678901234567890",
    "-0",
    '"\\ud800"',
    '"\u2028\u2029"',
    '"\\u0000"',
    "\0",
    "\r",
    "\r\n",
    "\n",
    '{"__proto__":{"polluted":true},"constructor":1,"toString":null}',
    '"__proto__"',
    "[[[[]]]]",
    deep(700),
    deep(30_000),
    `"${"x".repeat(5_000)}"`,
    "\uFEFF",
    '"\u{1F600}"',
  ].map((text) => Buffer.from(text)),
  Uint8Array.of(0xc3, 0x28),
  Uint8Array.of(0xed, 0xa0, 0x80),
  Uint8Array.of(0xff, 0xfe, 0x00),
];

/** One way to corrupt a line; numbers are positions in thousandths of its length. */
type Spoil =
  | { readonly how: "cut"; readonly at: number }
  | { readonly how: "double"; readonly from: number; readonly to: number }
  | { readonly how: "splice"; readonly at: number; readonly into: number }
  | { readonly how: "poison" | "replace"; readonly at: number; readonly by: number };

const place = fc.nat({ max: 1000 });
const spoil: fc.Arbitrary<Spoil> = fc.oneof(
  fc.record({ how: fc.constant("cut" as const), at: place }),
  fc.record({ how: fc.constant("double" as const), from: place, to: place }),
  fc.record({ how: fc.constant("splice" as const), at: place, into: place }),
  fc.record({
    how: fc.constantFrom("poison" as const, "replace" as const, "replace" as const),
    at: place,
    by: fc.nat({ max: POISON.length - 1 }),
  }),
);

function spoiledLine(lines: readonly Uint8Array[]): fc.Arbitrary<Uint8Array> {
  const line = fc.constantFrom(...lines);
  return fc
    .tuple(line, line, fc.array(spoil, { minLength: 1, maxLength: 3 }))
    .map(([one, other, spoils]) => spoils.reduce((bytes, how) => spoilt(bytes, other, how), one));
}

function spoilt(bytes: Uint8Array, other: Uint8Array, spoil: Spoil): Uint8Array {
  const at = (thousandths: number) => Math.floor((bytes.length * thousandths) / 1000);
  switch (spoil.how) {
    case "cut":
      return bytes.subarray(0, at(spoil.at));
    case "double":
      return Buffer.concat([bytes.subarray(0, at(spoil.to)), bytes.subarray(at(spoil.from))]);
    case "splice": {
      const into = Math.floor((other.length * spoil.into) / 1000);
      return Buffer.concat([bytes.subarray(0, at(spoil.at)), other.subarray(into)]);
    }
    case "poison":
      return inserted(bytes, at(spoil.at), 0, spoil.by);
    case "replace": {
      const [start, length] = valueAt(bytes, at(spoil.at));
      return inserted(bytes, start, length, spoil.by);
    }
  }
}

function inserted(bytes: Uint8Array, at: number, length: number, by: number): Uint8Array {
  const poison = POISON[by] ?? new Uint8Array(0);
  return Buffer.concat([bytes.subarray(0, at), poison, bytes.subarray(at + length)]);
}

/** The position and length of the first value of a key after this position. */
function valueAt(bytes: Uint8Array, from: number): [start: number, length: number] {
  const text = Buffer.from(bytes).toString("latin1");
  const found = /:("(?:[^"\\]|\\.)*"|[\w.+-]+)/.exec(text.slice(from));
  return found === null ? [from, 0] : [from + found.index + 1, found[0].length - 1];
}

/** Lines, valid and corrupted, and noise, in chunks of any size. */
function bytesFrom(lines: readonly Uint8Array[]): fc.Arbitrary<RandomBytes> {
  const piece = fc.oneof(
    { weight: 6, arbitrary: spoiledLine(lines) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) },
    { weight: 1, arbitrary: fc.constantFrom(...lines) },
  );
  const lf = Buffer.from("\n");
  return fc.record({
    bytes: fc
      .array(piece, { minLength: 1, maxLength: 6 })
      .map((pieces) => Buffer.concat(pieces.flatMap((bytes) => [bytes, lf]))),
    cuts: fc.array(place, { maxLength: 5 }),
  });
}

/** Bytes that a host may send; never `shutdown`, which would end the bridge. */
export const hostBytes = bytesFrom(
  EXAMPLES.filter(({ type }) => type !== "shutdown").map((line) =>
    Buffer.from(JSON.stringify(line)),
  ),
);

/** Bytes that Claude may print. */
export const claudeBytes = bytesFrom(
  KIND_FIXTURES.map(({ line }) => Buffer.from(JSON.stringify(line))),
);

/** The bytes in chunks. */
export function chunksOf({ bytes, cuts }: RandomBytes): Uint8Array[] {
  const places = cuts.map((cut) => Math.floor((bytes.length * cut) / 1000)).sort((a, b) => a - b);
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
}
