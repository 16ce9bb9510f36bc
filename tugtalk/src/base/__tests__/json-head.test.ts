/** The first fields of a JSON object that is cut off. */
import { expect, test } from "bun:test";
import { headFields } from "../json-head.ts";

test.each([
  ['{"id":"a","channel":"b","text":"cut', { id: "a", channel: "b" }],
  [' { "n" : -1.5e3 , "flag":true,"none":null,"text":"', { n: -1500, flag: true, none: null }],
  ['{"id":"a\\"b\\u0041","text":"', { id: 'a"bA' }],
  ['{"id":"a"}', { id: "a" }],
  ['{"inner":{"id":"a"},"id":"b","text":"', {}],
  ['{"list":["id"],"id":"b","text":"', {}],
  ['{"text":"\\",\\"id\\":\\"a\\",', {}],
  ['{"id":"a', {}],
  ['[{"id":"a"},', {}],
  ['"id":"a",', {}],
  ["{", {}],
  ["", {}],
  ['{"id":nonsense,"channel":"b",', {}],
])("%s begins with the fields %j", (text, fields) => {
  expect(headFields(text)).toEqual(fields);
});

test("the beginning of a very long text takes no time that grows with its square", () => {
  expect(headFields(`{"a":"${"x\\n".repeat(100_000)}`)).toEqual({});
  expect(headFields(`{${'"a":1,'.repeat(100_000)}`)).toEqual({ a: 1 });
});
