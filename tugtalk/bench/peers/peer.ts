/** One session of a contender, and its host. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { ACP_DIALECT } from "./acp-dialect.ts";
import { openAcpLinks } from "./acp-links.ts";
import type { Contender } from "./contenders.ts";
import type { Dialect, Heard } from "./dialects.ts";
import { type Link, openChannels, PeerProcess, type Workspace } from "./peer-process.ts";
import { type TurnPart, type TurnPlan, TurnReport } from "./turn-plan.ts";

/** The longest time for a turn. A contender that needs more is stuck. */
const TURN_MS = 300_000;

/** The most bytes of a line that are searched for the mark of a turn's end. */
const START_OF_LINE = 96;

/** Longer lines, in bytes, are counted and not read. */
const LONG_LINE = 1_000_000;

const Fields = z.record(z.string(), z.unknown());

/** The reading of lines: each as it comes, or only the end of the turn, so that the host is no bottleneck. */
type Hearing = ((heard: Heard) => void) | "end only";

let reports = 0;

export class Peer {
  readonly pid: number;
  readonly #dialect: Dialect;
  readonly #link: Link;
  readonly #folder: string;
  readonly #decoder = new TextDecoder();
  readonly #session: Promise<string>;

  /** Sends the first message of a host. */
  constructor(link: Link, dialect: Dialect, folder: string) {
    this.pid = link.pid;
    this.#link = link;
    this.#dialect = dialect;
    this.#folder = folder;
    this.#session = dialect.namesSession === true ? this.#hearSession() : Promise.resolve("");
    for (const line of dialect.opening) link.send(line);
  }

  /** Runs a turn of these parts. Gives the report of the stand-in. Answers its requests at once. */
  async turn(parts: readonly TurnPart[], hearing: Hearing): Promise<TurnReport> {
    reports += 1;
    const report = join(this.#folder, `report-${reports}.json`);
    const plan = { parts: [...parts], report } satisfies TurnPlan;
    await this.say(JSON.stringify(plan), hearing);
    return TurnReport.parse(JSON.parse(readFileSync(report, "utf8")));
  }

  /** Sends a message. Resolves at the end of its turn. */
  async say(text: string, hearing: Hearing): Promise<void> {
    const session = await this.#inTime(this.#session);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#link.onLine =
      hearing === "end only" ? this.#endOf(resolve) : this.#heard(hearing, resolve);
    this.#link.send(this.#dialect.message({ text, session }));
    await this.#inTime(promise);
  }

  async #inTime<T>(promise: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new Error(`nothing in ${TURN_MS} ms`)), TURN_MS);
    try {
      return await Promise.race([promise, late.promise, this.#link.ended]);
    } finally {
      clearTimeout(timer);
    }
  }

  #hearSession(): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#link.onLine = (line) => {
      const heard = this.#read(line);
      if (heard?.kind === "session") resolve(heard.id);
    };
    return promise;
  }

  #endOf(resolve: () => void): (line: Uint8Array) => void {
    const mark = Buffer.from(this.#dialect.endMark);
    return (line) => {
      if (
        Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, START_OF_LINE)).includes(
          mark,
        )
      )
        resolve();
    };
  }

  #heard(hear: (heard: Heard) => void, resolve: () => void): (line: Uint8Array) => void {
    return (line) => {
      const heard = this.#read(line);
      if (heard === undefined) return;
      if (heard.kind === "prompt") this.#link.send(this.#dialect.answer(heard.prompt));
      hear(heard);
      if (heard.kind === "end") resolve();
    };
  }

  #read(line: Uint8Array): Heard | undefined {
    if (line.length > LONG_LINE) return { kind: "long line", bytes: line.length };
    return this.#dialect.read(Fields.parse(JSON.parse(this.#decoder.decode(line))));
  }
}

/**
 * Runs `use` on a number of sessions of a contender, in one process if they share it. Ends the started
 * processes.
 */
export async function withPeers<T>(
  contender: Contender,
  workspace: Workspace,
  count: number,
  use: (peers: readonly [Peer, ...Peer[]], pids: readonly number[]) => Promise<T>,
): Promise<T> {
  const isShared = contender.isShared === true;
  const processes = Array.from(
    { length: isShared ? 1 : count },
    () => new PeerProcess(contender, workspace),
  );
  const links = isShared
    ? processes.flatMap((shared) => channelsOf(contender, shared, count))
    : processes;
  try {
    const [first, ...others] = links.map(
      (link) => new Peer(link, contender.dialect, workspace.folder),
    );
    if (first === undefined) throw new Error("there is no session");
    return await use(
      [first, ...others],
      processes.map(({ pid }) => pid),
    );
  } finally {
    await Promise.all(processes.map((process) => process.end()));
  }
}

function channelsOf(contender: Contender, shared: PeerProcess, count: number): Link[] {
  const open = contender.dialect === ACP_DIALECT ? openAcpLinks(shared) : openChannels(shared);
  return Array.from({ length: count }, (_, number) => open(`session ${number}`));
}
