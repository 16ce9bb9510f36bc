/**
 * A bridge process with a real `claude`, the scripted Messages API and a temporary home, driven over its
 * pipes only.
 */

import { claudeCommand } from "../../simulator/cli-cache.ts";
import { createIsolatedHome, type IsolatedHome } from "../../simulator/isolated-home.ts";
import { type MessagesApi, startMessagesApi } from "../../simulator/messages-api.ts";
import type { Reply } from "../../simulator/reply.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import type { Fields } from "../../src/base/json.ts";
import { isAlive } from "../../src/process/process-signals.ts";
import { type Received, startBridge, type TestBridge } from "../drivers/bridge-process.ts";

/** A home, a project and an API for one or more bridges. */
export type RealPlace = {
  readonly claude: string;
  readonly home: IsolatedHome;
  readonly api: MessagesApi;
  /** Ends every remaining process that was started here, then deletes the home. */
  readonly close: () => Promise<void>;
  readonly bridges: TestBridge[];
};

/** All messages from a `say` to the end of its turn. */
export type RealTurn = { readonly end: Received; readonly messages: readonly Received[] };

/** One bridge, with helpers for the tests of a session. */
export type RealSession = {
  readonly place: RealPlace;
  readonly bridge: TestBridge;
  /** Sends a host message with an `id` of its own, which it returns. */
  readonly send: (message: Fields & { readonly type: string }) => string;
  /** Scripts the replies of the API and sends a user message; returns the `message_id`. */
  readonly say: (text: string, ...script: ScriptEntry[]) => string;
  readonly next: TestBridge["next"];
  /** The next prompt. */
  readonly prompt: () => Promise<Received>;
  /** The end of the current turn, with all messages since the last `say`. */
  readonly turn: () => Promise<RealTurn>;
};

/** Opens a home for this version of `claude`, which is installed once. */
export async function openRealPlace(version: string): Promise<RealPlace> {
  const claude = (await claudeCommand(version)).at(-1) ?? "";
  const home = await createIsolatedHome();
  const api = startMessagesApi();
  const bridges: TestBridge[] = [];
  const close = async () => {
    for (const bridge of bridges) await endBridge(bridge);
    await api.stop();
    await home.remove();
  };
  return { claude, home, api, bridges, close };
}

async function endBridge(bridge: TestBridge): Promise<void> {
  bridge.kill();
  await bridge.exited;
  for (const pid of leftProcesses(bridge)) {
    if (isAlive(pid)) process.kill(pid, "SIGKILL");
  }
}

/** The processes that the bridge has reported without their exit. */
function leftProcesses({ received }: TestBridge): number[] {
  const ended = new Set(ofType(received, "process_exit").map(({ pid }) => pid));
  return startedProcesses({ received }).filter((pid) => !ended.has(pid));
}

/** The process ids of every Claude that the bridge has reported. */
export function startedProcesses({ received }: Pick<TestBridge, "received">): number[] {
  return ofType(received, "process_started").map(({ pid }) => Number(pid));
}

/** Starts a bridge in this home, with further arguments, and sends its `protocol_init`. */
export function startRealSession(
  place: RealPlace,
  init: Fields = {},
  args: readonly string[] = [],
): RealSession {
  const bridge = startBridge({
    claude: place.claude,
    args: [`--dir=${place.home.project}`, ...args],
    env: place.home.environment(place.api.url),
    isIsolated: true,
    cwd: place.home.root,
  });
  place.bridges.push(bridge);
  let sent = 0;
  let saidAt = 0;
  const send = (message: Fields & { readonly type: string }) => {
    sent += 1;
    const id = `host-${sent}`;
    bridge.send({ id, ...message });
    return id;
  };
  send({ type: "protocol_init", version: 2, ...init });
  return {
    place,
    bridge,
    send,
    say(text, ...script) {
      place.api.script(...script);
      saidAt = bridge.received.length;
      const message_id = crypto.randomUUID();
      send({ type: "user_message", text, message_id });
      return message_id;
    },
    next: bridge.next,
    prompt: () => bridge.next("control_request_forward"),
    async turn() {
      const end = await bridge.next(isTurnEnd);
      return { end, messages: bridge.received.slice(saidAt, bridge.received.indexOf(end) + 1) };
    },
  };
}

/** Whether a message ends a turn. */
export function isTurnEnd({ type }: Received): boolean {
  return type === "turn_complete" || type === "turn_cancelled";
}

/** The messages of one type. */
export function ofType(messages: readonly Received[], type: string): Received[] {
  return messages.filter((message) => message.type === type);
}

/** The messages of the newest request after the last one of the model, as JSON text. */
export function newestMessages({ requests }: MessagesApi): string {
  const messages = requests.findLast(({ kind }) => kind === "main")?.body.messages ?? [];
  const lastWords = messages.findLastIndex(({ role }) => role === "assistant");
  return JSON.stringify(messages.slice(lastWords + 1));
}

/** The messages of the newest request, as JSON text. */
export function allMessages({ requests }: MessagesApi): string {
  return JSON.stringify(requests.findLast(({ kind }) => kind === "main")?.body.messages);
}

/** A reply that calls one tool. */
export function callTool(name: string, input: Fields): Reply {
  return { content: [{ type: "tool_use", name, input }] };
}

/** A reply that stops after its first piece until `release`. */
export function holdReply(text: string, rest: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reply: ScriptEntry = {
    content: [{ type: "text", text: text + rest, pieces: [text, rest] }],
    holds: [{ at: { afterDeltas: 1 }, until: promise }],
  };
  return { reply, release: resolve };
}
