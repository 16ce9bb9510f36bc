/** The bridge as a process of the self-test: what it is sent, what it emits, and how it is ended. */
import { isOverlong, MAX_LINE_BYTES } from "../src/base/lines.ts";
import type { ClaudeProcess } from "../src/claude/claude-process-port.ts";
import { startClaudeProcess } from "../src/process/claude-process.ts";
import { isAlive, killGroup } from "../src/process/process-signals.ts";
import type { InboundMessage } from "../src/types.ts";
import { type StepTimeout, within } from "./step-timeout.ts";

/** A message of the bridge; the checks look at a few fields. */
export type Emitted = Readonly<Record<string, unknown>> & { readonly type: string };

export type BridgeStart = {
  /** The command line of tugtalk. */
  readonly command: readonly string[];
  readonly claude: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
};

/** A running bridge. */
export type ProbeBridge = {
  readonly send: (message: InboundMessage) => void;
  /** The next message that matches; those before it are skipped. */
  readonly next: (awaited: string, matches: (message: Emitted) => boolean) => Promise<Emitted>;
  /** Closes its input; resolves to its exit code. */
  readonly end: () => Promise<number | null>;
  /** Kills it and every Claude that it started. Safe to repeat. */
  readonly kill: () => Promise<void>;
  /** The process ids of its Claudes that are still alive. */
  readonly left: () => number[];
};

/** Starts a bridge in a process group of its own. */
export function startProbeBridge(start: BridgeStart, timeout: StepTimeout): ProbeBridge {
  const child = startClaudeProcess({
    ...start,
    args: [`--claude=${start.claude}`, `--dir=${start.cwd}`, "--log-level=error"],
    maxLineBytes: MAX_LINE_BYTES,
  });
  const emitted: Emitted[] = [];
  const messages = messagesOf(child, emitted);
  const find = async (matches: (message: Emitted) => boolean): Promise<Emitted> => {
    for (;;) {
      const { done, value } = await messages.next();
      if (done) throw new Error(`the bridge ended first: ${lastError(emitted)}`);
      if (matches(value)) return value;
    }
  };
  const exit = async () => {
    await Array.fromAsync(messages);
    return (await child.exited).exitCode;
  };
  const left = () => pidsOf(emitted).filter(isAlive);
  return {
    send: (message) => child.writeLine(JSON.stringify(message)),
    next: (awaited, matches) => within(find(matches), timeout, awaited),
    end: () => {
      child.closeInput();
      return within(exit(), timeout, "end of the bridge");
    },
    kill: async () => {
      child.kill("SIGKILL");
      await exit();
      // Claude has a process group of its own.
      for (const pid of left()) killGroup(pid, "SIGKILL");
    },
    left,
  };
}

/** Each message as it is read; `emitted` collects them. */
async function* messagesOf(child: ClaudeProcess, emitted: Emitted[]): AsyncGenerator<Emitted> {
  for await (const lines of child.lines)
    for (const line of lines) {
      if (isOverlong(line)) continue;
      const message = JSON.parse(new TextDecoder().decode(line)) as Emitted;
      emitted.push(message);
      yield message;
    }
}

/** The newest error: it explains why a bridge ends by itself. */
function lastError(emitted: readonly Emitted[]): string {
  const error = emitted.findLast(({ type }) => type === "error");
  return error === undefined ? "it emitted no error" : String(error["message"]);
}

function pidsOf(emitted: readonly Emitted[]): number[] {
  return emitted.flatMap(({ type, pid }) => (type === "process_started" ? [Number(pid)] : []));
}
