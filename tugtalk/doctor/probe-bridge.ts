/** The bridge as a process of the self-test: what is said to it, what it says, and its sure end. */

import { isOverlong, MAX_LINE_BYTES } from "../src/base/lines.ts";
import { startClaudeProcess } from "../src/process/claude-process.ts";
import { isAlive, killGroup } from "../src/process/process-signals.ts";
import type { InboundMessage } from "../src/types.ts";
import { type Patience, within } from "./patience.ts";

/** A message of the bridge, as little of it as is looked at. */
export type Emitted = Readonly<Record<string, unknown>> & { readonly type: string };

/** What to start. */
export type BridgeStart = {
  /** The words that start tugtalk. */
  readonly command: readonly string[];
  readonly claude: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A running bridge. */
export type ProbeBridge = {
  readonly send: (message: InboundMessage) => void;
  /** The next message that fits, after those already waited for. */
  readonly next: (awaited: string, fits: (message: Emitted) => boolean) => Promise<Emitted>;
  /** Asks it to end; gives its exit code. */
  readonly end: () => Promise<number | null>;
  /** Ends it and every Claude that it told of, whatever state they are in. Safe to repeat. */
  readonly kill: () => Promise<void>;
  /** The Claudes that it told of and that are still there. */
  readonly left: () => number[];
};

/** Starts a bridge in a process group of its own. */
export function startProbeBridge(start: BridgeStart, patience: Patience): ProbeBridge {
  const child = startClaudeProcess({
    ...start,
    args: [`--claude=${start.claude}`, `--dir=${start.cwd}`, "--log-level=error"],
    maxLineBytes: MAX_LINE_BYTES,
  });
  const emitted: Emitted[] = [];
  let seen = 0;
  let wake = Promise.withResolvers<void>();
  let isOver = false;
  const read = async () => {
    for await (const lines of child.lines) {
      for (const line of lines) {
        if (!isOverlong(line)) emitted.push(JSON.parse(new TextDecoder().decode(line)) as Emitted);
      }
      wake.resolve();
      wake = Promise.withResolvers();
    }
    isOver = true;
    wake.resolve();
  };
  const reading = read();
  const look = async (fits: (message: Emitted) => boolean): Promise<Emitted> => {
    for (;;) {
      const message = emitted[seen];
      if (message === undefined) {
        if (isOver) throw new Error(`the bridge ended first: ${lastWords(emitted)}`);
        await wake.promise;
        continue;
      }
      seen += 1;
      if (fits(message)) return message;
    }
  };
  const left = () => pidsOf(emitted).filter(isAlive);
  return {
    send: (message) => child.writeLine(JSON.stringify(message)),
    next: (awaited, fits) => within(look(fits), patience, awaited),
    async end() {
      child.closeInput();
      return (await within(child.exited, patience, "end of the bridge")).exitCode;
    },
    async kill() {
      child.kill("SIGKILL");
      // Claude has a process group of its own.
      for (const pid of left()) killGroup(pid, "SIGKILL");
      await child.exited;
      await reading;
    },
    left,
  };
}

/** The newest error, which is why a bridge ends by itself. */
function lastWords(emitted: readonly Emitted[]): string {
  const error = emitted.findLast(({ type }) => type === "error");
  return error === undefined ? "it said nothing" : String(error["message"]);
}

function pidsOf(emitted: readonly Emitted[]): number[] {
  return emitted.flatMap(({ type, pid }) => (type === "process_started" ? [Number(pid)] : []));
}
