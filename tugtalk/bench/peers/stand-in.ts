/**
 * Claude for the comparison: it executes a `TurnPlan`, in lines like those of 2.1.197, with no other work. It
 * makes the lines of a flood before the turn begins.
 */
import { writeFileSync, writeSync } from "node:fs";
import { z } from "zod";
import { textBlock } from "../../simulator/stream-events.ts";
import type { Fields } from "../../src/base/json.ts";
import { clockMs, markedText } from "../time-mark.ts";
import { at } from "./dialects.ts";
import { PlannedLines } from "./planned-lines.ts";
import { floodPieces, promptInput, type TurnPart, TurnPlan, type TurnReport } from "./turn-plan.ts";

const HostLine = z.looseObject({
  type: z.string(),
  uuid: z.string().optional(),
  request_id: z.string().optional(),
  request: z.looseObject({ subtype: z.string() }).optional(),
  response: z.looseObject({ request_id: z.string(), response: z.unknown() }).optional(),
  message: z.looseObject({ content: z.unknown() }).optional(),
});
type HostLine = z.infer<typeof HostLine>;

const SESSION_ID =
  /--(?:session-id|resume)[= ](\S+)/.exec(process.argv.join(" "))?.[1] ?? crypto.randomUUID();
const lines = new PlannedLines(SESSION_ID);
const stdout = Bun.stdout.writer();

/** Waits until the text is read, so that none piles up here. */
async function write(text: string | Uint8Array): Promise<void> {
  stdout.write(text);
  await stdout.flush();
}

type OpenPrompts = {
  readonly sentAt: number;
  readonly ids: Set<string>;
  readonly allAnswered: () => void;
};

let open: OpenPrompts | undefined;
/** The host's id of its hook. */
let hookId: unknown = "hook";
let report: TurnReport = { answers: [], answerUs: [] };

function take(line: HostLine): void {
  const { type, request_id, response } = line;
  if (type === "control_request") {
    hookId = at(line.request, "hooks", "PreToolUse", "0", "hookCallbackIds", "0") ?? hookId;
    void write(lines.answer(String(request_id), line.request?.subtype === "initialize"));
  }
  if (type === "control_response" && response !== undefined)
    takeAnswer(response.request_id, response.response);
  if (type === "user") void runTurn(line);
}

function takeAnswer(id: string, given: unknown): void {
  if (open?.ids.delete(id) !== true) return;
  report.answerUs.push((performance.now() - open.sentAt) * 1000);
  report.answers.push(given);
  if (open.ids.size === 0) open.allAnswered();
}

async function runTurn({ message, uuid = crypto.randomUUID() }: HostLine): Promise<void> {
  const plan = TurnPlan.parse(JSON.parse(textOf(message?.content)));
  report = { answers: [], answerUs: [] };
  const parts = plan.parts.map(preparePart);
  await write(lines.opening(uuid, JSON.stringify(plan)));
  let text = "";
  for (const run of parts) text = (await run()) ?? text;
  writeFileSync(plan.report, JSON.stringify(report));
  await write(lines.result(text));
}

const Blocks = z.array(z.looseObject({ text: z.string() }));

/** The text of a message, which hosts give as a string or as blocks. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Blocks.parse(content)
    .map(({ text }) => text)
    .join("");
}

/** Prepares a part before the turn. Gives the function that runs it, and that returns its last text. */
function preparePart(part: TurnPart): () => Promise<string | undefined> {
  switch (part.kind) {
    case "said":
      return () => say(part.pieces);
    case "flood":
      return prepareFlood(part);
    case "paced":
      return () => sayPaced(part.deltas, 1000 / part.perSecond);
    case "prompts":
      return () => askAll(part.count, part.atOnce);
    case "program":
      return () => askProgram(part.of, part.count);
    case "long-line":
      return prepareLongLine(part.bytes);
  }
}

let messages = 0;

function nextMessageId(): string {
  messages += 1;
  return `msg_${process.pid}_${messages}`;
}

async function say(pieces: readonly string[]): Promise<string> {
  const text = pieces.join("");
  const deltas = pieces.map((piece) => lines.textDelta(piece)).join("");
  await write(lines.textMessage(nextMessageId(), text, deltas));
  return text;
}

/** Every message has the same deltas, since they name no message. */
function prepareFlood({ messages, deltas, chars }: TurnPart & { readonly kind: "flood" }) {
  const pieces = floodPieces(deltas, chars);
  const text = pieces.join("");
  const streamed = pieces.map((piece) => lines.textDelta(piece)).join("");
  const encoder = new TextEncoder();
  return async () => {
    for (let count = 0; count < messages; count += 1)
      await write(encoder.encode(lines.textMessage(nextMessageId(), text, streamed)));
    return text;
  };
}

/** For waits that end on time: timers are exact only to a millisecond. */
const PAUSE = new Int32Array(new SharedArrayBuffer(4));

/** Reads no input meanwhile. */
async function sayPaced(deltas: number, intervalMs: number): Promise<string> {
  const id = nextMessageId();
  await write(lines.messageStart(id));
  const pieces: string[] = [];
  let due = performance.now();
  for (let count = 0; count < deltas; count += 1) {
    Atomics.wait(PAUSE, 0, 0, Math.max(due - performance.now(), 0));
    due += intervalMs;
    const piece = markedText(0);
    pieces.push(piece);
    writeNow(lines.textDelta(piece));
  }
  const text = pieces.join("");
  await write(lines.messageEnd(id, textBlock(text)));
  return text;
}

/** Writes without the event loop. Retries while the pipe is full. */
function writeNow(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) throw error;
      Atomics.wait(PAUSE, 0, 0, 1);
    }
  }
}

async function askAll(count: number, atOnce: number): Promise<undefined> {
  for (let asked = 0; asked < count; asked += atOnce) {
    const numbers = Array.from({ length: Math.min(atOnce, count - asked) }, (_, n) => asked + n);
    await ask(numbers);
  }
}

/** Writes the calls and their prompts at once, and the results of the tools when all are answered. */
async function ask(numbers: readonly number[]): Promise<void> {
  const asked = numbers.map((number) => ({ id: nextMessageId(), input: promptInput(number) }));
  const text =
    asked.map(({ id, input }) => lines.toolCall(id, input)).join("") +
    asked.map(({ id, input }) => lines.prompt(id, input)).join("");
  await answered(text, ...asked.map(({ id }) => id));
  await write(asked.map(({ id }) => lines.toolResult(id, "File created.")).join(""));
}

/** Writes requests with these ids. Resolves when all are answered. */
async function answered(text: string, ...ids: readonly string[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  open = { sentAt: performance.now(), ids: new Set(ids), allAnswered: resolve };
  await write(text);
  await promise;
}

/** All requests are in one call of a tool, so that only the requests to the host's program count. */
async function askProgram(of: "tool" | "hook", count: number): Promise<undefined> {
  if (of === "tool") await connect();
  const call = nextMessageId();
  await write(lines.toolCall(call, promptInput(0), of === "tool" ? "mcp__host__save" : "Write"));
  report = { answers: [], answerUs: [] };
  for (let number = 0; number < count; number += 1) {
    const [id, input] = [nextMessageId(), promptInput(number)];
    await answered(of === "tool" ? toolRequest(id, call, input) : hookRequest(id, call, input), id);
  }
  await write(lines.toolResult(call, "File created."));
}

function hookRequest(id: string, call: string, input: Fields): string {
  return lines.hookCallback(id, String(hookId), `toolu_${call}`, input);
}

/** The number of messages to the host's tools that have an answer. */
let mcpCalls = 0;

function toolRequest(id: string, call: string, input: Fields): string {
  const _meta = { "claudecode/toolUseId": `toolu_${call}` };
  const params = { name: "save", arguments: input, _meta };
  mcpCalls += 1;
  return lines.mcpMessage(id, "tools/call", params, mcpCalls);
}

/** Connects to the host's tools once. */
async function connect(): Promise<void> {
  if (mcpCalls > 0) return;
  const clientInfo = { name: "claude-code", version: "2.1.197" };
  const hello = { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo };
  const steps = [
    lines.mcpMessage("mcp-0", "initialize", hello, 0),
    lines.mcpMessage("mcp-1", "notifications/initialized", {}),
    lines.mcpMessage("mcp-2", "tools/list", {}, 1),
  ];
  for (const [number, step] of steps.entries()) await answered(step, `mcp-${number}`);
  mcpCalls = 1;
}

const OUTPUT = "a line of output\n";

/** The text before the line has the time of its writing, by `clockMs`. */
function prepareLongLine(bytes: number) {
  const id = nextMessageId();
  const call = lines.toolCall(id, promptInput(0));
  const result = new TextEncoder().encode(
    lines.toolResult(id, OUTPUT.repeat(Math.ceil(bytes / OUTPUT.length))),
  );
  return async () => {
    await write(call);
    const mark = await say([`@${clockMs()};`]);
    await write(result);
    return mark;
  };
}

for await (const line of console) if (line.trim() !== "") take(HostLine.parse(JSON.parse(line)));
process.exit();
