/** One line of the host: its message, or its one error. */
import { expect, test } from "bun:test";
import { BAD_LINES, EXAMPLES } from "../../../testing/drivers/bad-host-lines.ts";
import { parseInboundLine } from "../inbound-line.ts";

const bytes = (line: string | Uint8Array) => Buffer.from(line);

test("an example of each message type is parsed", () => {
  for (const example of EXAMPLES)
    expect(parseInboundLine(bytes(JSON.stringify(example)))).toEqual({ message: example as never });
});

test("each invalid line is a problem with its code, and nothing throws", () => {
  expect(BAD_LINES.length).toBeGreaterThan(500);
  for (const { name, line, code, reply } of BAD_LINES) {
    const parsed = parseInboundLine(bytes(line));
    if (!("problem" in parsed)) throw new Error(`${name} was accepted`);
    const { code: found, in_reply_to, message } = parsed.problem;
    expect({ name, found, in_reply_to }).toEqual({
      name,
      found: code as never,
      in_reply_to: reply,
    });
    expect(message).toMatch(/^[^:; ]/);
    expect(message).not.toContain("; : ");
  }
});

test.each([
  ["my-secret", "not a line of JSON"],
  ['{"a": my-secret}', "not a line of JSON"],
  [new Uint8Array([0xff]), "not UTF-8"],
])("%p is bad_json, and the problem does not repeat the line", (line, message) => {
  expect(parseInboundLine(bytes(line))).toEqual({ problem: { code: "bad_json", message } });
});

const problemOf = (line: object) => parseInboundLine(bytes(JSON.stringify(line)));

test("the problem of an invalid line has the ids of the line", () => {
  const line = { type: "tool_approval", id: "i", request_id: "r", message_id: "m" };
  expect(problemOf(line)).toMatchObject({
    problem: { code: "bad_message", in_reply_to: "i", request_id: "r", message_id: "m" },
  });
});

test("the problem of an invalid line leaves out ids that are not strings", () => {
  const parsed = problemOf({ type: "shout", id: 7, request_id: null, message_id: {} });
  expect(parsed).toEqual({ problem: { code: "unknown_type", message: "unknown type: shout" } });
});

test("the problem of an invalid line cuts a long type", () => {
  const parsed = problemOf({ type: "x".repeat(10_000) });
  expect(JSON.stringify(parsed).length).toBeLessThan(300);
});

test.each([
  { type: "hook_answer", request_id: "r", context: "x" },
  { type: "host_tool_answer", request_id: "r", content: [{ type: "text", text: "x" }] },
])("an answer of the host's program has at most 10 MiB: %p", (answer) => {
  const short = JSON.stringify(answer);
  const filled = (characters: number) => bytes(short.replace(`"x"`, `"${"x".repeat(characters)}"`));
  expect(parseInboundLine(filled(10 * 1024 * 1024 - 1024))).toHaveProperty("message");
  expect(parseInboundLine(filled(10 * 1024 * 1024))).toMatchObject({
    problem: { code: "bad_message", request_id: "r", message: "longer than 10485760 bytes" },
  });
});

test("the problem of an invalid line names the invalid field", () => {
  expect(problemOf({ type: "tool_approval", request_id: "r", decision: "maybe" })).toMatchObject({
    problem: { message: expect.stringContaining("decision") },
  });
});

test.each([
  ["an unknown subtype", { subtype: "fly" }, /^subtype: fly is not a control request/],
  ["a missing field", { subtype: "mcp_toggle", serverName: "s" }, /^enabled: Invalid input/],
  ["an invalid field", { subtype: "set_color", color: 7 }, /^color: Invalid input/],
])(
  "a refused control request has an error that begins with its cause: %s",
  (_name, fields, message) => {
    const parsed = parseInboundLine(bytes(JSON.stringify({ type: "control", ...fields })));
    if (!("problem" in parsed)) throw new Error("it was taken");
    expect(parsed.problem.message).toMatch(message);
  },
);

/** Records that a host fills, each with the key `__proto__` at its top. */
const PROTO = '{"__proto__":"kept"}';
const PROTO_LINES: readonly (readonly [field: string, line: string])[] = [
  ["answers", `{"type":"question_answer","request_id":"r","answers":${PROTO}}`],
  [
    "annotations",
    `{"type":"question_answer","request_id":"r","answers":{},"annotations":${PROTO}}`,
  ],
  [
    "updatedInput",
    `{"type":"tool_approval","request_id":"r","decision":"allow","updatedInput":${PROTO}}`,
  ],
  [
    "content",
    `{"type":"elicitation_answer","request_id":"r","action":"accept","content":${PROTO}}`,
  ],
  ["result", `{"type":"dialog_answer","request_id":"r","behavior":"completed","result":${PROTO}}`],
  ["arguments", `{"type":"control","subtype":"mcp_call","tool":"t","arguments":${PROTO}}`],
  ["settings", `{"type":"control","subtype":"apply_flag_settings","settings":${PROTO}}`],
  [
    "servers",
    '{"type":"control","subtype":"mcp_set_servers","servers":{"__proto__":{"command":"x"}}}',
  ],
  ...["env", "mcp_config", "settings", "json_schema"].map(
    (option) =>
      [
        `options.${option}`,
        `{"type":"protocol_init","version":2,"options":{"${option}":${PROTO}}}`,
      ] as const,
  ),
];

test.each([...PROTO_LINES])(
  "the key __proto__ in %s is kept like any other key",
  (_field, line) => {
    const parsed = parseInboundLine(bytes(line));
    expect(JSON.stringify(parsed)).toBe(`{"message":${line}}`);
  },
);

const WITH_NUL = "first\0second";
const init = (fields: object) => ({ type: "protocol_init", version: 2, ...fields });
const NUL_LINES: readonly (readonly [field: string, line: object])[] = [
  ["model", init({ model: WITH_NUL })],
  ["session.session_id", init({ session: { mode: "resume", session_id: WITH_NUL } })],
  ["options.system_prompt", init({ options: { system_prompt: WITH_NUL } })],
  ["options.allowed_tools.1", init({ options: { allowed_tools: ["Read", WITH_NUL] } })],
  ["options.add_dirs.0", init({ options: { add_dirs: [WITH_NUL] } })],
  ["options.env.KEY", init({ options: { env: { KEY: WITH_NUL } } })],
  ["options.env", init({ options: { env: { [WITH_NUL]: "value" } } })],
  ["options.settings", init({ options: { settings: WITH_NUL } })],
  ["options.json_schema.title", init({ options: { json_schema: { title: WITH_NUL } } })],
  ["model", { type: "model_change", model: WITH_NUL }],
  [
    "settings.model",
    { type: "control", subtype: "apply_flag_settings", settings: { model: WITH_NUL } },
  ],
  [
    "updatedPermissions.0.directories.0",
    {
      type: "tool_approval",
      request_id: "r",
      decision: "allow",
      updatedPermissions: [
        { type: "addDirectories", destination: "session", directories: [WITH_NUL] },
      ],
    },
  ],
];

test.each([...NUL_LINES])(
  "a NUL in %s is refused, and the problem does not repeat the text",
  (field, line) => {
    const parsed = parseInboundLine(bytes(JSON.stringify(line)));
    if (!("problem" in parsed)) throw new Error("it was taken");
    expect(parsed.problem.code).toBe("bad_message");
    expect(parsed.problem.message).toStartWith(`${field}: `);
    expect(parsed.problem.message).not.toMatch(/first|second/);
  },
);

test("a problem with an entry of env does not repeat its value", () => {
  const env = { A: { deep: "secret-1" }, B: ["secret-2"], C: 7 };
  const parsed = parseInboundLine(bytes(JSON.stringify(init({ options: { env } }))));
  expect(JSON.stringify(parsed)).toContain("options.env.A: ");
  expect(JSON.stringify(parsed)).not.toContain("secret-");
});

test("a line that is cut at any byte is bad_json", () => {
  const line = bytes(JSON.stringify({ type: "user_message", text: "ä€\u{1f600}\\" }));
  for (let at = 0; at < line.length; at += 1) {
    const parsed = parseInboundLine(line.subarray(0, at));
    expect(parsed, `cut at ${at}`).toMatchObject({ problem: { code: "bad_json" } });
  }
});
