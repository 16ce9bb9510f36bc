/**
 * Detects a turn that waits for the model in silence. Something must come from Claude within a limit:
 * one for the first token of an answer, a shorter one between the parts of an answer. There is no limit
 * while a tool or a hook runs, while the turn may wait for a person, or between turns. Protocol reference
 * §11b.
 */

import { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { StreamEvent, StreamEventMessage } from "../messages/conversation-lines.ts";
import type { ClaudeMessage } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** The output that is due from the model. */
export type StallPhase = "first_token" | "stream";

export type StallOptions = {
  readonly clock: Clock;
  /** The longest silences; 0: no limit. */
  readonly options: Readonly<Record<`${StallPhase}_timeout_ms`, number>>;
  /** The open turn was silent for `limitMs`. Called at most once per turn. */
  readonly onStall: (phase: StallPhase, limitMs: number) => void;
};

/** How many open tool calls, and how many open hooks, are kept. */
const MAX_OPEN = 4096;

export class StallDetector {
  readonly #options: StallOptions;
  /** The calls of the newest message of the main conversation that have no result yet. */
  readonly #openCalls = new BoundedSet<string>(MAX_OPEN);
  readonly #openHooks = new BoundedSet<string>(MAX_OPEN);
  /** This CLI reports an answer that breaks off. Others begin it again, unstreamed and unreported. */
  reportsBrokenStreams = false;
  #messageId: string | undefined;
  #isStreaming = false;
  #turnId: string | undefined;
  #phase: StallPhase | undefined;
  /** When Claude was last heard, or when it announced to go on; ms of the clock. */
  #heardAt = 0;
  #timer: unknown;
  #stalledTurn: string | undefined;
  #isStalled = false;

  constructor(options: StallOptions) {
    this.#options = options;
  }

  /** The open turn has been silent for too long, and still is. */
  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Takes one line of the conversation and the messages that were emitted for it. */
  record(event: ClaudeMessage, emitted: readonly OutboundDraft[]): void {
    const isStream = event.type === "stream_event" && event.parent_tool_use_id == null;
    if (isStream) this.#recordStream(event.event);
    if (event.type === "assistant" && event.parent_tool_use_id == null)
      this.#recordMessage(event.message.id, false);
    let isHeard = isStream;
    let delayMs = 0;
    for (const message of emitted) {
      this.#recordEmitted(message);
      isHeard ||= isOfTurn(message);
      if (message.type === "api_retry") delayMs = announcedDelay(message["retry_delay_ms"]);
    }
    if (!isHeard) return;
    this.#isStalled = false;
    this.#heardAt = this.#options.clock.now() + delayMs;
  }

  /** Takes a stream event that differs from the last one in its text only. */
  recordRepeat({ parent_tool_use_id }: StreamEventMessage): void {
    if (parent_tool_use_id == null) this.#heardAt = this.#options.clock.now();
  }

  /**
   * Reading paused because the host did not read. The lines that Claude printed meanwhile are still to come.
   */
  recordReadPause(): void {
    this.#heardAt = Math.max(this.#heardAt, this.#options.clock.now());
  }

  /** The turn has ended, with all its calls and hooks. */
  endTurn(): void {
    this.#openCalls.clear();
    this.#openHooks.clear();
    this.#isStreaming = false;
  }

  /** Starts or stops the limit. `isDue`: the turn waits neither for a person nor for the end of Claude. */
  check(turnId: string | undefined, isDue: boolean): void {
    const phase = turnId !== undefined && isDue ? this.#phaseNow() : undefined;
    const isSameTurn = turnId === this.#turnId;
    if (isSameTurn && phase === this.#phase) return;
    if (!isSameTurn) this.#isStalled = false;
    this.#turnId = turnId;
    // Nothing was due before.
    if (this.#phase === undefined) this.recordReadPause();
    this.#phase = phase;
    this.#reschedule();
  }

  stop(): void {
    this.#options.clock.clearTimer(this.#timer);
  }

  #recordStream(event: StreamEvent): void {
    if (event.type === "message_start") this.#recordMessage(event.message.id, true);
    if (event.type === "message_stop") this.#isStreaming = false;
  }

  /** A new message is a new answer of the model, which got the results of all earlier calls. */
  #recordMessage(id: string, isStreamed: boolean): void {
    if (id === this.#messageId && !isStreamed) return;
    this.#messageId = id;
    this.#isStreaming = isStreamed;
    this.#openCalls.clear();
  }

  #recordEmitted(message: OutboundDraft): void {
    if (message.parent_tool_use_id !== undefined) return;
    if (message.type === "api_retry") this.#isStreaming = false;
    if (message.type === "hook_event" && message.phase === "started")
      this.#openHooks.add(message.hook_id);
    if (message.type === "hook_event" && message.phase === "response")
      this.#openHooks.delete(message.hook_id);
    if (message.type === "tool_use" && message.status === "complete")
      this.#openCalls.add(message.tool_use_id);
    if (message.type === "tool_result") this.#openCalls.delete(message.tool_use_id);
  }

  #phaseNow(): StallPhase | undefined {
    if (this.#openCalls.size > 0 || this.#openHooks.size > 0) return undefined;
    return this.#isStreaming ? "stream" : "first_token";
  }

  #reschedule(): void {
    this.stop();
    const phase = this.#phase;
    const limitMs = phase === undefined ? 0 : this.#limitOf(phase);
    if (phase === undefined || limitMs === 0) return;
    const { clock } = this.#options;
    const leftMs = this.#heardAt + limitMs - clock.now();
    this.#timer = clock.setTimer(() => this.#expire(phase, limitMs), Math.max(leftMs, 0));
  }

  #limitOf(phase: StallPhase): number {
    const { options } = this.#options;
    if (phase !== "stream" || this.reportsBrokenStreams) return options[`${phase}_timeout_ms`];
    // The next line may be a whole new answer.
    const both = [options.first_token_timeout_ms, options.stream_timeout_ms];
    return both.includes(0) ? 0 : Math.max(...both);
  }

  /** One timer serves many lines: most of them come long before the limit. */
  #expire(phase: StallPhase, limitMs: number): void {
    const { clock, onStall } = this.#options;
    if (clock.now() < this.#heardAt + limitMs) this.#reschedule();
    else if (this.#turnId !== this.#stalledTurn) {
      this.#stalledTurn = this.#turnId;
      this.#isStalled = true;
      onStall(phase, limitMs);
    }
  }
}

function isOfTurn({ turn_id, parent_tool_use_id }: OutboundDraft): boolean {
  return turn_id !== undefined && parent_tool_use_id === undefined;
}

/** How long Claude waits before it asks the model again, by its own announcement, in ms. */
function announcedDelay(delay: unknown): number {
  return typeof delay === "number" && delay > 0 ? delay : 0;
}
