/**
 * The least program around the official Agent SDK that a host can talk to over pipes: it prints what the
 * SDK yields, one line each, and prompts as Claude prints them; it reads messages and answers in Claude's
 * own form. Runs on Bun and on Node. Takes the paths of the SDK's module and of Claude's executable. With
 * the word `channels` after them it has a query for each channel that its lines name.
 */
const [sdk, claude, hasChannels] = process.argv.slice(2);
const { query } = await import(sdk);

class Session {
  #channel;
  #prompts = new Map();
  #messages = [];
  #isOver = false;
  #wake = () => {};

  constructor(channel) {
    this.#channel = channel;
  }

  take({ channel, ...line }) {
    const { type, response } = line;
    if (type === "user") this.#messages.push(line);
    if (type === "control_response") this.#prompts.get(response.request_id)?.(response.response);
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
      canUseTool: (name, input, { toolUseID }) => this.#ask(name, input, toolUseID),
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

  async #ask(tool_name, input, tool_use_id) {
    const answered = new Promise((resolve) => {
      this.#prompts.set(tool_use_id, resolve);
    });
    const request = { subtype: "can_use_tool", tool_name, input, tool_use_id };
    await this.#print({ type: "control_request", request_id: tool_use_id, request });
    const answer = await answered;
    this.#prompts.delete(tool_use_id);
    return answer;
  }
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
if (hasChannels === undefined) open(undefined);

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
