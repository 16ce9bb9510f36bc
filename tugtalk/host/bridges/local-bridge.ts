/** A bridge on this machine. */
import { type Exit, type SpawnOptions, spawnTugtalk, type Tugtalk } from "../../spawn/spawn.ts";
import { ApiError } from "../api/api-error.ts";
import type { Bridge, BridgeEnd } from "./bridge.ts";
import { ClaudeLife } from "./claude-life.ts";
import { PassedMessages } from "./passed-messages.ts";
import { isRunning } from "./running-process.ts";

export async function startLocalBridge(options: SpawnOptions): Promise<Bridge> {
  const child = await spawnTugtalk(options).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ApiError(503, "no_bridge", `the bridge cannot be started: ${reason}`);
  });
  return watch(child);
}

function watch(child: Tugtalk): Bridge {
  const life = new ClaudeLife();
  const messages = new PassedMessages(child.messages, (message) => {
    life.note(message);
    return true;
  });
  const ended = endOf(child, messages, life);
  return {
    pid: child.pid,
    lingerMs: () => 0,
    send: (message) => child.send(message),
    request: (message) => child.request(message),
    messages,
    ended,
    close: () => {
      void child.close();
      return ended;
    },
  };
}

async function endOf(
  child: Tugtalk,
  messages: PassedMessages,
  life: ClaudeLife,
): Promise<BridgeEnd> {
  const exit = await child.exited;
  await messages.read;
  const reason = reasonOf(exit);
  return { isConfirmed: await isGone(life.pid), ...(reason !== undefined && { reason }) };
}

/** Code 1 follows a fatal error, which has told the reason. */
function reasonOf({ code, signal }: Exit): string | undefined {
  if (signal !== null) return `the bridge was ended by ${signal}`;
  return code === 0 || code === 1 ? undefined : `the bridge ended with code ${code}`;
}

/** How long a Claude may take to end once its bridge was killed, which closes its stdin. */
const GONE_WITHIN_MS = 10_000;
const CHECK_MS = 50;

/** A bridge that was killed has not told the end of its Claude. */
async function isGone(pid: number | undefined): Promise<boolean> {
  if (pid === undefined) return true;
  for (let waited = 0; isRunning(pid); waited += CHECK_MS) {
    if (waited >= GONE_WITHIN_MS) return false;
    await Bun.sleep(CHECK_MS);
  }
  return true;
}
