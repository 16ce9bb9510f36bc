/** Masking of messages. Every secret and every name is made up. */
import { describe, expect, test } from "bun:test";
import { maskJson } from "../mask-json.ts";
import { TextMask } from "../mask-text.ts";

const newMask = () => new TextMask({ env: {}, home: "/home/bob" });

const masked = <Value>(value: Value) => maskJson(value, newMask());

test("the environment and the headers of MCP servers are masked, and then masked in all texts", () => {
  const mask = newMask();
  const servers = {
    one: { command: "run", env: { A: "my-own-value", B: "1" } },
    two: { url: "http://x", headers: { Accept: "text/plain", "X-Own": "Own another-value" } },
  };
  expect(maskJson({ type: "control", servers }, mask).servers).toEqual({
    one: { command: "run", env: { A: "████████████", B: "█" } },
    two: { url: "http://x", headers: { Accept: "██████████", "X-Own": "█████████████████" } },
  });
  expect(mask.mask("my-own-value, another-value, text/plain")).toBe(
    "████████████, █████████████, text/plain",
  );
});

test("JSON in an argument, and in `mcp_config` as text, is masked like a message", () => {
  const config = JSON.stringify({ mcpServers: { a: { env: { A: "no" } } } });
  const hidden = config.replace("no", "██");
  expect(masked([`--mcp-config=${config}`])).toEqual([`--mcp-config=${hidden}`]);
  expect(masked({ mcp_config: config })).toEqual({ mcp_config: hidden });
});

test("an argument is masked after a flag with the name of a secret", () => {
  const args = ["--token", "abc", "--api-key=x y", "--token-limit", "12", "-p", "--verbose"];
  expect(masked({ args })).toEqual({
    args: ["--token", "███", "--api-key=███", ...args.slice(3)],
  });
});

describe("fields with the name of a secret", () => {
  test.each([
    [
      { password: 84729163123456, pin: 1 },
      { password: 0, pin: 1 },
    ],
    [
      { api_keys: ["Zq9"], tokens: ["a"] },
      { api_keys: ["███"], tokens: ["█"] },
    ],
    [{ passwords: { db: "x", port: 5 } }, { passwords: { db: "█", port: 0 } }],
    [
      { cookies: "a=b", auth: "c" },
      { cookies: "███", auth: "█" },
    ],
    [
      { pass: "d", pwd: "e", db_pass: "f" },
      { pass: "█", pwd: "█", db_pass: "█" },
    ],
  ])("fields with the name of a secret are masked in %j", (said, hidden) => {
    expect<unknown>(masked(said)).toEqual(hidden);
  });

  test("fields with token counts or similar names are not masked", () => {
    const said = {
      max_thinking_tokens: 31999,
      usage: {
        input_tokens: 12,
        output_tokens: 3,
        token: 1,
        tokens: { used: 5 },
        used_tokens: "9",
      },
      compass: "north",
      author: "me",
    };
    expect(masked(said)).toEqual(said);
  });
});

test("field names are masked like texts, and none is lost", () => {
  const answers = {
    "Mail ann@example.com?": "yes",
    "Mail bob@example.com?": "no",
    "/home/bob": "one",
  };
  expect<unknown>(masked(answers)).toEqual({
    "Mail ███████████████?": "yes",
    "Mail ███████████████?█": "no",
    "/home/███": "one",
  });
});

test("a message without secrets is unchanged", () => {
  const message = { type: "user", list: [{ a: 1 }, null, "x"] };
  expect(masked(message)).toEqual(message);
});

const PICTURE = `iVBORw0KGgoAAAANSUhEUgAA+bob/AAA+++/AIza${"A".repeat(40)}`;

test.each([
  { attachments: [{ filename: "a.png", media_type: "image/png", content: PICTURE }] },
  { source: { type: "base64", media_type: "image/png", data: PICTURE } },
  { source: { type: "base64", media_type: "application/pdf", data: `${PICTURE}AA==` } },
])("%j is a file in base64 and is unchanged", (said) => {
  expect<unknown>(masked(said)).toEqual(said);
});

test.each([
  { media_type: "text/plain", content: PICTURE },
  { media_type: "image/png", filename: PICTURE },
  { media_type: "image/png", content: `${PICTURE}.` },
  { type: "image/png", content: PICTURE },
])("%j is not a file in base64 and is masked", (said) => {
  expect(JSON.stringify(masked(said))).not.toContain("AIza");
});
