/**
 * Whole conversations: captures are played as they were recorded, and the demonstration plays to its end
 * for a host that allows everything.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fields, isJsonObject } from "../../src/base/json.ts";
import { parseClaudeLine } from "../../src/claude/claude-line.ts";
import { parseConversation } from "../conversation.ts";
import { fieldOf, textOf } from "../json-value.ts";
import {
  answerLine,
  type ClaudeDriver,
  isPrompt,
  isResult,
  kindOfLine,
  startClaude,
  userLine,
} from "./support/claude-driver.ts";

const TUGTALK = join(import.meta.dir, "..", "..");
const CAPTURES = join(TUGTALK, "testing", "fixtures", "captures", "2.1.330");
const RECORDINGS = join(TUGTALK, "replay", "__tests__", "recordings");
const PLAYED: readonly string[] = [
  join(CAPTURES, "perm_deny.jsonl"),
  join(CAPTURES, "queue_three_streaming.jsonl"),
  join(CAPTURES, "slash_clear.jsonl"),
  join(CAPTURES, "two_questions_pending_read.jsonl"),
  join(RECORDINGS, "claude-2-1-330-text-and-tools.jsonl"),
];
const DEMONSTRATION = join(import.meta.dir, "..", "scenarios", "demonstration.jsonl");

test.each(PLAYED)("the stand-in plays %s as it was recorded", async (path) => {
  const { entries } = parseConversation(readFileSync(path, "utf8"));
  const claude = startClaude({ env: { TUGTALK_CONVERSATION: path } });
  const printed: unknown[] = [];
  for (const { dir, msg } of entries) {
    if (dir === "out") printed.push(msg);
    if (dir !== "in") continue;
    if (printed.length > 0) await claude.waitFor(() => true, printed.length - 1);
    if (msg === "<EOF>") claude.close();
    else claude.send(msg);
  }
  const { code } = await claude.ended();
  expect(claude.lines()).toEqual(printed as Fields[]);
  expect(exitOf(entries)).toEqual({ code, signal: null });
});

function exitOf(entries: ReturnType<typeof parseConversation>["entries"]) {
  const { code, signal } = entries.find((entry) => entry.dir === "exit")?.msg ?? {};
  return { code, signal };
}

/** Sends a message, allows every prompt, and returns after the turn. */
async function takeTurn(claude: ClaudeDriver, text: string): Promise<readonly Fields[]> {
  const start = claude.texts.length;
  let next = start;
  claude.send(userLine(text, crypto.randomUUID()));
  for (;;) {
    const line = await claude.waitFor((seen) => isPrompt(seen) || isResult(seen), next);
    if (isResult(line)) break;
    next = claude.texts.findIndex((seen) => seen.includes(String(line["request_id"]))) + 1;
    claude.send(answerLine(line["request_id"], allow(fieldOf(line, "request", "input"))));
  }
  await claude.waitFor((line) => kindOfLine(line) === "command_lifecycle completed", start);
  return claude.lines().slice(start);
}

function allow(input: unknown): Fields {
  const questions = fieldOf(input, "questions");
  if (!Array.isArray(questions) || !isJsonObject(input))
    return { behavior: "allow", updatedInput: input };
  const answers = Object.fromEntries(
    questions.map((question) => [
      textOf(question, "question"),
      textOf(question.options[0], "label"),
    ]),
  );
  return { behavior: "allow", updatedInput: { ...input, answers } };
}

test("the demonstration shows every feature and then echoes", async () => {
  const claude = startClaude({ env: { TUGTALK_CONVERSATION: DEMONSTRATION } });
  const [first, second, third, fourth] = [
    await takeTurn(claude, "hello"),
    await takeTurn(claude, "tools"),
    await takeTurn(claude, "delegate"),
    await takeTurn(claude, "and now?"),
  ];
  claude.close();
  expect((await claude.ended()).code).toBe(0);
  expect(textOf(first.find(isResult), "result")).toContain("**demonstration**");
  expect(second.filter(isPrompt).map((line) => textOf(line, "request", "tool_name"))).toEqual([
    "Write",
    "Edit",
    "Bash",
    "AskUserQuestion",
  ]);
  expect(JSON.stringify(second)).toContain('"structuredPatch":[{');
  expect(JSON.stringify(second)).toContain(
    '"answers":{"Which language should the greeting use?":"English"',
  );
  const tasks = third.filter((line) => String(line["subtype"]).startsWith("task_"));
  expect(tasks.map((line) => line["subtype"])).toEqual([
    "task_started",
    "task_progress",
    "task_progress",
    "task_updated",
    "task_notification",
  ]);
  expect(third.filter((line) => typeof line["parent_tool_use_id"] === "string")).toHaveLength(5);
  expect(JSON.stringify(third)).toContain('"statusChange":{"from":"in_progress","to":"completed"}');
  expect(textOf(fourth.find(isResult), "result")).toBe("You said: and now?");
  const costs = claude
    .lines()
    .filter(isResult)
    .map((line) => Number(line["total_cost_usd"]));
  expect(costs).toEqual([...costs].sort((left, right) => left - right));
});

test("each line of the demonstration is one that tugtalk understands", async () => {
  const lines = await playDemonstration();
  const unknown = lines.filter((line) => parseClaudeLine(JSON.stringify(line)).type === "unknown");
  expect(unknown).toEqual([]);
});

test("the streamed blocks of the demonstration add up to the finished ones", async () => {
  let streamed = "";
  let finished = 0;
  for (const line of await playDemonstration()) {
    if (typeof line["parent_tool_use_id"] === "string") continue;
    if (fieldOf(line, "event", "type") === "content_block_start") streamed = "";
    const delta = fieldOf(line, "event", "delta");
    streamed +=
      textOf(delta, "text") ?? textOf(delta, "thinking") ?? textOf(delta, "partial_json") ?? "";
    if (line["type"] !== "assistant") continue;
    finished += 1;
    expect(streamed).toBe(blockText(line));
  }
  expect(finished).toBeGreaterThan(10);
});

/** The lines of its three turns. */
async function playDemonstration(): Promise<readonly Fields[]> {
  const claude = startClaude({ env: { TUGTALK_CONVERSATION: DEMONSTRATION } });
  const turns = [];
  for (const text of ["hello", "tools", "delegate"]) turns.push(await takeTurn(claude, text));
  claude.close();
  await claude.ended();
  return turns.flat();
}

function blockText(assistant: Fields): string {
  const content = fieldOf(assistant, "message", "content");
  const [block] = Array.isArray(content) ? content : [];
  return block.text ?? block.thinking ?? JSON.stringify(block.input);
}
