/** A host of tugtalk that gives Claude a tool, and stands at a hook: node tool.mjs "What time is it?" npx tugtalk */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [text, command, ...args] = process.argv.slice(2);
const bridge = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
const send = (message) => bridge.stdin.write(`${JSON.stringify(message)}\n`);

const clock = {
  name: "clock",
  description: "The time of day.",
  input_schema: { type: "object" },
  permission: "allow",
};
const guard = { hook_id: "guard", event: "PreToolUse", matcher: "Bash" };
send({ type: "protocol_init", version: 2, options: { host_tools: [clock], host_hooks: [guard] } });
send({ type: "user_message", text });

const handlers = {
  host_tool_request({ request_id }) {
    send({ type: "host_tool_answer", request_id, text: new Date().toTimeString().slice(0, 5) });
  },
  hook_request({ request_id, input }) {
    const reason = `Not here: ${input.tool_input.command}`;
    send({ type: "hook_answer", request_id, decision: "deny", reason });
  },
  control_request_forward({ request_id }) {
    send({ type: "tool_approval", request_id, decision: "deny" });
  },
  tool_result({ tool_name, output }) {
    console.log(`* ${tool_name}: ${output}`);
  },
  turn_complete: end,
  turn_cancelled: end,
  error: end,
};

function end({ text, message }) {
  console.log(text ?? message);
  bridge.stdin.end();
}

for await (const line of createInterface({ input: bridge.stdout })) {
  const message = JSON.parse(line);
  handlers[message.type]?.(message);
}
