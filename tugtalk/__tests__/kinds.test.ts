/**
 * Every kind that Claude prints, one by one: it is known, leads to the messages of the registry or is listed
 * as meaningless, and fits its schema. An unknown line leads to one message, which has the whole line.
 */
import { describe, expect, test } from "bun:test";
import { IGNORED_KINDS } from "../replay/ignored-kinds.ts";
import { parseClaudeMessage } from "../src/claude/claude-line.ts";
import { isNotificationKind, NOTIFICATIONS } from "../src/messages/notifications.ts";
import { OutboundMessage } from "../src/types.ts";
import {
  fixtureOf,
  KIND_FIXTURES,
  type KindFixture,
  type Line,
} from "../testing/captures/kind-fixtures.ts";
import { emittedFor } from "../testing/captures/kind-session.ts";
import { ALWAYS_ALLOWED } from "../testing/captures/kind-table.ts";
import { kindsOf } from "../testing/captures/line-kinds.ts";
import { MAPPED } from "../testing/captures/mapped-kinds.ts";
import { typesIn } from "./support/message-types.ts";

const NAMED = KIND_FIXTURES.map(
  (fixture) => [`${fixture.kind}, ${fixture.source}`, fixture] as const,
);

function isMapped(kind: string): boolean {
  return Object.hasOwn(MAPPED, kind);
}

test("every kind of the registry has a fixture, and every fixture is of a kind that is known", () => {
  const fixed = new Set(KIND_FIXTURES.map(({ kind }) => kind));
  expect(
    [...fixed].filter((kind) => !isMapped(kind) && !Object.hasOwn(IGNORED_KINDS, kind)),
  ).toEqual([]);
  expect(Object.keys(MAPPED).filter((kind) => !fixed.has(kind))).toEqual([]);
  const listed = Object.keys(IGNORED_KINDS).filter((kind) => !/ \((?!no tool call)/.test(kind));
  expect(listed.filter((kind) => !fixed.has(kind))).toEqual([]);
});

/** The messages that no single line of Claude leads to, without the messages that any line may lead to. */
const OF_NO_LINE = [
  ...["protocol_ack", "channel_closed", "unknown_event", "process_started", "process_exit"],
  ...["turn_cancelled", "control_request_resolved"],
  ...["session_list_result", "session_history_result"],
  ...["transcript_lines", "transcript_failed", "transcript_restore_result"],
];

test("every message that a line of Claude leads to is in the registry", () => {
  const mapped = new Set<string>(Object.values(MAPPED).flat());
  const unmapped = typesIn(OutboundMessage).filter(
    (type) => !mapped.has(type) && !ALWAYS_ALLOWED.has(type),
  );
  expect(new Set(unmapped)).toEqual(new Set(OF_NO_LINE));
});

test("each ignored kind has a reason, and leads to no message", () => {
  const ignored = Object.entries(IGNORED_KINDS);
  expect(ignored.filter(([kind, reason]) => isMapped(kind) || reason === "")).toEqual([]);
});

test("the schema of every notification has all the fields of its fixture", () => {
  const missing = KIND_FIXTURES.flatMap(({ kind, source, line }) => {
    if (!isNotificationKind(kind) || !source.startsWith("made from the declared shape")) return [];
    const declared = Object.keys(line).filter((key) => !ENVELOPE.has(key));
    const known = Object.keys(NOTIFICATIONS[kind].sent.shape);
    return declared.filter((key) => !known.includes(key)).map((key) => `${kind}.${key}`);
  });
  expect(missing).toEqual([]);
});

const ENVELOPE = new Set(["type", "subtype", "uuid", "session_id"]);

test("each fixture is of the kind that it is listed under", () => {
  for (const [name, { kind, line }] of NAMED) {
    expect(kindsOf(line), name).toContain(kind);
    expect(parseClaudeMessage(line).type, name).not.toBe("unknown");
  }
});

describe("messages for each kind of line follow the registry and their schema", () => {
  test.each(NAMED)("%s", async (_name, fixture) => {
    const emitted = await emittedFor(fixture.line);
    for (const message of emitted) expect<unknown>(OutboundMessage.parse(message)).toEqual(message);
    const types = emitted.map(({ type }) => type).filter((type) => !ALWAYS_ALLOWED.has(type));
    expect(wrongTypes(fixture, types)).toEqual([]);
    const hasEmitted = emitted.some(({ type }) => MAPPED[fixture.kind]?.includes(type));
    expect(hasEmitted).toBe(isMapped(fixture.kind));
  });
});

/** The types that none of the kinds of a line leads to. */
function wrongTypes({ line }: KindFixture, types: readonly string[]): string[] {
  const expected: string[] = kindsOf(line).flatMap((kind) => [...(MAPPED[kind] ?? [])]);
  return types.filter((type) => !expected.includes(type));
}

const NEWS_FIXTURES = NAMED.filter(([, { kind }]) => isNotificationKind(kind));

test("a notification passes on every field of Claude except the fields of its own message", async () => {
  for (const [name, { kind, line }] of NEWS_FIXTURES) {
    if (kind === "tool_progress") continue;
    const { type: _type, subtype: _subtype, session_id: _id, ...fields } = line;
    expect(await emittedFor(line), name).toContainEqual(expect.objectContaining(fields) as never);
  }
});

test("an optional field of a line may be absent or of another type", () => {
  for (const [name, { kind, line }] of NAMED) {
    const { type } = parseClaudeMessage(line);
    const asked = requiredKeys(kind, line);
    for (const key of Object.keys(line).filter((field) => !asked.has(field))) {
      const { [key]: _dropped, ...rest } = line;
      expect({ name, key, type: parseClaudeMessage(rest).type }).toEqual({ name, key, type });
      const odd = { ...line, [key]: [{ odd: 1 }] };
      expect({ name, key, type: parseClaudeMessage(odd).type }).toEqual({ name, key, type });
    }
  }
});

/** The fields without which a line of each kind says nothing. */
const REQUIRED: Readonly<Record<string, readonly string[]>> = {
  assistant: ["message", "parent_tool_use_id", "uuid", "session_id"],
  control_cancel_request: ["request_id"],
  control_request: ["request_id", "request"],
  control_response: ["response"],
  result: ["is_error", "uuid", "session_id"],
  stream_event: ["event", "parent_tool_use_id", "uuid", "session_id"],
  system: ["uuid", "session_id"],
  user: ["message", "parent_tool_use_id", "uuid", "session_id"],
};

function requiredKeys(kind: string, line: Line): Set<string> {
  const common = ["type", "subtype", "phase", "event"];
  if (!isNotificationKind(kind))
    return new Set([...common, ...(REQUIRED[String(line["type"])] ?? [])]);
  const own = Object.entries(NOTIFICATIONS[kind].parsed.shape);
  const required = own.filter(([, schema]) => !schema.safeParse(undefined).success);
  return new Set([...common, ...required.map(([key]) => key)]);
}

test("a notification with an unknown value is still a notification", () => {
  const failed = KIND_FIXTURES.filter(({ kind }) => isNotificationKind(kind)).flatMap(
    ({ kind, line }) =>
      Object.entries(line)
        .filter(([key, value]) => typeof value === "string" && !ENVELOPE.has(key))
        .filter(
          ([key]) => parseClaudeMessage({ ...line, [key]: "brand_new" }).type !== "notification",
        )
        .map(([key]) => `${kind}.${key}`),
  );
  expect(failed).toEqual([]);
});

const INVENTED: readonly (readonly [string, Line])[] = [
  ["type", { type: "brand_new", a: [1, { b: null }], uuid: "u" }],
  ["subtype of system", { type: "system", subtype: "brand_new", a: 1, session_id: "s" }],
  [
    "control request",
    { type: "control_request", request_id: "r", request: { subtype: "brand_new", a: { b: 1 } } },
  ],
  ["event of the stream", { type: "stream_event", event: { type: "brand_new", a: 1 } }],
  [
    "delta",
    streamed({ type: "content_block_delta", index: 0, delta: { type: "brand_new", a: 1 } }),
  ],
  ["block of an answer", withBlocks("assistant/text", [{ type: "brand_new", a: 1 }])],
  ["block among known ones", withBlocks("assistant/text", MIXED())],
  ["block, twice", withBlocks("assistant/text", [{ type: "brand_new" }, { type: "newer" }])],
  ["block of the user side", withBlocks("user/tool_result", [{ type: "brand_new", a: 1 }])],
];

function streamed(event: Line): Line {
  return { type: "stream_event", parent_tool_use_id: null, event, uuid: "u" };
}

function MIXED(): Line[] {
  return [
    { type: "text", text: "known" },
    { type: "brand_new", a: 1 },
  ];
}

function withBlocks(kind: string, content: readonly Line[]): Line {
  const line = fixtureOf(kind);
  return { ...line, message: { ...(line["message"] as Line), content } };
}

describe("an unknown kind becomes one unknown_event with its whole line", () => {
  test.each(INVENTED)("%s", async (_name, line) => {
    const emitted = await emittedFor(line);
    const unknown = emitted.filter(({ type }) => type === "unknown_event");
    expect(unknown).toHaveLength(1);
    expect(unknown[0]).toMatchObject({ original_type: line["type"], raw: line });
    expect((unknown[0] as unknown as { raw: unknown }).raw).toEqual(line);
  });
});
