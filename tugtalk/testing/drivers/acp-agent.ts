/**
 * Starts the ACP agent over pipes, as an editor does. Each frame of it is checked with the schema that the
 * protocol publishes.
 */
import type { Fields } from "../../src/base/json.ts";
import { frameProblem } from "./acp-frames.ts";
import { UNDER_TEST } from "./bridge-process.ts";
import { STAND_IN } from "./claudes.ts";
import { Inbox } from "./inbox.ts";

export type AcpOptions = {
  /** The program without its sub-command. */
  readonly command?: readonly string[];
  readonly claude?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `env` is the whole environment. */
  readonly isIsolated?: boolean;
};

/** One frame of the agent. */
export type AcpFrame = Fields;

export class AcpAgent {
  readonly #child;
  readonly #inbox = new Inbox<AcpFrame>();
  /** The answers alone: they come while other waits are open. */
  readonly #answers = new Map<unknown, Inbox<AcpFrame>>();
  #lastId = 0;

  constructor(options: AcpOptions = {}) {
    const { command = UNDER_TEST, claude = STAND_IN, args = [], env = {} } = options;
    const { isIsolated = false } = options;
    this.#child = Bun.spawn([...command, "acp", `--claude=${claude}`, ...args], {
      stdio: ["pipe", "pipe", "inherit"],
      env: isIsolated ? env : { ...process.env, TUGTALK_SIM_SPEED: "max", ...env },
    });
    void this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  get exited(): Promise<number> {
    return this.#child.exited;
  }

  get received(): readonly AcpFrame[] {
    return this.#inbox.received;
  }

  /** Says what it can do. The answer. */
  initialize(clientCapabilities: Fields = {}): Promise<AcpFrame> {
    return this.ask("initialize", { protocolVersion: 1, clientCapabilities });
  }

  /** Opens a session in a folder; its id. */
  async open(cwd: string): Promise<string> {
    const { result } = await this.ask("session/new", { cwd, mcpServers: [] });
    return String(Object(result)["sessionId"]);
  }

  /** Prompts a session with a text. The answer comes with the end of the turn. */
  prompt(sessionId: string, text: string): Promise<AcpFrame> {
    return this.ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** Sends a request; its answer, with a result or an error. */
  ask(method: string, params: unknown): Promise<AcpFrame> {
    this.#lastId += 1;
    const id = this.#lastId;
    return this.request(id, method, params);
  }

  /** The same for a request whose id is given. */
  request(id: unknown, method: string, params: unknown): Promise<AcpFrame> {
    const answer = new Inbox<AcpFrame>();
    this.#answers.set(id, answer);
    this.send({ id, method, params });
    return answer.next(() => true);
  }

  /** Answers a request of the agent. */
  answer({ id }: AcpFrame, result: unknown): void {
    this.send({ id, result });
  }

  send(fields: Fields): void {
    this.sendRaw(`${JSON.stringify({ jsonrpc: "2.0", ...fields })}\n`);
  }

  sendRaw(text: string): void {
    this.#child.stdin.write(text);
    this.#child.stdin.flush();
  }

  /** The first frame that fits, after those already returned, and is no answer to an `ask`. */
  next(fits: (frame: AcpFrame) => boolean): Promise<AcpFrame> {
    return this.#inbox.next((frame) => this.#askedFor(frame) === undefined && fits(frame));
  }

  /** All updates of a session so far. */
  updates(sessionId: string): Fields[] {
    const params = this.received.map((frame) => Object(frame["params"]));
    return params.flatMap((each) =>
      each["sessionId"] === sessionId ? (each["update"] ?? []) : [],
    );
  }

  kill(signal?: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes its input; the exit code. */
  async end(): Promise<number> {
    this.#child.stdin.end();
    return await this.exited;
  }

  async #read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of this.#child.stdout) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#take(line);
      }
      this.#end(new Error("the agent has ended"));
    } catch (error) {
      this.#end(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #take(line: string): void {
    const frame: AcpFrame = JSON.parse(line);
    const problem = frameProblem(frame);
    if (problem !== undefined) throw new Error(`not a frame of ACP: ${problem}\n${line}`);
    this.#inbox.add(frame);
    this.#askedFor(frame)?.add(frame);
  }

  #askedFor({ id, method }: AcpFrame): Inbox<AcpFrame> | undefined {
    return method === undefined ? this.#answers.get(id) : undefined;
  }

  #end(error: Error): void {
    for (const inbox of [this.#inbox, ...this.#answers.values()]) inbox.end(error);
  }
}
