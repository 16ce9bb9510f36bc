/** The bridge as a process of the self-test, which waits for its messages step by step. */
import { startTugtalk } from "../spawn/running-tugtalk.ts";
import { isRunning, killGroup } from "../src/base/processes.ts";
import type { InboundMessage, OutboundMessage } from "../src/types.ts";
import { type StepTimeout, within } from "./step-timeout.ts";

export type BridgeStart = {
  /** The command line of tugtalk. */
  readonly command: readonly string[];
  readonly claude: string;
  readonly dir: string;
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
};

/** A running bridge. */
export type ProbeBridge = {
  readonly send: (message: InboundMessage) => void;
  /** The next message that matches; those before it are skipped. */
  readonly next: <Found extends OutboundMessage>(
    awaited: string,
    matches: (message: OutboundMessage) => message is Found,
  ) => Promise<Found>;
  /** Closes its input; resolves to its exit code. */
  readonly end: () => Promise<number | null>;
  /** Kills it and every Claude that it started. Safe to repeat. */
  readonly kill: () => Promise<void>;
  /** The process ids of its Claudes that are still alive. */
  readonly left: () => number[];
};

export async function startProbeBridge(
  { command, env, ...start }: BridgeStart,
  timeout: StepTimeout,
): Promise<ProbeBridge> {
  const none = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  const tugtalk = await startTugtalk(command, {
    ...start,
    args: ["--log-level=error"],
    env: { ...none, ...env },
    stderr: "ignore",
  });
  const pids: number[] = [];
  /** The newest error: it explains why a bridge ends by itself. */
  let lastError = "it emitted no error";
  const messages = async function* () {
    for await (const message of tugtalk.messages) {
      if (message.type === "process_started") pids.push(message.pid);
      if (message.type === "error") lastError = message.message;
      yield message;
    }
  };
  const find: ProbeBridge["next"] = async (_awaited, matches) => {
    for await (const message of messages()) if (matches(message)) return message;
    throw new Error(`the bridge ended first: ${lastError}`);
  };
  const exit = async () => {
    await Array.fromAsync(messages());
    return (await tugtalk.exited).code;
  };
  const left = () => pids.filter(isRunning);
  return {
    send: (message) => tugtalk.send(message),
    next: (awaited, matches) => within(find(awaited, matches), timeout, awaited),
    end: () => {
      void tugtalk.close();
      return within(exit(), timeout, "end of the bridge");
    },
    kill: async () => {
      tugtalk.kill("SIGKILL");
      await exit();
      // Claude has a process group of its own.
      for (const pid of left()) killGroup(pid, "SIGKILL");
    },
    left,
  };
}
