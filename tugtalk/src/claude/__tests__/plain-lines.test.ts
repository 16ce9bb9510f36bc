/** Lines of Claude: the plain checks accept a line only where the schema returns it unchanged. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as fc from "fast-check";
import { CAPTURED_NAMES, captured } from "../../../testing/captures/captured-line.ts";
import { KIND_FIXTURES } from "../../../testing/captures/kind-fixtures.ts";
import { readJsonLines } from "../../../testing/drivers/json-lines.ts";
import { questionLine } from "../../../testing/drivers/test-lines.ts";
import { alteredJson } from "../../../testing/random/altered-json.ts";
import { expectPlainAsSchema } from "../../../testing/random/plain-property.ts";
import { seedOf } from "../../../testing/random/property-check.ts";
import { sampleOf } from "../../__tests__/support/schema-sample.ts";
import { fieldsOf } from "../../base/json.ts";
import { InitializeAnswer } from "../../messages/initialize-answer.ts";
import { NOTIFICATIONS } from "../../messages/notifications.ts";
import { AskUserQuestionInput, CLAUDE_LINES, PermissionRequest } from "../../protocol-types.ts";
import { isPlainLine, plainNotification } from "../claude-line.ts";
import { isInitializeAnswer, isPermission, isQuestions } from "../plain-checks.generated.ts";
import { readBySchema } from "../schema-lines.ts";

type Line = Readonly<Record<string, unknown>>;

function kindOf({ type, subtype }: Line): string {
  if (typeof type !== "string") return "";
  return type === "system" && typeof subtype === "string" ? `${type}/${subtype}` : type;
}

const RECORDED: readonly Line[] = [
  ...CAPTURED_NAMES.map((name) => captured(name)),
  ...KIND_FIXTURES.map(({ line }) => line),
];

/** The notifications of ordinary sessions. */
const ORDINARY =
  /^(?:rate_limit_event|command_lifecycle|system\/(?:hook_\w+|thinking_tokens|background_tasks_changed|task_(?:started|progress|updated|notification)))$/;

const REQUESTS = RECORDED.map(({ request }) => fieldsOf(request)).filter(
  ({ subtype }) => subtype === "can_use_tool",
);
const PATH = join(import.meta.dir, "../../../testing/fixtures/initialize-answers.jsonl");
const ANSWERS = readJsonLines(PATH).map((line) => fieldsOf(fieldsOf(line)["answer"]));

test.each(Object.entries(CLAUDE_LINES))(
  "a line of %s that passes as plain is one that its schema returns as it is",
  (kind, schema) => {
    const recorded = RECORDED.filter((line) => kindOf(line) === kind);
    const samples = [...recorded, sampleOf(schema)];
    const isPlain = (line: unknown) => kindOf(fieldsOf(line)) === kind && isPlainLine(kind, line);
    expectPlainAsSchema(kind, isPlain, schema, samples);
  },
);

test.each(Object.entries(NOTIFICATIONS).filter(([kind]) => ORDINARY.test(kind)))(
  "a notification of %s that is plain is the one that its schema makes",
  (kind, { parsed }) => {
    const recorded = RECORDED.filter((line) => kindOf(line) === kind);
    const [type = "", subtype] = kind.split("/");
    const sample = { ...fieldsOf(sampleOf(parsed)), type, ...(subtype && { subtype }) };
    const property = fc.property(alteredJson([...recorded, sample]), (value) => {
      const plain = plainNotification(kind, fieldsOf(value));
      return (
        plain === undefined || Bun.deepEquals(plain, readBySchema(kind, fieldsOf(value)), true)
      );
    });
    fc.assert(property, { seed: seedOf(kind), numRuns: 500 });
  },
);

test("the recorded notifications of ordinary sessions are plain", () => {
  const recorded = RECORDED.filter((line) => ORDINARY.test(kindOf(line)));
  expect(new Set(recorded.map(kindOf)).size).toBeGreaterThan(7);
  expect(recorded.filter((line) => plainNotification(kindOf(line), line) === undefined)).toEqual(
    [],
  );
});

test.each([
  ["permission", isPermission, PermissionRequest, REQUESTS],
  [
    "question",
    isQuestions,
    AskUserQuestionInput,
    [fieldsOf(questionLine("r")["request"])["input"], sampleOf(AskUserQuestionInput)],
  ],
  ["answer to initialize", isInitializeAnswer, InitializeAnswer, ANSWERS],
] as const)(
  "a %s that passes as plain is one that its schema returns as it is",
  (name, isPlain, schema, samples) => {
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) expect(isPlain(sample)).toBe(true);
    expectPlainAsSchema(name, isPlain, schema, samples);
  },
);

test.each([[["ping"]], [{ toString: 0, valueOf: 0 }]])(
  "an event whose type is %j is not plain",
  (type) => {
    const line = { type: "stream_event", event: { type } };
    expect(isPlainLine("stream_event", { ...line, event: { type: "ping" } })).toBe(true);
    expect(isPlainLine("stream_event", line)).toBe(false);
  },
);

test("of the recorded lines of the conversation, all but a copy of the transcript and rare blocks are plain", () => {
  const known = RECORDED.filter((line) => Object.hasOwn(CLAUDE_LINES, kindOf(line)));
  const others = known.filter((line) => !isPlainLine(kindOf(line), line));
  expect(known.length).toBeGreaterThan(60);
  const rare = /"type":"(?:image|server_tool_use|document|transcript_mirror)"/;
  expect(others.map((line) => JSON.stringify(line)).filter((text) => !rare.test(text))).toEqual([]);
});
