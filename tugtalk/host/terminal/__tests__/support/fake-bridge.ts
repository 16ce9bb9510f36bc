/**
 * A stand-in for the bridge, for tests of a host: it keeps the contract and plays one small scene
 * for each known user message. It takes and sends only what the schemas allow, so that a host which
 * it understands is understood by the bridge too. It repeats each answer, for tests to see.
 */
import type { UserMessageInput } from "../../../../src/messages/user-messages.ts";
import { InboundMessage, OutboundMessage } from "../../../../src/types.ts";

type Fields = Record<string, unknown>;
type Answer = Extract<InboundMessage, { request_id: string }>;
type Scene = (turn: Turn) => void;
type Turn = { readonly turn_id: string; readonly message_id: string };

const INSTANCE = "00000000-0000-4000-8000-000000000001";
const RULE = { type: "setMode", mode: "acceptEdits", destination: "session" };

let seq = 0;
let turns = 0;
let isInitialized = false;
let init: InboundMessage | undefined;
let running: Turn | undefined;
let prompts = 0;
/** Interrupts are answered and end nothing. */
let isDeaf = false;
/** The next answer is refused, whatever it says. */
let isPicky = false;
/** What goes on when the host sends `continue`. */
let continueTurn: (() => void) | undefined;
/** What happens when the open prompt is settled. */
const open = new Map<string, { kind: string; settle: (answer: InboundMessage) => void }>();

function emit(fields: Fields): void {
  seq += 1;
  const message = OutboundMessage.parse({ ipc_version: 2, seq, ...fields });
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

function refuse(code: string, message: string, fields: Fields = {}): void {
  emit({ type: "error", code, message, recoverable: true, source: "host", ...fields });
}

function block(type: string, status: string, text: string | undefined, fields: Fields = {}): void {
  const key = { msg_id: "msg_1", block_index: type === "thinking_text" ? 0 : 1 };
  emit({ type, ...key, is_partial: status === "partial", status, text, ...fields });
}

function say(text: string, fields: Fields = {}): void {
  block("assistant_text", "complete", text, { msg_id: `msg_whole_${seq}`, ...fields });
}

function useTool(tool_name: string, input: Fields, fields: Fields = {}): string {
  const tool_use_id = `toolu_${seq}`;
  const call = { msg_id: "msg_2", block_index: 0, tool_use_id, tool_name };
  emit({ type: "tool_use", ...call, status: "streaming", ...fields });
  emit({ type: "tool_use", ...call, status: "complete", input, ...fields });
  return tool_use_id;
}

function askUser(fields: Fields, settle: (answer: InboundMessage) => void): string {
  prompts += 1;
  const request_id = `request_${prompts}`;
  const type = String(fields["type"] ?? "control_request_forward");
  const kind = fields["is_question"] === true ? "question" : type;
  open.set(request_id, { kind, settle });
  emit({ ...fields, type, request_id });
  return request_id;
}

/** Asks, repeats the answer as a text, and ends the turn. */
function askAndEnd(turn: Turn, fields: Fields): void {
  askUser(fields, (answer) => {
    say(JSON.stringify(answer));
    endTurn(turn);
  });
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
    say(JSON.stringify(process.argv.slice(2)));
    endTurn(turn);
  },
  init: (turn) => {
    say(JSON.stringify(init));
    endTurn(turn);
  },
  elicit: (turn) => {
    const properties = { name: { type: "string" } };
    const requested_schema = { type: "object", properties, required: ["name"] };
    const request = { type: "elicitation_request", mcp_server_name: "tide", message: "Who?" };
    askAndEnd(turn, { ...request, mode: "form", requested_schema });
  },
  dialog: (turn) =>
    askAndEnd(turn, { type: "dialog_request", dialog_kind: "ways", payload: { ways: 2 } }),
  lines: (turn) => {
    block("assistant_text", "partial", "The first line.\nThe second ");
    continueTurn = () => {
      block("assistant_text", "partial", "line.\nThe third line.");
      block("assistant_text", "complete", "The first line.\nThe second line.\nThe third line.");
      endTurn(turn);
    };
  },
  ask: (turn) => {
    say("thinking about it");
    const request = { tool_name: "Bash", input: { command: "rm -r /" }, is_question: false };
    continueTurn = () => askAndEnd(turn, { ...request, permission_suggestions: [RULE] });
  },
  edit: (turn) => {
    const input = { file_path: "/a.txt", content: "one\ntwo" };
    const tool_use_id = useTool("Write", input);
    const request = { tool_name: "Write", input, tool_use_id, is_question: false };
    askUser({ ...request, permission_suggestions: [RULE] }, (answer) => {
      emit({ type: "tool_result", tool_use_id, output: JSON.stringify(answer), is_error: false });
      const structured_result = { type: "update", structuredPatch: [PATCH] };
      emit({ type: "tool_use_structured", tool_use_id, structured_result });
      endTurn(turn);
    });
  },
  question: (turn) => {
    const input = { questions: QUESTIONS };
    const request = { tool_name: "AskUserQuestion", input, is_question: true };
    askAndEnd(turn, request);
  },
  subagent: (turn) => {
    const parent_tool_use_id = useTool("Task", { prompt: "look" });
    say("I look\naround.", { parent_tool_use_id });
    useTool("Read", { file_path: "/a.txt" }, { parent_tool_use_id });
    say("Done.");
    endTurn(turn);
  },
  picky: (turn) => {
    isPicky = true;
    const request = { tool_name: "Bash", input: { command: "ls" }, is_question: false };
    askAndEnd(turn, request);
  },
  riddle: (turn) => {
    const request = { tool_name: "AskUserQuestion", input: { odd: true }, is_question: true };
    askAndEnd(turn, request);
  },
  withdraw: (turn) => {
    const request = { tool_name: "Bash", input: { command: "ls" }, is_question: false };
    const request_id = askUser(request, () => undefined);
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
  if (message.type === "protocol_init") initialize(message, reply);
  else if (!isInitialized) refuse("not_initialized", "the first is protocol_init", reply);
  else if (message.type === "user_message") {
    if (!continueScene(message)) startScene(message, reply);
  } else if (isAnswer(message)) settle(message, reply);
  else if (message.type === "interrupt") interrupt(reply);
  else refuse("bad_message", `no scene for ${message.type}`, reply);
}

function isAnswer(message: InboundMessage): message is Answer {
  return Object.hasOwn(SETTLES, message.type);
}

function initialize(message: InboundMessage, reply: Fields): void {
  if (isInitialized) {
    refuse("already_initialized", "twice", reply);
    return;
  }
  isInitialized = true;
  init = message;
  const about = { version: 2, instance_id: INSTANCE, tugtalk_version: "0.0.0" };
  emit({ type: "protocol_ack", ...about, capabilities: { inbound: [] }, ...reply });
  if (process.env["FAKE_BRIDGE"] === "no claude" && !process.argv.includes("simulate")) {
    SCENES["die"]?.({ turn_id: "none", message_id: "none" });
    return;
  }
  emit({ type: "process_started", pid: 1, args: [] });
  emit({ type: "session_init", session_id: "session-1", mode: "new" });
}

/** Unlike the bridge it has no queue: a message in a turn is refused, to show that none was sent. */
/** `continue`, while a scene waits for it, is no message of its own; it is `completed` at once. */
function continueScene({ text, message_id }: UserMessageInput): boolean {
  if (continueTurn === undefined || text !== "continue" || message_id === undefined) return false;
  emit({ type: "message_status", message_id, status: "completed" });
  const go = continueTurn;
  continueTurn = undefined;
  go();
  return true;
}

function startScene({ text, message_id }: UserMessageInput, reply: Fields): void {
  const scene = SCENES[text];
  if (running !== undefined || scene === undefined || message_id === undefined) {
    const problem = scene === undefined ? `no such scene: ${JSON.stringify(text)}` : "a turn runs";
    refuse("message_rejected", problem, reply);
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

/** The prompts that each kind of answer may settle; a question may also be refused. */
const SETTLES: Readonly<Record<Answer["type"], readonly string[]>> = {
  tool_approval: ["control_request_forward", "question"],
  question_answer: ["question"],
  elicitation_answer: ["elicitation_request"],
  dialog_answer: ["dialog_request"],
};

function settle(message: Answer, reply: Fields): void {
  const { request_id } = message;
  const prompt = open.get(request_id);
  if (prompt === undefined) {
    refuse("stale_request", "not open", { request_id, ...reply });
    return;
  }
  const isAllow = message.type === "tool_approval" && message.decision === "allow";
  const fits = SETTLES[message.type].includes(prompt.kind);
  if (isPicky || !fits || (isAllow && prompt.kind === "question")) {
    isPicky = false;
    refuse("bad_message", "the wrong kind of answer", { request_id, ...reply });
    return;
  }
  open.delete(request_id);
  const outcome = message.type === "tool_approval" ? message.decision : "answered";
  emit({ type: "control_request_resolved", request_id, outcome });
  prompt.settle(message);
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
