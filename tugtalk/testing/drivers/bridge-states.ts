/**
 * The states of a bridge, and how to reach each: conversations for the stand-in, and the messages of
 * the host.
 */
import { join } from "node:path";
import { messageStart, textDelta, textStart } from "../../simulator/stream-events.ts";
import { type BridgeOptions, startBridge, type TestBridge } from "./bridge-process.ts";
import { linesSoFar } from "./recorded-claudes.ts";
import {
  ASKING,
  askingFor,
  event,
  folder,
  HOLD,
  OPENING,
  writeConversation,
} from "./written-conversation.ts";

export const STATES = [
  "before init",
  "idle",
  "streaming",
  "prompt open",
  "messages queued",
] as const;
export type BridgeState = (typeof STATES)[number];

/** The text of Claude's answer when the turn stops. */
export const HALF = "half an ans";

/** The first part of a turn: some text. A test adds the rest. */
export const HALF_A_TURN: readonly object[] = [
  ...OPENING,
  event(messageStart("$uuid")),
  event(textStart()),
  event(textDelta(HALF)),
];

/** A turn that runs until it is ended. */
export const HELD: readonly object[] = [...HALF_A_TURN, HOLD];

const FORM = {
  questions: [
    { question: "Which colour?", header: "Colour", options: options("Red", "Blue") },
    { question: "Which sizes?", header: "Sizes", options: options("S", "M"), multiSelect: true },
  ],
};

/** A turn that asks two questions, `prompt1`; the second takes several answers. */
export const QUESTIONING = askingFor("AskUserQuestion", FORM);

function options(...labels: readonly string[]) {
  return labels.map((label) => ({ label, description: label }));
}

const CONVERSATIONS: Readonly<Record<BridgeState, readonly object[] | undefined>> = {
  "before init": undefined,
  idle: undefined,
  streaming: HELD,
  "prompt open": ASKING,
  "messages queued": HELD,
};

/** Starts a bridge whose stand-in plays this conversation. */
export function startConversation(
  conversation: readonly object[] | undefined,
  { env = {}, ...rest }: BridgeOptions = {},
): TestBridge {
  const played = conversation === undefined ? {} : writeConversation(conversation);
  return startBridge({ ...rest, env: { ...played, ...env } });
}

/** Sends `protocol_init` and waits until Claude is idle; returns Claude's pid. */
export async function initialize(
  bridge: Pick<TestBridge, "send" | "next">,
  fields: object = {},
): Promise<number> {
  bridge.send({ type: "protocol_init", version: 2, id: "init", ...fields });
  const { pid } = await bridge.next("process_started");
  await bridge.next(({ type, state }) => type === "session_state" && state === "idle");
  return Number(pid);
}

/** Starts a bridge and brings it into a state. `options` are the options of `protocol_init`. */
export async function bringTo(
  state: BridgeState,
  bridgeOptions: BridgeOptions = {},
  options: object = {},
): Promise<TestBridge> {
  const bridge = startConversation(CONVERSATIONS[state], bridgeOptions);
  if (state === "before init") return bridge;
  await initialize(bridge, { options });
  if (state === "idle") return bridge;
  bridge.send({ type: "user_message", text: "go", id: "go" });
  await bridge.next(({ type, status }) =>
    state === "prompt open" ? type === "control_request_forward" : status === "partial",
  );
  if (state !== "messages queued") return bridge;
  for (const id of ["second", "third"]) bridge.send({ type: "user_message", text: id, id });
  await bridge.next(({ in_reply_to }) => in_reply_to === "third");
  return bridge;
}

let logs = 0;

/** The lines that the stand-in has read. */
export type StdinLog = {
  readonly env: Readonly<Record<string, string>>;
  readonly lines: () => readonly Readonly<Record<string, unknown>>[];
};

/** A new log of the stand-in's stdin. */
export function openStdinLog(): StdinLog {
  const path = join(folder, `stdin-${logs++}.jsonl`);
  return { env: { TUGTALK_SIM_STDIN_LOG: path }, lines: () => linesSoFar(path) };
}
