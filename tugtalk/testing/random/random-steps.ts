/** The steps of a run, as plain data, so that a counterexample can be read and shrunk. */
import * as fc from "fast-check";
import { type Fields, fieldsOf, type Message } from "../observer/observed.ts";
import { isTurnEnd } from "../observer/observer-turns.ts";
import type { BridgeHarness, Process } from "./bridge-harness.ts";
import {
  badLine,
  badLineOf,
  messageOf,
  type RandomMessage,
  randomMessage,
  sessionCommand,
} from "./random-host.ts";
import { lineOf, type RandomLine, randomLine } from "./random-lines.ts";

export type Step =
  /** Claude makes a move of its model. */
  | { readonly does: "work"; readonly pick: number }
  /** A background agent makes a move, or Claude starts one. */
  | { readonly does: "delegate"; readonly pick: number }
  /** Claude prints a random line. */
  | { readonly does: "print"; readonly line: RandomLine }
  /** Claude prints several random lines at once. */
  | { readonly does: "burst"; readonly lines: readonly RandomLine[] }
  | { readonly does: "print bytes"; readonly bytes: string }
  /** The host sends a message. */
  | { readonly does: "send"; readonly message: RandomMessage }
  | { readonly does: "send bad line"; readonly pick: number }
  | { readonly does: "change session"; readonly pick: number }
  | { readonly does: "wait"; readonly ms: number }
  | { readonly does: "exit"; readonly code: number }
  | { readonly does: "crash" | "close stdout" | "fail start" | "stop reading" | "resume reading" }
  | { readonly does: "shut down"; readonly drain: boolean }
  | { readonly does: "close stdin" | "break stdout" | "signal" };

const pick = fc.nat({ max: 1000 });
const constant = <Value>(value: Value) => fc.constant(value);

/** Mostly one of the first moves, which advance a turn. */
const move = fc.oneof(
  { weight: 3, arbitrary: fc.nat({ max: 3 }) },
  { weight: 2, arbitrary: fc.nat({ max: 1000 }) },
);

const work: fc.Arbitrary<Step> = fc.record({ does: constant("work" as const), pick: move });
const delegate: fc.Arbitrary<Step> = fc.record({ does: constant("delegate" as const), pick });
const say: fc.Arbitrary<Step> = fc.record({
  does: constant("send" as const),
  message: randomMessage,
});
const print: fc.Arbitrary<Step> = fc.record({ does: constant("print" as const), line: randomLine });

const rest: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    does: constant("burst" as const),
    lines: fc.array(randomLine, { minLength: 2, maxLength: 4 }),
  }),
  fc.record({
    does: constant("print bytes" as const),
    bytes: fc.constantFrom(
      "noise\n",
      '{"type":"assist',
      "null\n",
      "[]\n",
      "\r\n",
      `${"x".repeat(3000)}\n`,
    ),
  }),
  fc.record({ does: constant("send bad line" as const), pick: badLine }),
  fc.record({
    does: constant("wait" as const),
    ms: fc.constantFrom(1, 500, 5_000, 30_000, 61_000, 600_000),
  }),
  fc.record({ does: constant("stop reading" as const) }),
  fc.record({ does: constant("resume reading" as const) }),
);

const faults: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: constant("exit" as const), code: fc.constantFrom(0, 1) }),
  fc.record({
    does: fc.constantFrom("crash" as const, "close stdout" as const, "fail start" as const),
  }),
  fc.record({ does: constant("change session" as const), pick }),
);

const ends: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: constant("shut down" as const), drain: fc.boolean() }),
  fc.record({
    does: fc.constantFrom("close stdin" as const, "break stdout" as const, "signal" as const),
  }),
);

/** Steps of a Claude and a host that follow the protocol. */
export const goodStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: work },
  { weight: 1, arbitrary: delegate },
  { weight: 2, arbitrary: say },
);

/** Any steps: mostly good ones, so that turns make progress. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 55, arbitrary: work },
  { weight: 5, arbitrary: delegate },
  { weight: 25, arbitrary: say },
  { weight: 25, arbitrary: print },
  { weight: 10, arbitrary: rest },
  { weight: 4, arbitrary: faults },
  { weight: 1, arbitrary: ends },
);

/** Executes one step and waits until all work is done. */
export async function execute(harness: BridgeHarness, step: Step): Promise<void> {
  const { process } = harness;
  if (process !== undefined) await executeAsClaude(harness, process, step);
  const before = interruptsOf(process);
  const isInTurn = hasOpenTurn(harness);
  executeAsHost(harness, step);
  // The lines of Claude have been waited for.
  if (step.does === "work" || step.does === "delegate" || step.does === "print") return;
  await harness.settle();
  if (step.does !== "send" || step.message.type !== "interrupt") return;
  const isMeant =
    isInTurn || fieldsOf(harness.host.sent.at(-1)?.message)["include_background"] === true;
  if (isMeant && isHeard(harness, process) && interruptsOf(process) === before)
    harness.faults.push("an interrupt does not reach Claude");
}

/** Whether a turn is open as far as the host knows: a host that does not read may not know. */
function hasOpenTurn({ host }: BridgeHarness): boolean {
  const bound = host.received.findLast((message) => isTurnBound(message));
  return !host.isBlocking && bound?.type === "turn_started";
}

function isTurnBound(message: Message): boolean {
  return message.type === "turn_started" || isTurnEnd(message);
}

function interruptsOf(process: Process | undefined): number | undefined {
  return process?.claude.writes.filter(
    ({ request }) => fieldsOf(request)["subtype"] === "interrupt",
  ).length;
}

/** The bridge reads the host, and Claude reads the bridge. */
function isHeard(harness: BridgeHarness, process: Process | undefined): boolean {
  return harness.isServing && process?.isGone === false && !process.claude.isInputClosed();
}

async function executeAsClaude(
  harness: BridgeHarness,
  process: Process,
  step: Step,
): Promise<void> {
  switch (step.does) {
    case "work":
      for (const line of process.model.work(step.pick)) await harness.printLine(process, line);
      break;
    case "delegate":
      for (const line of process.model.delegate(step.pick)) await harness.printLine(process, line);
      break;
    case "print":
      await harness.printLine(process, lineOf(harness, process, step.line));
      break;
    case "burst":
      printAtOnce(
        process,
        step.lines.map((line) => lineOf(harness, process, line)),
      );
      break;
    case "print bytes":
      void process.claude.print(Buffer.from(step.bytes));
      break;
    case "exit":
      harness.exit(process, { exitCode: step.code });
      break;
    case "crash":
      harness.exit(process, { exitCode: null, signal: "SIGKILL" });
      break;
    case "close stdout":
      harness.closeStdout(process);
  }
}

/** A line with an `id` gets a new one, so that its answer can be found. */
function sendBadLine(harness: BridgeHarness, line: string | Uint8Array): void {
  const placed =
    typeof line === "string" ? line.replace('"id":"r"', `"id":"${harness.newId()}"`) : line;
  const message = fieldsOf(jsonOf(placed));
  const { host } = harness;
  if (typeof message["id"] === "string") host.sent.push({ message, after: host.received.length });
  host.sendRaw(placed);
  host.sendRaw("\n");
}

function jsonOf(line: string | Uint8Array): unknown {
  try {
    return typeof line === "string" ? JSON.parse(line) : undefined;
  } catch {
    return undefined;
  }
}

function printAtOnce({ claude }: Process, lines: readonly Fields[]): void {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  void claude.print(Buffer.from(text));
}

function executeAsHost(harness: BridgeHarness, step: Step): void {
  const { host } = harness;
  switch (step.does) {
    case "send":
      host.send(messageOf(harness, step.message));
      break;
    case "send bad line":
      sendBadLine(harness, badLineOf(step.pick));
      break;
    case "change session":
      host.send(sessionCommand(harness, step.pick));
      break;
    case "wait":
      harness.clock.advance(step.ms);
      break;
    case "fail start":
      harness.failingStarts += 1;
      break;
    case "stop reading":
      host.stopReading();
      break;
    case "resume reading":
      host.resumeReading();
      break;
    case "shut down":
      host.send({ type: "shutdown", drain: step.drain, id: harness.newId() });
      harness.isClosing = true;
      break;
    case "close stdin":
      harness.isClosing = true;
      host.closeInput();
      break;
    case "break stdout":
      harness.isClosing = true;
      host.breakOutput();
      break;
    case "signal":
      harness.signal();
  }
}
