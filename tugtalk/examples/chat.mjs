/**
 * A chat in the terminal: a host of tugtalk in plain Node, without any package.
 *
 *     node chat.mjs                 talks to the simulator, which needs no account
 *     node chat.mjs npx tugtalk     talks to Claude, in the current folder
 *
 * Each line that you type is a message, or the answer to a prompt. Ctrl-C interrupts Claude, Ctrl-D ends.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

const given = process.argv.slice(2);
const [command = "", ...args] = given.length > 0 ? given : ["npx", "tugtalk", "simulate"];

/** The last receipt of a message is one of these. */
const FINAL = ["completed", "cancelled", "rejected", "failed"];

// In a process group of its own the bridge does not get Ctrl-C from the terminal: the host decides
// what it means.
const bridge = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
bridge.stdin.on("error", () => {}); // The bridge has ended. Its last messages say why.
const exitCode = once(bridge, "close").then(
  ([code]) => code ?? 1, // Null after a signal.
  (error) => {
    console.error(`cannot start the bridge: ${error.message}`);
    return 1;
  },
);
const fromBridge = createInterface({ input: bridge.stdout })[Symbol.asyncIterator]();
const fromUser = createInterface({ input: process.stdin })[Symbol.asyncIterator]();

/** Whether the text that is being printed goes on. */
let isStreaming = false;

/** Writes one message: a JSON object on a line of its own. */
function send(message) {
  bridge.stdin.write(`${JSON.stringify(message)}\n`);
}

/** Shows messages up to the first one that `isLast` accepts; false if the bridge ends before that. */
async function follow(isLast) {
  for (let line = await fromBridge.next(); !line.done; line = await fromBridge.next()) {
    const message = JSON.parse(line.value);
    await show[message.type]?.(message);
    if (isLast(message)) return true;
  }
  return false;
}

/** How each type of message is handled. A host ignores the types and fields that it does not know. */
const show = {
  assistant_text: showText,
  // The output of a slash command such as /context.
  user_text: ({ kind, text }) => kind === "command_output" && console.log(text),
  tool_use: ({ status, tool_name, input }) =>
    status === "complete" && console.log("*", tool_name, JSON.stringify(input).slice(0, 100)),
  tool_result: ({ is_error, output }) =>
    console.log(is_error ? "  failed:" : "  done:", output.slice(0, 100)),
  control_request_forward: answer,
  // A form of an MCP server, which this host cannot show.
  elicitation_request: ({ request_id }) =>
    send({ type: "elicitation_answer", request_id, action: "decline" }),
  turn_complete: ({ result, subtype }) =>
    result === "success" || console.log(`[the turn ended: ${result}, ${subtype}]`),
  turn_cancelled: ({ reason }) => console.log(`[the turn was lost: ${reason}]`),
  error: ({ code, message }) => console.error(`[${code}: ${message}]`),
};

/** A text comes in pieces (partial) and then as a whole (complete), or only as a whole. */
function showText({ status, text = "", parent_tool_use_id }) {
  if (parent_tool_use_id !== undefined) return; // A subagent speaks.
  const wasStreaming = isStreaming;
  isStreaming = status === "partial";
  if (isStreaming || !wasStreaming) process.stdout.write(text);
  if (!isStreaming) console.log();
}

/** Answers a permission prompt or a question. Claude waits until it has an answer. */
async function answer({ request_id, is_question, tool_name, input, permission_suggestions = [] }) {
  const given = is_question
    ? await chooseAll(input.questions)
    : await decide(tool_name, input, permission_suggestions);
  // Without an answer nobody is there to give one.
  send({ request_id, ...(given ?? { type: "tool_approval", decision: "deny" }) });
}

/** What the user says about a tool. "Always" accepts the rules that Claude suggests. */
async function decide(name, input, rules) {
  console.log(`May ${name} run? Input: ${JSON.stringify(input)}`);
  console.log(
    `y: yes; a: yes, and from here on ${JSON.stringify(rules)}; other: no, for that reason`,
  );
  const text = await ask("? ");
  const type = "tool_approval";
  if (text === "y") return { type, decision: "allow" };
  if (text === "a") return { type, decision: "allow", updatedPermissions: rules };
  return text === undefined ? undefined : { type, decision: "deny", message: text || "No." };
}

/** Answers by the text of their question: a label or other text, or a list where several may be chosen. */
async function chooseAll(questions) {
  const answers = {};
  for (const { question, options, multiSelect } of questions) {
    console.log(question);
    for (const [index, { label }] of options.entries()) console.log(`  ${index + 1}. ${label}`);
    const text = await ask("? ");
    if (text === undefined) return undefined;
    const words = multiSelect ? text.split(",") : [text];
    const chosen = words.map((word) => options[word.trim() - 1]?.label ?? word.trim());
    answers[question] = multiSelect ? chosen : chosen[0];
  }
  return { type: "question_answer", answers };
}

/** The next line that the user types; undefined after the last. */
async function ask(text) {
  process.stdout.write(text);
  return (await fromUser.next()).value;
}

process.on("SIGINT", () => send({ type: "interrupt" }));
send({ type: "protocol_init", version: 2 });
let isOpen = await follow(({ type, state }) => type === "session_state" && state === "idle");
while (isOpen) {
  const text = await ask("> ");
  if (text === undefined) break;
  send({ type: "user_message", text });
  isOpen = await follow(({ type, status }) => type === "message_status" && FINAL.includes(status));
}
bridge.stdin.end(); // The bridge ends Claude and then itself; nothing needs to be killed.
await follow(() => false);
process.exitCode = await exitCode;
process.stdin.destroy();
