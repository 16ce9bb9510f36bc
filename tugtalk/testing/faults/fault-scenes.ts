/**
 * The seven states for faults, each reached by a bridge over pipes whose stand-in takes orders. The host
 * behaves as usual; the time limits are short.
 */
import { writeFileSync } from "node:fs";
import { toolBlock } from "../../simulator/stream-events.ts";
import { type Received, startBridge, type TestBridge } from "../drivers/bridge-process.ts";
import { HELD } from "../drivers/bridge-states.ts";
import { type ControlledClaude, openFaultControl } from "../drivers/controlled-claude.ts";
import { leftAfter, signalIfRunning } from "../drivers/processes.ts";
import {
  ASKING,
  asks,
  HOLD,
  OPENING,
  says,
  writeConversation,
} from "../drivers/written-conversation.ts";

export const FAULT_STATES = [
  "before the handshake",
  "idle",
  "streaming",
  "prompt open",
  "tool running",
  "program asked",
  "queue full",
] as const;
export type FaultState = (typeof FAULT_STATES)[number];

/** The host's side of the pipe. */
export type Line = Pick<
  TestBridge,
  "received" | "send" | "sendRaw" | "closeInput" | "next" | "exited"
> & { readonly kill: () => void };

/** How a bridge is started with this environment. */
export type StartLine = (env: Readonly<Record<string, string>>) => Promise<Line> | Line;

/** As a usual host does. */
export const plainly: StartLine = (env) => startBridge({ env });

/** One message of the user's. */
export type Said = { readonly id: string; readonly text: string };

export type Scene = {
  readonly state: FaultState;
  readonly line: Line;
  /** The Claude of the cell. */
  readonly claude: ControlledClaude;
  /** All user messages that were sent, in order. */
  readonly said: readonly Said[];
  /** Every `id` that was sent. */
  readonly sentIds: readonly string[];
  /** The processes that must exit with that Claude; a group is the negative id of its leader. */
  readonly struck: () => readonly number[];
  /** Each process that must have exited at the end. */
  readonly processes: () => readonly number[];
  /** Sends a user message; returns its id. */
  readonly say: (text: string) => string;
  /** Sends a message under a new `id`, which it returns. */
  readonly ask: (message: Readonly<Record<string, unknown>>) => string;
  /** Ends every process of the cell. */
  readonly close: () => Promise<void>;
};

/** Time limits with room for a Claude that works on a busy machine. */
const OPTIONS = { interrupt_timeout_ms: 5_000, shutdown_grace_ms: 2_000, max_queued: 2 };

/** A turn whose tool runs until it is ended. */
const TOOLING: readonly object[] = [
  ...OPENING,
  says("m", toolBlock("tool1", "Bash", { command: "sleep 600" })),
  HOLD,
];

/** A turn whose call of a tool of the host, and a hook of another tool, wait for the host. */
const CALLING: readonly object[] = [
  ...OPENING,
  says("m", toolBlock("tool1", "mcp__host__level", {})),
  asks("call", {
    subtype: "mcp_message",
    server_name: "host",
    message: {
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "level", arguments: {}, _meta: { "claudecode/toolUseId": "tool1" } },
    },
  }),
  asks("hook", {
    subtype: "hook_callback",
    callback_id: "PostToolUse",
    input: { hook_event_name: "PostToolUse", tool_name: "Read", tool_use_id: "tool1" },
  }),
  HOLD,
];

/** The host's declarations in each state. */
const PROGRAM = {
  host_tools: [{ name: "level", description: "d", input_schema: { type: "object" } }],
  host_hooks: [{ hook_id: "audit", event: "PostToolUse" }],
};

const CONVERSATIONS: Readonly<Record<FaultState, readonly object[]>> = {
  "before the handshake": [],
  idle: [],
  streaming: HELD,
  "prompt open": ASKING,
  "tool running": TOOLING,
  "program asked": CALLING,
  "queue full": HELD,
};

/**
 * Starts a bridge and brings it into a state; `options` are further options of `protocol_init`. Later
 * Claudes echo.
 */
export async function openScene(
  state: FaultState,
  start: StartLine,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Scene> {
  const control = openFaultControl();
  const played = writeConversation(CONVERSATIONS[state]);
  const line = await start({ ...played, ...control.env });
  const said: Said[] = [];
  const sentIds: string[] = [];
  const ask = (message: Readonly<Record<string, unknown>>) => {
    const id = `${message["type"]} ${sentIds.length}`;
    sentIds.push(id);
    line.send({ ...message, id });
    return id;
  };
  const say = (text: string) => {
    const message_id = crypto.randomUUID();
    said.push({ id: message_id, text });
    ask({ type: "user_message", text, message_id });
    return message_id;
  };
  const tools: number[] = [];
  const processes = () => [...groupsOf(line.received), ...tools];
  const close = async () => {
    line.kill();
    for (const id of await leftAfter(processes(), 0)) signalIfRunning(id, "SIGKILL");
    control.close();
  };
  const open = async (): Promise<Scene> => {
    ask({ type: "protocol_init", version: 2, options: { ...OPTIONS, ...PROGRAM, ...options } });
    const claude = await control.first;
    await claude.hasHeard('"subtype":"initialize"');
    const struck = () => [claude.pid, -claude.pid, ...tools];
    const scene = { state, line, claude, said, sentIds, struck, processes, say, ask, close };
    await REACH[state](scene, tools);
    writeFileSync(played["TUGTALK_CONVERSATION"] ?? "", "");
    return scene;
  };
  return await inTime(open(), line).catch(async (error: unknown) => {
    await close();
    throw error;
  });
}

/** How long to wait for a bridge, in ms; with room for a busy machine. */
const PATIENCE_MS = 40_000;

/** The same promise, with a time limit: the error shows the last messages of the bridge. */
export async function inTime<Result>(
  work: Promise<Result>,
  { received }: Pick<Line, "received">,
): Promise<Result> {
  const limit = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    const last = received.slice(-4).map((message) => JSON.stringify(message).slice(0, 120));
    limit.reject(new Error(`stood still after ${last.join(" ")}`));
  }, PATIENCE_MS);
  return await Promise.race([work, limit.promise]).finally(() => clearTimeout(timer));
}

/** Whether a turn is open in this state. */
export function hasTurn(state: FaultState): boolean {
  return state !== "before the handshake" && state !== "idle";
}

/** Whether a block is partly streamed. */
export function hasText(state: FaultState): boolean {
  return state === "streaming" || state === "queue full";
}

type Reach = (scene: Scene, tools: number[]) => Promise<unknown>;

const REACH: Readonly<Record<FaultState, Reach>> = {
  "before the handshake": async (scene) => {
    const waiting = scene.say("waiting");
    await scene.line.next(isReceipt(waiting, "queued"));
  },
  idle: async (scene) => {
    await initialize(scene);
    const first = scene.say("first");
    await scene.line.next(isReceipt(first, "completed"));
  },
  streaming,
  "prompt open": async (scene) => {
    await initialize(scene);
    scene.say("first");
    await scene.line.next("control_request_forward");
  },
  "tool running": async (scene, tools) => {
    await initialize(scene);
    scene.say("first");
    await scene.line.next("tool_use");
    tools.push(await scene.claude.runTool());
  },
  "program asked": async (scene) => {
    await initialize(scene);
    scene.say("first");
    await scene.line.next("host_tool_request");
    await scene.line.next("hook_request");
  },
  "queue full": async (scene) => {
    await streaming(scene);
    for (const text of ["second", "third"]) scene.say(text);
    await scene.line.next(isReceipt(scene.say("one too many"), "rejected"));
  },
};

async function streaming(scene: Scene): Promise<void> {
  await initialize(scene);
  scene.say("first");
  await scene.line.next(({ status }) => status === "partial");
}

async function initialize({ line, claude }: Scene): Promise<void> {
  await claude.apply({ order: "listen" });
  await line.next(({ state }) => state === "idle");
}

/** Whether this is the receipt of a message with this status. */
export function isReceipt(messageId: string, status: string) {
  return (message: Received) =>
    message.type === "message_status" &&
    message["message_id"] === messageId &&
    message["status"] === status;
}

/** The Claude processes that the bridge reported, and their groups. */
function groupsOf(received: readonly Received[]): number[] {
  return received
    .filter(({ type }) => type === "process_started")
    .flatMap(({ pid }) => [Number(pid), -Number(pid)]);
}
