/** Which lines say the same although their ids are others. */
import { expect, test } from "bun:test";
import { Renaming } from "../renaming.ts";

const id = (number: number) => `${String(number).repeat(8)}-0000-4000-8000-000000000000`;
const [A, B, C, D] = [id(1), id(2), id(3), id(4)] as const;

test("ids may differ, in whole strings, in parts of them and in names of fields", () => {
  const renaming = new Renaming();
  expect(renaming.isSame({ a: A, b: [`--resume=${B}`] }, { a: C, b: [`--resume=${D}`] })).toBe(
    true,
  );
  expect(renaming.isSame({ [A]: 1 }, { [C]: 1 })).toBe(true);
  expect(renaming.rename(`x ${A} y ${B}`)).toBe(`x ${C} y ${D}`);
});

test("one id is one id: what is learned holds", () => {
  const renaming = new Renaming();
  expect(renaming.isSame(A, C)).toBe(true);
  expect(renaming.isSame(A, D)).toBe(false);
  expect(renaming.isSame(B, C)).toBe(false);
  expect(renaming.isSame([B, B], [D, B])).toBe(false);
  expect(renaming.isSame([B, B], [D, D])).toBe(true);
});

test("an id that came from outside keeps its name", () => {
  const renaming = new Renaming();
  expect(renaming.rename(A)).toBe(A);
  expect(renaming.isSame(A, C)).toBe(false);
  expect(renaming.isSame(A, A)).toBe(true);
});

test("nothing is learned of lines that are not the same, unless it is asked for", () => {
  const renaming = new Renaming();
  expect(renaming.isSame({ a: A, b: 1 }, { a: C, b: 2 })).toBe(false);
  expect(renaming.isSame(A, D)).toBe(true);
  const other = new Renaming();
  other.learnFrom({ a: A, b: 1 }, { a: C, b: 2 });
  expect(other.rename(A)).toBe(C);
});

test("ids are those of now in a line that is no UTF-8 too", () => {
  const renaming = new Renaming();
  renaming.learnFrom(A, C);
  const bytes = (id: string) => Buffer.concat([Buffer.from([0xff]), Buffer.from(`ä ${id}`)]);
  const [line, other] = renaming.linesOf({
    lines: [{ $base64: bytes(A).toString("base64") }, { "ä €": A }],
  });
  expect(line).toEqual(bytes(C));
  expect(other).toEqual(Buffer.from(JSON.stringify({ "ä €": C })));
});

const OTHERS: readonly (readonly [then: unknown, now: unknown])[] = [
  [1, 2],
  [1, "1"],
  [null, {}],
  [{}, []],
  [[1], [1, 2]],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, {}],
  ["a", "b"],
  [`${A}`, `${A} `],
  ["***", "ab"],
  ["a***", "bcde"],
  ["*****", "alice"],
];

test.each([...OTHERS])("%p and %p are not the same", (then, now) => {
  expect(new Renaming().isSame(then, now)).toBe(false);
});

test("what was masked may be anything of its length", () => {
  const [then, now] = [["no ***** [secret-1**]!"], ["no alice my-own-value!"]];
  expect(new Renaming(new Set([then])).isSame(then, now)).toBe(true);
  expect(new Renaming().isSame(then, now)).toBe(false);
});
