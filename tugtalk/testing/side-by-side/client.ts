/** A client of ACP that records every frame, and answers what the agent asks as a scenario says. */
import type { Fields } from "../../src/base/json.ts";
import { fieldsOf } from "../../src/base/json.ts";

/** One frame of the agent. */
export type Frame = Fields;

/** The result with which the client answers a request of the agent; undefined: never. */
export type Answer = (request: Frame) => Fields | undefined;

type Waiting = {
  readonly fits: (frame: Frame) => boolean;
  readonly resolve: (frame: Frame) => void;
  readonly reject: (error: Error) => void;
};

/** A frame that does not come is told in the table, as a wait that has ended. */
const WAIT_MS = 30_000;

export class Client {
  readonly frames: Frame[] = [];
  answer: Answer = () => undefined;
  readonly #child;
  readonly #waiting = new Set<Waiting>();
  #lastId = 0;

  constructor(command: readonly string[], env: Readonly<Record<string, string>>, cwd: string) {
    this.#child = Bun.spawn([...command], { stdio: ["pipe", "pipe", "ignore"], env, cwd });
    void this.#read();
  }

  get pid(): number {
    return this.#child.pid;
  }

  get exited(): Promise<number> {
    return this.#child.exited;
  }

  /** Sends a request; its answer, with a result or an error. */
  ask(method: string, params: unknown): Promise<Frame> {
    this.#lastId += 1;
    const id = `client-${this.#lastId}`;
    this.send({ id, method, params });
    return this.next((frame) => frame["id"] === id && frame["method"] === undefined);
  }

  send(fields: Fields): void {
    this.sendRaw(`${JSON.stringify({ jsonrpc: "2.0", ...fields })}\n`);
  }

  sendRaw(text: string): void {
    this.#child.stdin.write(text);
    // That the agent has ended is told where its output ends.
    void Promise.resolve(this.#child.stdin.flush()).catch(() => {});
  }

  /** The first frame from now on that fits. */
  next(fits: (frame: Frame) => boolean): Promise<Frame> {
    const { promise, resolve, reject } = Promise.withResolvers<Frame>();
    const waiting = { fits, resolve, reject };
    this.#waiting.add(waiting);
    const timer = setTimeout(() => reject(new Error("no such frame came")), WAIT_MS);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(waiting);
    });
  }

  /** Closes its input; kills what does not end by itself. */
  async end(limitMs = 5000): Promise<void> {
    void this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), limitMs);
    await this.#child.exited;
    clearTimeout(timer);
  }

  async #read(): Promise<void> {
    const decoder = new TextDecoder();
    let rest = "";
    for await (const chunk of this.#child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) this.#take(JSON.parse(line));
    }
    for (const { reject } of this.#waiting) reject(new Error("the agent has ended"));
  }

  #take(frame: Frame): void {
    this.frames.push(frame);
    const { id, method } = frame;
    if (id !== undefined && method !== undefined) {
      const result = this.answer(frame);
      if (result !== undefined) this.send({ id, result });
    }
    for (const waiting of this.#waiting) if (waiting.fits(frame)) waiting.resolve(frame);
  }
}

/** Chooses the first option of a kind. */
export function choosing(kind: string): Answer {
  return ({ method, params }) => {
    if (method !== "session/request_permission") return undefined;
    const options = fieldsOf(params)["options"];
    const all = Array.isArray(options) ? options.map(fieldsOf) : [];
    const optionId = all.find((option) => option["kind"] === kind)?.["optionId"];
    return { outcome: { outcome: "selected", optionId } };
  };
}
