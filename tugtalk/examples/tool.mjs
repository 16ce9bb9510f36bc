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

for await (const line of createInterface({ input: bridge.stdout })) {
  const { type, request_id, input, tool_name, output, text, message } = JSON.parse(line);
  if (type === "host_tool_request") {
    const time = new Date().toTimeString().slice(0, 5);
    send({ type: "host_tool_answer", request_id, text: time });
  } else if (type === "hook_request") {
    const reason = `Not here: ${input.tool_input.command}`;
    send({ type: "hook_answer", request_id, decision: "deny", reason });
  } else if (type === "control_request_forward") {
    send({ type: "tool_approval", request_id, decision: "deny" });
  } else if (type === "tool_result") {
    console.log(`* ${tool_name}: ${output}`);
  } else if (["turn_complete", "turn_cancelled", "error"].includes(type)) {
    console.log(text ?? message);
    bridge.stdin.end();
  }
}
