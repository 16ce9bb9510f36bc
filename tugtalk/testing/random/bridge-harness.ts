/**
 * A bridge and its surroundings in this process: the host's pipes, the Claudes that it starts, and a
 * clock that moves only on request. Nothing runs by itself, so each run can be repeated.
 */

import type { MeasuredVersion } from "../../simulator/measured-versions.ts";
import type { ClaudeExit } from "../../src/claude/claude-process-port.ts";
import { type ConnectionPorts, HostConnection } from "../../src/edge/host-connection.ts";
import { openHostLines } from "../../src/edge/host-lines.ts";
import { TugtalkError } from "../../src/messages/errors.ts";
import { type FakeClaude, fakeClaude, fakeClock } from "../drivers/fake-claude.ts";
import { ModelClaude } from "../model/model-claude.ts";
import { type Fields, fieldsOf, type LineOutcome } from "../observer/observed.ts";
import { observe } from "../observer/observer.ts";
import { FakeDisk } from "./fake-disk.ts";
import { HostPipe } from "./host-pipe.ts";

/** The trigger that makes a Claude exit: the end of its stdin, SIGTERM, or only SIGKILL. */
type ExitTrigger = "eof" | "term" | "kill";

export type HarnessOptions = {
  readonly version: MeasuredVersion;
  readonly exitsOn: ExitTrigger;
  readonly onEof?: "interrupt" | "drain";
  readonly maxLineBytes?: number;
  /** Each line for the host is also noted by itself, so none is written as a repeated one. */
  readonly isNoted?: boolean;
  /** Opens the bridge, if it is not one of its own. */
  readonly connect?: (ports: ConnectionPorts) => OpenBridge;
};

/** A bridge on the pipes of its ports. */
export type OpenBridge = Pick<HostConnection, "run" | "close">;

/** One Claude that was started, and the model that it follows. */
export type Process = {
  readonly claude: FakeClaude;
  readonly model: ModelClaude;
  isGone: boolean;
  /** Its stdout is closed. */
  isStdoutClosed: boolean;
};

/** A newest conversation of the folder, for `continue`. */
const NEWEST = "00000000-0000-4000-8000-00000000aaaa";

export class BridgeHarness {
  readonly host = new HostPipe();
  readonly clock = fakeClock();
  readonly processes: Process[] = [];
  /** Faults that the harness itself has found. */
  readonly faults: string[] = [];
  /** The lines that Claude has printed one by one. */
  readonly lineOutcomes: LineOutcome[] = [];
  readonly #options: HarnessOptions;
  readonly #bridge: OpenBridge;
  /** How much of a Claude's output had been read when the host stopped reading. */
  #blocked: { readonly claude: FakeClaude; readonly taken: number } | undefined;
  readonly #disk = new FakeDisk(() => this.host.received);
  #ids = 0;
  /** How many further starts of Claude fail. */
  failingStarts = 0;
  hasEnded = false;
  isFatal = false;
  /** The bridge was asked to end. */
  isClosing = false;

  constructor(options: HarnessOptions) {
    this.#options = options;
    const { maxLineBytes = 1 << 20, onEof = "interrupt", isNoted = false } = options;
    const connect = options.connect ?? ((ports: ConnectionPorts) => new HostConnection(ports));
    this.#bridge = connect({
      input: openHostLines(this.host.input, maxLineBytes),
      output: { ...this.host.output, ...(isNoted && { queued: () => {} }) },
      clock: this.clock,
      newId: () => this.newId(),
      writeSecretFile: (name) => `/private/${name}`,
      configure: () => {},
      past: {
        newestSessionId: async () => NEWEST,
        findResumePoint: async () => ({ at: NEWEST, bytes: 0 }),
        hasBranched: async () => false,
        isUnbegun: async () => false,
      },
      lastSession: { read: async () => NEWEST, keep: () => {}, settled: async () => {} },
      spawn: (args) => this.#spawn(args),
      transcript: { next: this.#disk.next, dropRestore: async () => {} },
      readPast: async ({ type }) => {
        if (type === "session_list") return { type: "session_list_result", sessions: [] };
        throw new TugtalkError("resume_failed", "no such conversation");
      },
      log: (level, message) => {
        if (level === "error") this.faults.push(`an internal error: ${message}`);
      },
      onFatal: () => {
        this.isFatal = true;
      },
      onEof,
    });
    void this.#run();
  }

  /** An id that was never used here. */
  newId(): string {
    this.#ids += 1;
    return `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
  }

  /** The newest Claude, if it is alive. */
  get process(): Process | undefined {
    const newest = this.processes.at(-1);
    return newest?.isGone === false ? newest : undefined;
  }

  /** The bridge still accepts messages. */
  get isServing(): boolean {
    return !this.hasEnded && !this.isClosing && !this.isFatal;
  }

  /** The current conversation, as the host knows it. */
  get sessionId(): string {
    const emitted = this.host.received.findLast(({ session_id }) => typeof session_id === "string");
    return String(emitted?.["session_id"] ?? NEWEST);
  }

  /** Waits until all work is done; processes that were signalled exit. */
  async settle(): Promise<void> {
    for (;;) {
      // All pending promises settle before this callback.
      await new Promise((resolve) => void setImmediate(resolve));
      const dying = this.processes.filter((process) => !process.isGone && this.#mustGo(process));
      if (dying.length === 0) break;
      for (const process of dying) this.exit(process, { exitCode: 143 });
    }
    this.#checkPressure();
  }

  /** The bridge reads a host that does not read, and then does not read Claude. */
  #checkPressure(): void {
    if (this.isServing && this.host.hasUnread)
      this.faults.push("the bridge does not read the host");
    const claude = this.processes.at(-1)?.claude;
    if (claude === undefined || !this.host.isBlocking) this.#blocked = undefined;
    else if (this.#blocked?.claude !== claude) this.#blocked = { claude, taken: claude.taken() };
    // One batch may have been in flight.
    else if (claude.taken() > this.#blocked.taken + 1)
      this.faults.push("Claude is read while the host does not read");
  }

  exit(process: Process, how: Partial<ClaudeExit>): void {
    process.isGone = true;
    void process.claude.exit(how);
  }

  /** Closes Claude's stdout; the process stays. */
  closeStdout(process: Process): void {
    process.isStdoutClosed = true;
    process.claude.closeOutput();
  }

  /** Claude prints one line; resolves when the bridge has handled it. */
  async printLine(process: Process, line: unknown): Promise<void> {
    const { claude } = process;
    const isWatched = this.#isWatched(process);
    const isReady = isReadyNow(this.host.received);
    const isEnding = claude.isInputClosed();
    const isRepeated = wasAsked(line, claude);
    const before = this.host.received.length;
    void claude.say(line);
    await this.settle();
    if (!isWatched || claude.untaken() > 0) return;
    const hasEmitted = this.host.received.length > before;
    this.lineOutcomes.push({ line, hasEmitted, isReady, isEnding, isRepeated });
  }

  /** Ends the bridge as a signal does. */
  signal(): void {
    this.isClosing = true;
    this.#bridge.close();
  }

  /** Every guarantee that is broken so far. */
  brokenGuarantees(): string[] {
    const { received, sent, isBroken, hasSentNoise } = this.host;
    const claudes = this.processes.map(({ claude }) => ({
      pid: claude.process.pid,
      traffic: claude.traffic,
    }));
    const observed = {
      received,
      lineOutcomes: this.lineOutcomes,
      // A host that closed its pipe has not received the end.
      isOver: this.hasEnded && !isBroken,
      ...(!hasSentNoise && { sent }),
      ...(!isBroken && { claudes }),
    };
    return [...this.faults, ...observe(observed)];
  }

  async #run(): Promise<void> {
    try {
      await this.#bridge.run();
    } catch (error) {
      this.faults.push(`the bridge failed: ${error}`);
    }
    this.hasEnded = true;
  }

  #spawn(args: readonly string[]) {
    if (this.failingStarts > 0) {
      this.failingStarts -= 1;
      throw new TugtalkError("claude_start_failed", "the machine is full");
    }
    const claude = fakeClaude(
      this.processes.length + 1,
      this.#options.maxLineBytes,
      () => this.host.received.length,
    );
    const model = new ModelClaude(claude, args, this.#options.version);
    this.processes.push({ claude, model, isGone: false, isStdoutClosed: false });
    return claude.process;
  }

  #mustGo({ claude }: Process): boolean {
    const { exitsOn } = this.#options;
    if (claude.signals.includes("SIGKILL")) return true;
    if (exitsOn === "kill") return false;
    return claude.signals.includes("SIGTERM") || (exitsOn === "eof" && claude.isInputClosed());
  }

  /** Whether the next messages to the host can only come from the next line. */
  #isWatched({ claude, isGone, isStdoutClosed }: Process): boolean {
    return (
      !isGone &&
      !isStdoutClosed &&
      this.host.isReading &&
      !this.host.isBroken &&
      claude.untaken() === 0
    );
  }
}

/** A request with the id of this one was made before. */
function wasAsked(line: unknown, { traffic }: FakeClaude): boolean {
  const { type, request_id } = fieldsOf(line);
  if (type !== "control_request") return false;
  return traffic.some(
    (one) => one.from === "claude" && fieldsOf(one.line)["request_id"] === request_id,
  );
}

/** Claude has answered `initialize`, as far as the host knows. */
function isReadyNow(received: readonly Fields[]): boolean {
  const state = received.findLast(({ type }) => type === "session_state");
  return state !== undefined && state["state"] !== "starting" && state["state"] !== "exited";
}
