/** The edge for ACP as a process of the self-test: one client, one session, one prompt. */
import { fieldsOf } from "../src/base/json.ts";
import { isOverlong, LineSplitter } from "../src/base/lines.ts";
import { type StepTimeout, within } from "./step-timeout.ts";

export type AcpStart = {
  /** The command line of `tugtalk acp`. */
  readonly command: readonly string[];
  readonly dir: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
};

/** The frames that a client got. */
export type AcpOutcome = {
  readonly text: string;
  readonly stopReason: unknown;
  readonly exitCode: number;
};

/** Prompts a new session with a text, and ends the agent. */
export async function promptOverAcp(
  start: AcpStart,
  prompt: string,
  timeout: StepTimeout,
): Promise<AcpOutcome> {
  const { command, dir: cwd, env } = start;
  const agent = Bun.spawn([...command], { stdio: ["pipe", "pipe", "ignore"], env });
  const answers = new Answers();
  const read = answers.read(agent.stdout);
  const ask = async (method: string, params: object) => {
    const { id, answer } = answers.open();
    agent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    void agent.stdin.flush();
    return await within(Promise.race([answer, read]), timeout, `answer to ${method}`);
  };
  try {
    await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await ask("session/new", { cwd, mcpServers: [] });
    const block = { type: "text", text: prompt };
    const { stopReason } = await ask("session/prompt", { sessionId, prompt: [block] });
    void agent.stdin.end();
    const exitCode = await within(agent.exited, timeout, "end of the agent");
    return { text: answers.text, stopReason, exitCode };
  } finally {
    // With it ends its Claude. Does nothing after the end.
    agent.kill("SIGTERM");
    await agent.exited;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** The answers that are waited for, by the ids of their requests, and the text that came before them. */
class Answers {
  text = "";
  readonly #waiting = new Map<unknown, PromiseWithResolvers<Fields>>();

  open(): { readonly id: number; readonly answer: Promise<Fields> } {
    const id = this.#waiting.size;
    const waiting = Promise.withResolvers<Fields>();
    this.#waiting.set(id, waiting);
    return { id, answer: waiting.promise };
  }

  /** Never resolves: the agent may not end first. */
  async read(chunks: ReadableStream<Uint8Array>): Promise<never> {
    const splitter = new LineSplitter();
    const decoder = new TextDecoder();
    for await (const chunk of chunks)
      for (const line of splitter.feed(chunk))
        if (!isOverlong(line)) this.#take(fieldsOf(JSON.parse(decoder.decode(line))));
    throw new Error("the agent ended first");
  }

  #take({ id, params, result, error }: Fields): void {
    const { sessionUpdate, content } = fieldsOf(fieldsOf(params)["update"]);
    if (sessionUpdate === "agent_message_chunk") this.text += fieldsOf(content)["text"];
    if (error !== undefined)
      this.#waiting.get(id)?.reject(new Error(String(fieldsOf(error)["message"])));
    else if (result !== undefined) this.#waiting.get(id)?.resolve(fieldsOf(result));
  }
}
