/**
 * A chat in the terminal: a host of tugtalk in plain Node, without any package.
 *
 *     node chat.mjs                 talks to the simulator, which needs no account
 *     node chat.mjs npx tugtalk     talks to Claude, in the current folder
 *
 * Each line that you type is a message, or the answer to a prompt. Ctrl-C interrupts Claude, Ctrl-D ends.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const given = process.argv.slice(2);
const [command, ...args] = given.length > 0 ? given : ["npx", "tugtalk", "simulate"];
// In a process group of its own the bridge does not get Ctrl-C from the terminal.
const bridge = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"], detached: true });
bridge.stdin.on("error", () => {}); // The bridge has ended. Its last messages say why.
bridge.on("error", ({ message }) => {
  console.error(`cannot start the bridge: ${message}`);
  process.exit(1);
});
const ended = new Promise((resolve) => bridge.on("close", resolve));
const fromBridge = createInterface({ input: bridge.stdout })[Symbol.asyncIterator]();
const fromUser = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let isStreaming = false; // Whether the text that is being printed goes on.

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
  /** A text comes in pieces and then as a whole, or only as a whole. */
  assistant_text({ is_partial, text = "", parent_tool_use_id }) {
    if (parent_tool_use_id !== undefined) return; // A subagent speaks.
    if (is_partial || !isStreaming) process.stdout.write(text);
    if (!is_partial) console.log();
    isStreaming = is_partial;
  },
  // The output of a slash command, for example /context.
  user_text: ({ kind, text }) => kind === "command_output" && console.log(text),
  tool_use: ({ status, tool_name, input }) =>
    status === "complete" && console.log("*", tool_name, JSON.stringify(input).slice(0, 100)),
  tool_result: ({ is_error, output }) =>
    console.log(is_error ? "  failed:" : "  done:", output.slice(0, 100)),
  // Claude waits until a prompt has an answer.
  control_request_forward: async (prompt) =>
    send({ request_id: prompt.request_id, ...(await answer(prompt)) }),
  // A form of an MCP server, which this host cannot show.
  elicitation_request: ({ request_id }) =>
    send({ type: "elicitation_answer", request_id, action: "decline" }),
  turn_complete: ({ result, subtype }) =>
    result === "success" || console.log(`[the turn ended: ${result}, ${subtype}]`),
  turn_cancelled: ({ reason }) => console.log(`[the turn was lost: ${reason}]`),
  error: ({ code, message }) => console.error(`[${code}: ${message}]`),
};

/** The answer to a permission prompt or to questions; a refusal if nobody is there to answer. */
async function answer({ is_question, tool_name, input, permission_suggestions }) {
  if (is_question) {
    const answers = {};
    for (const each of input.questions) {
      answers[each.question] = await choose(each);
      if (answers[each.question] === undefined) return { type: "tool_approval", decision: "deny" };
    }
    return { type: "question_answer", answers };
  }
  console.log(`May ${tool_name} run? Input: ${JSON.stringify(input)}`);
  const rules = permission_suggestions ?? []; // Sent back, they mean "always".
  const always = `a: yes, and from here on ${JSON.stringify(rules)}`;
  const text = await ask(`y: yes; ${always}; other: no, for that reason\n? `);
  const type = "tool_approval";
  if (text === "y") return { type, decision: "allow" };
  if (text === "a") return { type, decision: "allow", updatedPermissions: rules };
  return { type, decision: "deny", message: text || undefined };
}

/** A label or other text, or a list of them where several may be chosen, with commas between them. */
async function choose({ question, options, multiSelect }) {
  const lines = options.map(({ label }, index) => `  ${index + 1}. ${label}\n`);
  const text = await ask(`${question}\n${lines.join("")}? `);
  const chosen = text?.split(",").map((word) => options[word.trim() - 1]?.label ?? word.trim());
  return multiSelect ? chosen : (options[text - 1]?.label ?? text);
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
  const ends = ["completed", "cancelled", "rejected", "failed"]; // The last receipt of a message.
  isOpen = await follow(({ type, status }) => type === "message_status" && ends.includes(status));
}
bridge.stdin.end(); // The bridge ends Claude and then itself; nothing needs to be killed.
await follow(() => false);
process.exitCode = (await ended) ?? 1; // Null after a signal.
process.stdin.destroy();
