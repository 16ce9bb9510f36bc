/** The faults of Claude: its steps in each, and the signs of it that an observer sees. */

import type { Order } from "../../simulator/fault-control.ts";
import { blockStop, textDelta } from "../../simulator/stream-events.ts";
import { eventLine } from "../drivers/test-lines.ts";
import { RESULT } from "../drivers/written-conversation.ts";
import { type FaultState, hasText } from "./fault-scenes.ts";
import { floodIn } from "./flood.ts";

/** How a process ended: one of the two. */
type Death = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

/** Output of Claude that is no message, and the message that the bridge emits for it. */
type Noise = {
  readonly bytes: string | Uint8Array;
  readonly type: string;
  readonly raw: unknown;
};

export type ClaudeFault = {
  readonly name: string;
  readonly orders: (state: FaultState) => readonly Order[];
  /**
   * `ends`: the process ends or is ended at once. `stuck`: an open turn stays open until the host
   * interrupts it. `works`: Claude goes on without any effect.
   */
  readonly aftermath: "ends" | "stuck" | "works";
  /** No interrupt is needed where the model owes an answer: the stall is detected. */
  readonly isNoticed?: true;
  /** How the faulty process ends, by itself or by a signal. */
  readonly death: (state: FaultState) => Death;
  /** Whether it is running and reading when its input is closed. */
  readonly hearsEnd: boolean;
  /** All of it must be emitted, in order, and no other unknown event. */
  readonly noise?: readonly Noise[];
};

const HALF_A_LINE: Noise = invalid(
  '{"type":"assistant","message":{"id":"m2","content":[{"type":"te',
);

const GARBAGE: readonly Noise[] = [
  invalid("npm warn deprecated"),
  HALF_A_LINE,
  invalid("[]", []),
  invalid("null", null),
  invalid("{}", {}),
  invalid('{"type":7}', { type: 7 }),
  malformed({ type: "assistant", message: "none" }),
  malformed({ type: "stream_event", event: { type: "content_block_delta", index: "first" } }),
  malformed({ type: "control_request", request: {} }),
  {
    bytes: Uint8Array.of(0xff, 0xfe, 0x00, 0xc3, 0x28),
    type: "invalid_line",
    raw: "\ufffd\ufffd\u0000\ufffd(",
  },
];

/** In the order of the table. */
export const CLAUDE_FAULTS: readonly ClaudeFault[] = [
  {
    name: "exits 0",
    orders: () => [{ order: "exit", code: 0 }],
    aftermath: "ends",
    death: () => exit(0),
    hearsEnd: false,
  },
  {
    name: "exits 1",
    orders: () => [{ order: "exit", code: 1 }],
    aftermath: "ends",
    death: () => exit(1),
    hearsEnd: false,
  },
  {
    name: "dies by signal",
    orders: () => [{ order: "die", signal: "SIGKILL" }],
    aftermath: "ends",
    death: () => killed("SIGKILL"),
    hearsEnd: false,
  },
  {
    name: "hangs",
    orders: () => [{ order: "hang", isDeaf: false }],
    aftermath: "stuck",
    isNoticed: true,
    death: () => killed("SIGTERM"),
    hearsEnd: false,
  },
  {
    name: "ignores SIGTERM",
    orders: () => [{ order: "hang", isDeaf: true }],
    aftermath: "stuck",
    death: () => killed("SIGKILL"),
    hearsEnd: false,
  },
  {
    name: "closes stdout only",
    orders: () => [{ order: "close_stdout" }],
    aftermath: "ends",
    // Before `listen` it sees the end of its input and does not act on it.
    death: (state) => exit(state === "before the handshake" ? TERMINATED : 0),
    hearsEnd: true,
  },
  {
    name: "stops reading stdin",
    orders: stopReading,
    aftermath: "stuck",
    death: () => exit(TERMINATED),
    hearsEnd: false,
  },
  {
    name: "floods",
    orders: (state) => [floodIn(state)],
    aftermath: "works",
    death: () => exit(0),
    hearsEnd: true,
  },
  {
    name: "sends half a line and dies",
    orders: () => [written(HALF_A_LINE.bytes), { order: "exit", code: 1 }],
    aftermath: "ends",
    death: () => exit(1),
    hearsEnd: false,
    noise: [HALF_A_LINE],
  },
  {
    name: "sends garbage",
    orders: () => GARBAGE.flatMap(({ bytes }) => [written(bytes), written("\n")]),
    aftermath: "works",
    death: () => exit(0),
    hearsEnd: true,
    noise: GARBAGE,
  },
];

/** The exit of a Claude that handles SIGTERM. */
const TERMINATED = 143;

/** The last text of a Claude that has stopped reading. */
export const REST = "wer";

/** Claude stops reading, and finishes a turn that needs no answer. */
function stopReading(state: FaultState): Order[] {
  const lines = finishes(state) ? (hasText(state) ? [...END_OF_TEXT, RESULT] : [RESULT]) : [];
  return [
    { order: "stop_reading" },
    ...(lines.length > 0 ? [{ order: "say", lines } as const] : []),
  ];
}

const END_OF_TEXT = [textDelta(REST), blockStop(), { type: "message_stop" }].map(eventLine);

/** Whether the open turn ends without the host. */
export function finishes(state: FaultState): boolean {
  return state === "tool running" || hasText(state);
}

function exit(code: number): Death {
  return { code, signal: null };
}

function killed(signal: NodeJS.Signals): Death {
  return { code: null, signal };
}

function invalid(bytes: string, raw: unknown = bytes): Noise {
  return { bytes, type: "invalid_line", raw };
}

function malformed(raw: { readonly type: string; readonly [key: string]: unknown }): Noise {
  return { bytes: JSON.stringify(raw), type: raw.type, raw };
}

function written(bytes: string | Uint8Array): Order {
  return { order: "write", base64: Buffer.from(bytes).toString("base64") };
}
