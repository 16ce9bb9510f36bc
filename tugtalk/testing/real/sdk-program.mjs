/**
 * A program of the official Agent SDK with a tool and hooks, for a comparison. Takes the paths of the
 * SDK's module, of zod and of Claude's executable, and the message of the user.
 */
const [sdk, zod, claude, text] = process.argv.slice(2);
const { query, tool, createSdkMcpServer } = await import(sdk);
const { z } = await import(zod);

const level = tool(
  "level",
  "The level of the water.",
  { place: z.string() },
  async ({ place }) => {
    if (place === "nowhere") throw new Error("there is no gauge");
    return { content: [{ type: "text", text: `high at ${place}` }] };
  },
  { alwaysLoad: true },
);

const output = (hookEventName, fields) => ({ hookSpecificOutput: { hookEventName, ...fields } });

async function guard({ tool_input: { command } }) {
  if (command.endsWith("refused"))
    return output("PreToolUse", {
      permissionDecision: "deny",
      permissionDecisionReason: "Nothing is changed here.",
    });
  const updatedInput = { command: command.replace("one", "other") };
  return output("PreToolUse", { permissionDecision: "allow", updatedInput });
}

const context = (event, additionalContext) => async () => output(event, { additionalContext });

async function goOn({ stop_hook_active }) {
  return stop_hook_active ? {} : { decision: "block", reason: "Do the rest." };
}

const options = {
  pathToClaudeCodeExecutable: claude,
  settingSources: [],
  systemPrompt: { type: "preset", preset: "claude_code" },
  allowedTools: ["mcp__host__level"],
  mcpServers: { host: createSdkMcpServer({ name: "host", tools: [level] }) },
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [guard] }],
    PostToolUse: [{ matcher: "Bash", hooks: [context("PostToolUse", "It was noted.")] }],
    UserPromptSubmit: [{ hooks: [context("UserPromptSubmit", "Today is Tuesday.")] }],
    Stop: [{ hooks: [goOn] }],
  },
};

async function* prompts() {
  yield { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null };
}

for await (const message of query({ prompt: prompts(), options }))
  if (message.type === "result") process.stdout.write(`${message.result}\n`);
