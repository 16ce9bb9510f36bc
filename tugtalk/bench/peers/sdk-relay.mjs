/**
 * The least program around the official Agent SDK that a host can talk to over pipes. It prints each
 * message of the SDK as one line, and prompts as Claude prints them. It reads messages and answers in
 * Claude's own form. Runs on Bun and on Node. Takes the paths of the SDK's module and of Claude's
 * executable. With the word `channels` after them it has a query for each channel that its lines
 * name. With `program` it has a tool and a hook, which the host answers; with `alone` the same, which
 * it answers itself.
 */
import { createRequire } from "node:module";

const [sdk, claude, mode] = process.argv.slice(2);
const { query, tool, createSdkMcpServer } = await import(sdk);

class Session {
  #channel;
  #open = new Map();
  #messages = [];
  #isOver = false;
  #wake = () => {};
  #calls = 0;

  constructor(channel) {
    this.#channel = channel;
  }

  take({ channel, ...line }) {
    const { type, response } = line;
    if (type === "user") this.#messages.push(line);
    if (type === "control_response") this.#open.get(response.request_id)?.(response.response);
    this.#wake();
  }

  end() {
    this.#isOver = true;
    this.#wake();
  }

  async run() {
    const options = {
      pathToClaudeCodeExecutable: claude,
      includePartialMessages: true,
      canUseTool: (tool_name, input, { toolUseID: tool_use_id }) =>
        this.#ask(tool_use_id, { subtype: "can_use_tool", tool_name, input, tool_use_id }),
      ...(mode === "program" &&
        (await programOptions(
          (input) => this.#call(input),
          (input) => this.#hook(input),
        ))),
      ...(mode === "alone" && (await programOptions(save, guard))),
    };
    for await (const message of query({ prompt: this.#sayAll(), options }))
      await this.#print(message);
  }

  async *#sayAll() {
    for (;;) {
      while (this.#messages.length > 0) yield this.#messages.shift();
      if (this.#isOver) return;
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Waits while the host does not read. */
  async #print(line) {
    const named = this.#channel === undefined ? line : { channel: this.#channel, ...line };
    if (process.stdout.write(`${JSON.stringify(named)}\n`)) return;
    await new Promise((resolve) => process.stdout.once("drain", resolve));
  }

  async #ask(request_id, request) {
    const answered = new Promise((resolve) => {
      this.#open.set(request_id, resolve);
    });
    await this.#print({ type: "control_request", request_id, request });
    const answer = await answered;
    this.#open.delete(request_id);
    return answer;
  }

  async #call(input) {
    const id = this.#nextCall();
    const message = { id, method: "tools/call", params: { name: "save", arguments: input } };
    const answer = await this.#ask(id, { subtype: "mcp_message", server_name: "host", message });
    return answer.mcp_response.result;
  }

  #hook(input) {
    return this.#ask(this.#nextCall(), { subtype: "hook_callback", callback_id: "guard", input });
  }

  #nextCall() {
    this.#calls += 1;
    return `call-${this.#calls}`;
  }
}

async function save({ file_path: text }) {
  return { content: [{ type: "text", text }] };
}

async function guard({ hook_event_name: hookEventName, tool_input }) {
  const permissionDecisionReason = tool_input.file_path;
  return {
    hookSpecificOutput: { hookEventName, permissionDecision: "allow", permissionDecisionReason },
  };
}

async function programOptions(call, hook) {
  // The SDK's own one: it takes no other.
  const { z } = await import(createRequire(sdk).resolve("zod"));
  const input = { file_path: z.string(), content: z.string() };
  const tools = [tool("save", "Saves a file.", input, call)];
  return {
    mcpServers: { host: createSdkMcpServer({ name: "host", tools }) },
    hooks: { PreToolUse: [{ matcher: "Write", hooks: [hook] }] },
  };
}

const sessions = new Map();
let running = 0;

function open(channel) {
  const session = new Session(channel);
  sessions.set(channel, session);
  running += 1;
  void session.run().then(() => {
    running -= 1;
    if (running === 0) process.exit();
  });
  return session;
}

// Without channels, Claude is started before the host says anything.
if (mode !== "channels") open(undefined);

let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\n");
  rest = lines.pop();
  for (const text of lines) {
    const line = JSON.parse(text);
    (sessions.get(line.channel) ?? open(line.channel)).take(line);
  }
});
process.stdin.on("end", () => {
  for (const session of sessions.values()) session.end();
});
