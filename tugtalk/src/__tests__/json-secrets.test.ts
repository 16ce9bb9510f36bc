/** Text that looks like JSON and was not read: what of it is a secret. Every secret is made up. */
import { expect, test } from "bun:test";
import { findSecretFields } from "../json-secrets.ts";

const secretsIn = (text: string) =>
  findSecretFields(text).map(({ start, end }) => text.slice(start, end));

const inner = (value: unknown) => JSON.stringify(JSON.stringify(value)).slice(1, -1);

test.each([
  ['{"options":{"env":{"FOO":"one","BAR":"two"}},}', ["one", "two"]],
  ['{"env":{"FOO":"one"},"cwd":"/work"', ["one"]],
  ['{"env":{"FOO":"one', ["one"]],
  [
    '{"env": {"FOO" : "a \\"b\\" {c}", "D": 12, "E": {"F": "g"}}, "h": "i"',
    ['a \\"b\\" {c}', "12", "g"],
  ],
  ['"headers" : {"X-Own":"Own one"},', ["Own one"]],
  ['{"env":[{"name":"FOO","value":"one"}],"x":"y",', ["FOO", "one"]],
  ["{env: {FOO: 'one'}, x: 'y'", ["'one'"]],
  ['{"env":{"FOO":one","BAR":"two"}}', ["one", ",", "BAR", ":", "two", "}}"]],
  ['{"env":{"FOO:"one","BAR":"two"}}', ["FOO:", "one", ",", "BAR", ":", "two", "}}"]],
  [`{"mcp_config":"${inner({ env: { A: 'o"n\\e' } })}",}`, ['o\\\\\\"n\\\\\\\\e']],
  ['{"client_secret":"one two","x":"y",', ["one two"]],
  ['{"passwords":["one"],"max_tokens":4096,"tokens":{"used":"5"},', ["one"]],
  ['{"type":"result","text":"env: none, headers: {}"', []],
] as const)("of %s that is %j", (text, secrets) => {
  expect<readonly string[]>(secretsIn(text)).toEqual(secrets);
});

test.each([
  '"env":{',
  '"env":{"a',
  '"env":{"a":',
  '"env":[{"a":"b"},',
  '"secret":"',
  '"secret":\\\\\\"',
  "env:",
  "env",
  "\\",
  '"',
  " ",
  "a-",
])("a text of nothing but %j is looked through before anybody waits for it", (start) => {
  const text = `"env": {${start.repeat(Math.ceil(400_000 / start.length))}`;
  const from = performance.now();
  findSecretFields(text);
  findSecretFields(text.slice(8));
  expect(performance.now() - from).toBeLessThan(3000);
});
