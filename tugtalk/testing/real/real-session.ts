/**
 * A bridge with a real `claude` behind it: the scripted Messages API, a throw-away home and the
 * bridge as a process, driven over its pipes only. What is shown with it is in real-list.ts.
 */
import { claudeCommand } from "../../simulator/cli-cache.ts";
import { createIsolatedHome, type IsolatedHome } from "../../simulator/isolated-home.ts";
import { type MessagesApi, startMessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { isAlive } from "../../src/process/process-signals.ts";
import { type Received, startBridge, type TestBridge } from "../drivers/bridge-process.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Where bridges may run one after the other: one home, one project, one API. */
export type RealPlace = {
  readonly claude: string;
  readonly home: IsolatedHome;
  readonly api: MessagesApi;
  /** Ends every process that was started here and is left, then deletes the home. */
  readonly close: () => Promise<void>;
  readonly bridges: TestBridge[];
};

/** All that came from a `say` to the end of its turn. */
export type RealTurn = { readonly end: Received; readonly messages: readonly Received[] };

/** One bridge, with the words that the tests of a session need. */
export type RealSession = {
  readonly place: RealPlace;
  readonly bridge: TestBridge;
  /** Sends a host message with an `id` of its own, which it returns. */
  readonly send: (message: Fields & { readonly type: string }) => string;
  /** Scripts the API's replies and says something to Claude; returns the `message_id`. */
  readonly say: (text: string, ...script: ScriptEntry[]) => string;
  readonly next: TestBridge["next"];
  /** The next prompt. */
  readonly prompt: () => Promise<Received>;
  /** The end of the turn in hand, with all that came since the last `say`. */
  readonly turn: () => Promise<RealTurn>;
};

/** Makes a place for this version of `claude`, which is installed once. */
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

/** The processes that the bridge told of and whose end it has not told. */
function leftProcesses({ received }: TestBridge): number[] {
  const ended = new Set(ofType(received, "process_exit").map(({ pid }) => pid));
  return startedProcesses({ received }).filter((pid) => !ended.has(pid));
}

/** The process ids of every Claude that the bridge told of. */
export function startedProcesses({ received }: Pick<TestBridge, "received">): number[] {
  return ofType(received, "process_started").map(({ pid }) => Number(pid));
}

/** Starts a bridge at a place, with further arguments, and sends its `protocol_init`. */
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

/** What the newest request tells the model since its last words, as JSON text. */
export function newlyTold({ requests }: MessagesApi): string {
  const messages = requests.findLast(({ kind }) => kind === "main")?.body.messages ?? [];
  const lastWords = messages.findLastIndex(({ role }) => role === "assistant");
  return JSON.stringify(messages.slice(lastWords + 1));
}

/** All that the newest request tells the model of the conversation, as JSON text. */
export function everythingTold({ requests }: MessagesApi): string {
  return JSON.stringify(requests.findLast(({ kind }) => kind === "main")?.body.messages);
}

/** A reply that calls one tool. */
export function callTool(name: string, input: Fields): ScriptEntry {
  return { content: [{ type: "tool_use", name, input }] };
}

/** A reply that stops after its first words until `release`, and what must follow those words. */
export function holdReply(text: string, rest: string) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const reply: ScriptEntry = {
    content: [{ type: "text", text: text + rest, pieces: [text, rest] }],
    holds: [{ at: { afterDeltas: 1 }, until: promise }],
  };
  return { reply, release: resolve };
}
