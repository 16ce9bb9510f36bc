/** Lines of the bridge as messages. */
import { expect, test } from "bun:test";
import { parse } from "../parse.ts";

test("a line with a type is a message, also one of a type that this version does not know", () => {
  expect(parse('{"type":"from_the_future","a":[1]}')).toEqual({
    type: "from_the_future",
    a: [1],
  } as never);
});

const WRONG: readonly (readonly [string, string])[] = [
  ["hello", "not JSON: hello"],
  ["", "not JSON: "],
  ["[1]", 'expected an object with a "type": [1]'],
  ["null", 'expected an object with a "type": null'],
  ['{"type":1}', 'expected an object with a "type": {"type":1}'],
  ["x".repeat(100), `not JSON: ${"x".repeat(80)}…`],
];

test.each([...WRONG])("the line %j is refused with an error that ends with %j", (line, end) => {
  expect(() => parse(line)).toThrow(`not a message of tugtalk: ${end}`);
});
