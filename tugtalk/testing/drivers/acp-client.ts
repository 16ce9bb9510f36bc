/** A client of ACP, as an editor is: starts an agent over pipes, and keeps every frame of it. */
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { frameProblem } from "./acp-frames.ts";
import { Inbox } from "./inbox.ts";
import { StoppableOutput } from "./stoppable-output.ts";

/** One frame of the agent. */
export type AcpFrame = Fields;

/** The result with which a request of the agent is answered at once; undefined: not so. */
export type Answering = (request: AcpFrame) => Fields | undefined;

export type AcpClientOptions = {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly stderr?: "inherit" | "ignore";
  /** A frame that the schema of the protocol does not allow ends all waits. */
  readonly isChecked: boolean;
  /** How long a frame is waited for. */
  readonly waitMs?: number;
};

export class AcpClient {
  answering: Answering = () => undefined;
  readonly #isChecked: boolean;
  readonly #waitMs: number | undefined;
  readonly #output = new StoppableOutput();
  readonly #child;
  readonly #inbox = new Inbox<AcpFrame>();
  /** The answers alone: they come while other waits are open. */
  readonly #answers = new Map<unknown, Inbox<AcpFrame>>();
  #lastId = 0;

  constructor({ command, env, cwd, stderr = "inherit", isChecked, waitMs }: AcpClientOptions) {
    this.#isChecked = isChecked;
    this.#waitMs = waitMs;
    this.#child = this.#output.start((stdout) =>
      Bun.spawn([...command], {
        stdio: ["pipe", stdout, stderr],
        env: { ...env },
        ...(cwd !== undefined && { cwd }),
      }),
    );
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

  /** Sends the capabilities of the client; resolves with the answer. */
  initialize(clientCapabilities: Fields = {}): Promise<AcpFrame> {
    return this.ask("initialize", { protocolVersion: 1, clientCapabilities });
  }

  /** Opens a session in a folder; its id. */
  async open(cwd: string, fields: Fields = {}): Promise<string> {
    const { result, error } = await this.ask("session/new", { cwd, mcpServers: [], ...fields });
    if (error !== undefined) throw new Error(`no session: ${JSON.stringify(error)}`);
    return String(fieldsOf(result)["sessionId"]);
  }

  /** Prompts a session with a text. The answer comes with the end of the turn. */
  prompt(sessionId: string, text: string): Promise<AcpFrame> {
    return this.ask("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** Sends a request; its answer, with a result or an error. */
  ask(method: string, params: unknown): Promise<AcpFrame> {
    this.#lastId += 1;
    return this.request(this.#lastId, method, params);
  }

  /** The same for a request whose id is given. */
  request(id: unknown, method: string, params: unknown): Promise<AcpFrame> {
    const answer = new Inbox<AcpFrame>();
    this.#answers.set(id, answer);
    this.send({ id, method, params });
    return this.#inTime(answer.next(() => true));
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
    // The end of its output reports the end of the agent.
    void Promise.resolve(this.#child.stdin.flush()).catch(() => {});
  }

  /** The first frame that fits, after those already returned, and is no answer to an `ask`. */
  next(fits: (frame: AcpFrame) => boolean): Promise<AcpFrame> {
    return this.#inTime(
      this.#inbox.next((frame) => this.#askedFor(frame) === undefined && fits(frame)),
    );
  }

  /** All updates of a session so far. */
  updates(sessionId: string): Fields[] {
    const params = this.received.map((frame) => Object(frame["params"]));
    return params.flatMap((each) =>
      each["sessionId"] === sessionId ? (each["update"] ?? []) : [],
    );
  }

  /** Nothing is read from now on. */
  stopReading(): void {
    this.#output.stop();
  }

  resumeReading(): void {
    this.#output.resume();
  }

  kill(signal?: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Closes the input of the agent, and kills it if it does not end in time; resolves with the exit code. */
  async end(limitMs?: number): Promise<number> {
    void this.#child.stdin.end();
    const timer = limitMs && setTimeout(() => this.kill("SIGKILL"), limitMs);
    const code = await this.exited;
    clearTimeout(timer);
    return code;
  }

  async #inTime<T>(wait: Promise<T>): Promise<T> {
    if (this.#waitMs === undefined) return wait;
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error("no such frame came")), this.#waitMs);
    return Promise.race([wait, late.promise]).finally(() => clearTimeout(timer));
  }

  async #read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      let rest = "";
      for await (const chunk of this.#output.stream) {
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
    const problem = this.#isChecked ? frameProblem(frame) : undefined;
    if (problem !== undefined) throw new Error(`not a frame of ACP: ${problem}\n${line}`);
    const { id, method } = frame;
    const result = id !== undefined && method !== undefined ? this.answering(frame) : undefined;
    if (result !== undefined) this.send({ id, result });
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
