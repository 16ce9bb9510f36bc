/** One contender as a process whose host reads and writes lines over pipes. */
import { join } from "node:path";
import { type Line, LineSplitter } from "../../src/base/lines.ts";
import type { StoppableOutput } from "../../testing/drivers/stoppable-output.ts";
import type { Contender } from "./contenders.ts";

/** The folder and the Claude of a contender. */
export type Workspace = {
  readonly folder: string;
  readonly claude: string;
  /** The reader of its output. */
  readonly output?: StoppableOutput;
};

/** Long, since a contender ends slowly on a busy machine. */
const END_LIMIT_MS = 10_000;

/** The lines of one session, both ways. */
export type Link = {
  readonly pid: number;
  readonly send: (line: Readonly<Record<string, unknown>>) => void;
  /** Gets each line from then on. */
  onLine: (line: Uint8Array) => void;
  /** Rejects when the process ends. */
  readonly ended: Promise<never>;
};

export class PeerProcess implements Link {
  readonly pid: number;
  readonly ended: Promise<never>;
  onLine: (line: Uint8Array) => void = () => {};
  readonly #child: Bun.Subprocess<"pipe", "pipe" | number, "inherit">;

  constructor(contender: Contender, { folder, claude, output }: Workspace) {
    const command = [...contender.command(claude)];
    const home = {
      HOME: folder,
      XDG_STATE_HOME: folder,
      CLAUDE_CONFIG_DIR: join(folder, ".claude"),
    };
    const options = { cwd: folder, env: { ...process.env, ...home } };
    const start = (stdout: "pipe" | number) =>
      Bun.spawn(command, { stdio: ["pipe", stdout, "inherit"], ...options });
    this.#child = output === undefined ? start("pipe") : output.start(start);
    this.pid = this.#child.pid;
    const chunks = output?.stream ?? this.#child.stdout;
    if (!(chunks instanceof ReadableStream)) throw new Error("nobody reads its output");
    this.ended = this.#read(contender.name, chunks);
    this.ended.catch(() => {});
  }

  send(line: Readonly<Record<string, unknown>>): void {
    this.#child.stdin.write(`${JSON.stringify(line)}\n`);
    void this.#child.stdin.flush();
  }

  /** Ends the contender and, with its pipes, the stand-in. Gives the exit code. */
  async end(): Promise<number> {
    void this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), END_LIMIT_MS);
    const code = await this.#child.exited;
    clearTimeout(timer);
    return code;
  }

  async #read(name: string, chunks: ReadableStream<Uint8Array>): Promise<never> {
    const splitter = new LineSplitter();
    for await (const chunk of chunks)
      for (const line of splitter.feed(chunk)) this.onLine(asBytes(line));
    throw new Error(`${name} ended with ${await this.#child.exited}`);
  }
}

function asBytes(line: Line): Uint8Array {
  if (line instanceof Uint8Array) return line;
  throw new Error(`a line of ${line.overlongBytes} bytes`);
}

/** The most bytes of a line that are searched for its channel. */
const START_OF_LINE = 256;

/** Opens sessions of one process by name: each line of either direction names its channel. */
export function openChannels(shared: PeerProcess): (channel: string) => Link {
  const links = new Map<string, Link>();
  shared.onLine = (line) => {
    const start = Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, START_OF_LINE));
    const channel = /"channel":"([^"]*)"/.exec(start.toString("latin1"))?.[1] ?? "";
    links.get(channel)?.onLine(line);
  };
  return (channel) => {
    const send: Link["send"] = (line) => shared.send({ channel, ...line });
    const link = { pid: shared.pid, ended: shared.ended, send, onLine: () => {} };
    links.set(channel, link);
    return link;
  };
}
