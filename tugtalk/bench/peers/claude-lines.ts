/**
 * The lines that Claude 2.1.197 prints in a turn, made from a captured session: each function takes the
 * captured line of its kind and puts in what differs.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const VERSION = "2.1.197";
const FIXTURES = join(import.meta.dir, "..", "..", "testing", "fixtures");

const Line = z.record(z.string(), z.unknown());
type Line = z.infer<typeof Line>;
const Captured = z.object({ dir: z.string(), msg: z.unknown() });
const Answer = z.object({ version: z.string(), answer: Line });

function readLines<T>(schema: z.ZodType<T>, ...path: string[]): T[] {
  const text = readFileSync(join(FIXTURES, ...path), "utf8").trimEnd();
  return text.split("\n").map((line) => schema.parse(JSON.parse(line)));
}

/** The answer to `initialize`. */
export function initializeAnswer(): Line {
  const answers = readLines(Answer, "initialize-answers.jsonl");
  return answers.find(({ version }) => version === VERSION)?.answer ?? {};
}

const CAPTURED = readLines(Captured, "captures", VERSION, "perm_allow.jsonl")
  .filter(({ dir }) => dir === "out")
  .map(({ msg }) => Line.parse(msg));

/** The first captured line whose text has all of these. */
function captured(...marks: readonly string[]): Line {
  const found = CAPTURED.find((line) => marks.every((mark) => JSON.stringify(line).includes(mark)));
  if (found === undefined) throw new Error(`no captured line has ${marks.join(" and ")}`);
  return found;
}

const INIT = captured('"subtype":"init"');
const STATUS = captured('"subtype":"status"');
const REPLAY = captured('"isReplay":true');
const MESSAGE_START = captured('"message_start"');
const MESSAGE_DELTA = captured('"message_delta"');
const MESSAGE_STOP = captured('"message_stop"');
const SNAPSHOT = captured('"type":"assistant"', '"type":"text"');
const PROMPT = captured('"subtype":"can_use_tool"');
const TOOL_RESULT = captured('"tool_result"');
const RESULT = captured('"type":"result"');

type Block = Readonly<Record<string, unknown>>;

/** The lines of one conversation. */
export class ClaudeLines {
  readonly #session_id: string;

  constructor(sessionId: string) {
    this.#session_id = sessionId;
  }

  /** What precedes the first message of a turn. */
  opening(uuid: string, text: string): string {
    const message = { role: "user", content: [{ type: "text", text }] };
    return [INIT, STATUS, { ...REPLAY, message, uuid }].map((line) => this.#line(line)).join("");
  }

  /** One message of Claude with one block of text, streamed in pieces that were formatted before. */
  textMessage(id: string, text: string, deltas: string): string {
    const block = { type: "text", text };
    return this.messageStart(id, { ...block, text: "" }) + deltas + this.messageEnd(id, block);
  }

  messageStart(id: string, content_block: Block): string {
    const event = { type: "message_start", message: { ...inner(MESSAGE_START, "event"), id } };
    return (
      this.#line({ ...MESSAGE_START, event }) +
      this.#event({ type: "content_block_start", index: 0, content_block })
    );
  }

  messageEnd(id: string, block: Block): string {
    const message = { ...(SNAPSHOT["message"] as Line), id, content: [block] };
    return (
      this.#line({ ...SNAPSHOT, message }) +
      this.#event({ type: "content_block_stop", index: 0 }) +
      this.#line(MESSAGE_DELTA) +
      this.#line(MESSAGE_STOP)
    );
  }

  textDelta(text: string): string {
    const delta = { type: "text_delta", text };
    return this.#event({ type: "content_block_delta", index: 0, delta });
  }

  /** A message that calls a tool. */
  toolCall(id: string, input: Block): string {
    const block = { type: "tool_use", id: `toolu_${id}`, name: "Write", input };
    const delta = { type: "input_json_delta", partial_json: JSON.stringify(input) };
    return (
      this.messageStart(id, { ...block, input: {} }) +
      this.#event({ type: "content_block_delta", index: 0, delta }) +
      this.messageEnd(id, block)
    );
  }

  /** The prompt for a call; its `request_id` is the id of the message. */
  prompt(id: string, input: Block): string {
    const request = { ...(PROMPT["request"] as Line), input, tool_use_id: `toolu_${id}` };
    return formatLine({ ...PROMPT, request_id: id, request });
  }

  toolResult(id: string, content: string): string {
    const result = { tool_use_id: `toolu_${id}`, type: "tool_result", content };
    const message = { role: "user", content: [result] };
    return this.#line({ ...TOOL_RESULT, message });
  }

  result(text: string): string {
    return this.#line({ ...RESULT, result: text });
  }

  #event(event: Block): string {
    return this.#line({ type: "stream_event", event, parent_tool_use_id: null });
  }

  /** The line as one of this conversation, with an id of its own unless it has the host's. */
  #line(line: Line): string {
    const uuid = line["isReplay"] === true ? line["uuid"] : crypto.randomUUID();
    return formatLine({ ...line, session_id: this.#session_id, uuid });
  }
}

/** Two characters that some programs take for the end of a line are escaped, as this version does. */
function formatLine(line: Line): string {
  const text = JSON.stringify(line).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return `${text}\n`;
}

function inner(line: Line, field: string): Line {
  return (line[field] as { readonly message: Line }).message;
}
