/** Bridges on this machine. */
import {
  type LinePass,
  type StartOptions,
  startTugtalk,
  type Tugtalk,
} from "../../spawn/running-tugtalk.ts";
import type { Exit } from "../../spawn/spawn-errors.ts";
import { isRunning, killGroup } from "../../src/base/processes.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeEnd, BridgeLink } from "./bridge.ts";
import { ClaudeStatus } from "./claude-status.ts";
import { filterMessages } from "./message-filter.ts";
import { SharedBridges } from "./shared-bridges.ts";

/** Starts bridges with one command and equal options: all in one process, or each in its own. */
export function openLocalBridges(
  command: readonly string[],
  options: StartOptions,
  { isIsolated, pass }: { readonly isIsolated: boolean; readonly pass: LinePass },
): () => Promise<Bridge> {
  if (isIsolated) return async () => watch(await start(command, options, pass));
  const args = [...(options.args ?? []), "--multiplex"];
  const shared = new SharedBridges(async () => ({
    child: await start(command, { ...options, args }, pass),
    log: undefined,
  }));
  return async () => watch((await shared.open()).channel);
}

async function start(
  command: readonly string[],
  options: StartOptions,
  pass: LinePass,
): Promise<Tugtalk> {
  return await startTugtalk(command, options, pass).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError(503, "no_bridge", `the bridge cannot be started: ${reason}`);
  });
}

function watch(link: BridgeLink): Bridge {
  const claude = new ClaudeStatus();
  const { messages, read } = filterMessages(link.messages, (message) => {
    claude.record(message);
    return true;
  });
  const ended = endOf(link, read, claude);
  return {
    pid: link.pid,
    lingerMs: () => 0,
    send: (message) => link.send(message),
    request: (message) => link.request(message),
    messages,
    ended,
    close: () => {
      void link.close();
      return ended;
    },
  };
}

async function endOf(
  link: BridgeLink,
  read: Promise<void>,
  claude: ClaudeStatus,
): Promise<BridgeEnd> {
  const exit = await link.exited;
  await read;
  const reason = reasonOf(exit);
  return { isConfirmed: await isGone(claude.pid), ...(reason !== undefined && { reason }) };
}

/** The reason of an end. Code 1 follows a fatal error, which has the reason itself. */
function reasonOf({ code, signal }: Exit): string | undefined {
  if (signal !== null) return `the bridge was ended by ${signal}`;
  return code === 0 || code === 1 ? undefined : `the bridge ended with code ${code}`;
}

/** How long a Claude may take to end by itself, and after each signal. */
const GONE_WITHIN_MS = 2_000;
const CHECK_MS = 50;

/**
 * Ends the Claude of a killed bridge, which has not reported its end. Gives whether it is gone. Its stdin is
 * closed, but it would first finish its turn, which nobody could see or end.
 */
async function isGone(pid: number | undefined): Promise<boolean> {
  if (pid === undefined || (await hasEnded(pid))) return true;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    killGroup(pid, signal);
    if (await hasEnded(pid)) return true;
  }
  return false;
}

async function hasEnded(pid: number): Promise<boolean> {
  for (let waited = 0; isRunning(pid); waited += CHECK_MS) {
    if (waited >= GONE_WITHIN_MS) return false;
    await Bun.sleep(CHECK_MS);
  }
  return true;
}
