/**
 * A stand-in for the bridge, for tests of a host: it keeps the contract and plays one small scene
 * for each known user message. It takes and says only what the schemas allow, so that a host which
 * it understands is understood by the bridge too. What it was told it repeats, for tests to see.
 */
import {
  InboundMessage,
  OutboundMessage,
  type QuestionAnswer,
  type ToolApproval,
  type UserMessageInput,
} from "../../../src/types.ts";

type Fields = Record<string, unknown>;
type Scene = (turn: Turn) => void;
type Turn = { readonly turn_id: string; readonly message_id: string };

const INSTANCE = "00000000-0000-4000-8000-000000000001";
const RULE = { type: "setMode", mode: "acceptEdits", destination: "session" };

let seq = 0;
let turns = 0;
let isInitialized = false;
let running: Turn | undefined;
let prompts = 0;
/** It hears interrupts and obeys none. */
let isDeaf = false;
/** What happens when the open prompt is settled. */
const open = new Map<string, { isQuestion: boolean; settle: (told: InboundMessage) => void }>();

function emit(fields: Fields): void {
  seq += 1;
  const message = OutboundMessage.parse({ ipc_version: 2, seq, ...fields });
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function refuse(code: string, message: string, fields: Fields = {}): void {
  emit({ type: "error", code, message, recoverable: true, source: "host", ...fields });
}

// ---------------------------------------------------------------------------------------- scenes

function block(type: string, status: string, text: string | undefined, fields: Fields = {}): void {
  const place = { msg_id: "msg_1", block_index: type === "thinking_text" ? 0 : 1 };
  const words = text === undefined ? {} : { text };
  emit({ type, ...place, is_partial: status === "partial", status, ...words, ...fields });
}

function say(text: string, fields: Fields = {}): void {
  block("assistant_text", "complete", text, { msg_id: `msg_whole_${seq}`, ...fields });
}

function useTool(tool_name: string, input: Fields, fields: Fields = {}): string {
  const tool_use_id = `toolu_${seq}`;
  const place = { msg_id: "msg_2", block_index: 0, tool_use_id, tool_name };
  emit({ type: "tool_use", ...place, status: "streaming", ...fields });
  emit({ type: "tool_use", ...place, status: "complete", input, ...fields });
  return tool_use_id;
}

function askPerson(fields: Fields, settle: (told: InboundMessage) => void): string {
  prompts += 1;
  const request_id = `request_${prompts}`;
  open.set(request_id, { isQuestion: fields["is_question"] === true, settle });
  emit({ type: "control_request_forward", request_id, ...fields });
  return request_id;
}

function endTurn(turn: Turn, fields: Fields = {}): void {
  running = undefined;
  const { turn_id, message_id } = turn;
  const cost = { total_cost_usd: 0.01 * turns, turn_cost_usd: 0.01 };
  emit({ type: "cost_update", turn_id, ...cost });
  const result = { result: "success", subtype: "success", is_error: false, ...fields };
  const ids = { message_ids: [message_id], permission_denials: [], trigger: "user" };
  emit({ type: "turn_complete", turn_id, ...ids, ...result });
  emit({ type: "message_status", message_id, turn_id, status: "completed" });
  emit({ type: "session_state", state: "idle" });
}

const PATCH = { oldStart: 1, oldLines: 2, newStart: 1, newLines: 2, lines: [" a", "-b", "+c"] };

const QUESTIONS = [
  {
    question: "Which colour?",
    header: "Colour",
    options: [{ label: "Red", description: "warm" }, { label: "Blue" }],
  },
  {
    question: "Which sizes?",
    options: [{ label: "S" }, { label: "M" }, { label: "L, or larger" }],
    multiSelect: true,
  },
];

const SCENES: Readonly<Record<string, Scene>> = {
  hello: (turn) => {
    block("thinking_text", "partial", "Let me ");
    block("thinking_text", "partial", "see.");
    block("thinking_text", "complete", "Let me see.");
    block("assistant_text", "partial", "Hello, ");
    block("assistant_text", "partial", "world.");
    block("assistant_text", "complete", "Hello, world.");
    endTurn(turn);
  },
  arguments: (turn) => {
    say(JSON.stringify([...process.argv.slice(2), process.env["TUGTALK_CONVERSATION"] ?? null]));
    endTurn(turn);
  },
  edit: (turn) => {
    const input = { file_path: "/a.txt", content: "one\ntwo" };
    const tool_use_id = useTool("Write", input);
    const request = { tool_name: "Write", input, tool_use_id, is_question: false };
    askPerson({ ...request, permission_suggestions: [RULE] }, (told) => {
      emit({ type: "tool_result", tool_use_id, output: JSON.stringify(told), is_error: false });
      const structured_result = { type: "update", structuredPatch: [PATCH] };
      emit({ type: "tool_use_structured", tool_use_id, structured_result });
      endTurn(turn);
    });
  },
  question: (turn) => {
    const input = { questions: QUESTIONS };
    const request = { tool_name: "AskUserQuestion", input, is_question: true };
    askPerson(request, (told) => {
      say(JSON.stringify(told));
      endTurn(turn);
    });
  },
  subagent: (turn) => {
    const parent_tool_use_id = useTool("Task", { prompt: "look" });
    say("I look\naround.", { parent_tool_use_id });
    useTool("Read", { file_path: "/a.txt" }, { parent_tool_use_id });
    say("Done.");
    endTurn(turn);
  },
  riddle: (turn) => {
    const request = { tool_name: "AskUserQuestion", input: { odd: true }, is_question: true };
    askPerson(request, (told) => {
      say(JSON.stringify(told));
      endTurn(turn);
    });
  },
  withdraw: (turn) => {
    const request = { tool_name: "Bash", input: { command: "ls" }, is_question: false };
    const request_id = askPerson(request, () => undefined);
    open.delete(request_id);
    emit({ type: "control_request_cancel", request_id, reason: "withdrawn" });
    endTurn(turn);
  },
  wait: () => say("waiting"),
  hang: () => {
    say("deaf");
    isDeaf = true;
  },
  fail: (turn) => endTurn(turn, { result: "error", subtype: "error_max_turns", is_error: true }),
  refuse: ({ message_id }) => {
    running = undefined;
    const reason = "the queue is full";
    refuse("queue_full", reason, { in_reply_to: message_id, message_id });
    emit({ type: "message_status", message_id, status: "rejected", reason });
  },
  die: () => {
    const message = "cannot start claude: not on PATH";
    const fatal = { code: "claude_not_found", message, recoverable: false, source: "claude" };
    emit({ type: "error", ...fatal });
    process.exitCode = 1;
    stopReading();
  },
};

// ----------------------------------------------------------------------------------- host's side

/** A line as a message, or the reason why it is none. */
function parseLine(line: string): InboundMessage | string {
  try {
    const parsed = InboundMessage.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : parsed.error.message;
  } catch {
    return "a line is not JSON";
  }
}

function handleLine(line: string): void {
  const message = parseLine(line);
  if (typeof message === "string") refuse("bad_message", message);
  else handle(message, message.id === undefined ? {} : { in_reply_to: message.id });
}

function handle(message: InboundMessage, reply: Fields): void {
  if (message.type === "protocol_init") initialize(reply);
  else if (!isInitialized) refuse("not_initialized", "the first is protocol_init", reply);
  else if (message.type === "user_message") startScene(message, reply);
  else if (message.type === "tool_approval") settle(message, reply);
  else if (message.type === "question_answer") settle(message, reply);
  else if (message.type === "interrupt") interrupt(reply);
  else refuse("bad_message", `no scene for ${message.type}`, reply);
}

function initialize(reply: Fields): void {
  if (isInitialized) {
    refuse("already_initialized", "twice", reply);
    return;
  }
  isInitialized = true;
  const about = { version: 2, instance_id: INSTANCE, tugtalk_version: "0.0.0" };
  emit({ type: "protocol_ack", ...about, capabilities: { inbound: [] }, ...reply });
  emit({ type: "session_init", session_id: "session-1", mode: "new" });
}

/** Unlike the bridge it has no queue: a message in a turn is refused, to show that none was sent. */
function startScene({ text, message_id }: UserMessageInput, reply: Fields): void {
  const scene = SCENES[text];
  if (running !== undefined || scene === undefined || message_id === undefined) {
    refuse("message_rejected", running === undefined ? "no such scene" : "a turn runs", reply);
    return;
  }
  turns += 1;
  running = { turn_id: `turn_${turns}`, message_id };
  if (text !== "refuse") {
    const { turn_id } = running;
    emit({ type: "turn_started", turn_id, message_ids: [message_id], trigger: "user" });
    emit({ type: "user_text", text, kind: "host", message_id });
  }
  scene(running);
}

function settle(message: ToolApproval | QuestionAnswer, reply: Fields): void {
  const { request_id } = message;
  const prompt = open.get(request_id);
  const isAllow = message.type === "tool_approval" && message.decision === "allow";
  const isAnswer = message.type === "question_answer";
  if (prompt === undefined) refuse("stale_request", "not open", { request_id, ...reply });
  else if (prompt.isQuestion ? isAllow : isAnswer) {
    refuse("bad_message", "the wrong kind of answer", { request_id, ...reply });
  } else {
    open.delete(request_id);
    const outcome = isAnswer ? "answered" : isAllow ? "allow" : "deny";
    emit({ type: "control_request_resolved", request_id, outcome });
    prompt.settle(message);
  }
}

function interrupt(reply: Fields): void {
  emit({ type: "control_result", subtype: "interrupt", ok: true, ...reply });
  if (isDeaf) return;
  for (const request_id of open.keys()) {
    emit({ type: "control_request_cancel", request_id, reason: "interrupted" });
  }
  open.clear();
  if (running !== undefined) endTurn(running, { result: "cancelled", subtype: "success" });
}

function endSession(): void {
  if (running === undefined) return;
  const { turn_id, message_id } = running;
  const ids = { turn_id, message_ids: [message_id], trigger: "user" };
  emit({ type: "turn_cancelled", ...ids, partial_result: "", reason: "shutdown" });
  emit({ type: "message_status", message_id, status: "failed" });
}

const reader = Bun.stdin.stream().getReader();

function stopReading(): void {
  void reader.cancel();
}

const decoder = new TextDecoder();
let begun = "";
for (let read = await reader.read(); !read.done; read = await reader.read()) {
  const pieces = (begun + decoder.decode(read.value, { stream: true })).split("\n");
  begun = pieces.pop() ?? "";
  for (const piece of pieces) handleLine(piece);
}
if (process.exitCode === undefined) endSession();
