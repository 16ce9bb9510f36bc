/**
 * Tells silence from work. While the open turn waits for the model, something must come from Claude
 * within a limit: one for the first token of an answer, a shorter one between the parts of an answer.
 * While a tool or a hook runs, a person is asked or no turn is open, nothing need come, for as long as
 * it likes. Protocol reference §11b.
 */

import { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import type { StreamEvent } from "../messages/conversation-lines.ts";
import type { ClaudeMessage } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

/** The longest silences, in ms; 0: any. */
export type StallLimits = { readonly first_token: number; readonly stream: number };

/** What the model owes. */
export type StallPhase = keyof StallLimits;

/** A turn that has gone silent. */
export type Stall = {
  readonly turnId: string;
  readonly phase: StallPhase;
  readonly limitMs: number;
};

/** What is known of the run beside its lines. */
export type TurnFacts = {
  readonly openTurnId: string | undefined;
  readonly isAsking: boolean;
  /** The process is being ended: nothing is due any more. */
  readonly isEnding: boolean;
};

export type StallOptions = {
  readonly clock: Clock;
  readonly limits: StallLimits;
  readonly facts: () => TurnFacts;
  /** This CLI tells when an answer breaks off; others begin it anew without a word, and unstreamed. */
  readonly tellsBrokenStreams: () => boolean;
  /** At most once for each turn. */
  readonly onStall: (stall: Stall) => void;
};

/** Calls without a result, and hooks, that are remembered: more than are ever open at once. */
const MAX_OPEN = 4096;

export class StallDetector {
  readonly #options: StallOptions;
  /** The calls of the newest message of the main conversation that have no result yet. */
  readonly #openCalls = new BoundedSet<string>(MAX_OPEN);
  readonly #openHooks = new BoundedSet<string>(MAX_OPEN);
  #messageId: string | undefined;
  #isStreaming = false;
  #phase: StallPhase | undefined;
  /** When Claude was last heard, or will be again by its own word; ms of the clock. */
  #heardAt = 0;
  #timer: unknown;
  #stalledTurn: string | undefined;
  #isSilent = false;

  constructor(options: StallOptions) {
    this.#options = options;
  }

  /** The open turn has gone silent, and nothing has come since. */
  get isStalled(): boolean {
    return this.#isSilent && this.#options.facts().openTurnId === this.#stalledTurn;
  }

  /** Takes one line of Claude's with what it meant. */
  note(event: ClaudeMessage, emitted: readonly OutboundDraft[]): void {
    const isStream = event.type === "stream_event" && event.parent_tool_use_id == null;
    if (isStream) this.#noteStream(event.event);
    if (event.type === "assistant" && event.parent_tool_use_id == null)
      this.#noteMessage(event.message.id, false);
    for (const message of emitted) this.#noteEmitted(message);
    const { openTurnId } = this.#options.facts();
    const isHeard = isStream || emitted.some((message) => isOfMain(message, openTurnId));
    if (!isHeard) return;
    this.#isSilent = false;
    this.#heardAt = this.#options.clock.now() + announcedDelay(emitted);
  }

  /** Claude was not read for a while: what it has said meanwhile is still to be heard. */
  noteUnread(): void {
    this.#heardAt = Math.max(this.#heardAt, this.#options.clock.now());
  }

  /** The turn has ended, and all that it was doing. */
  endTurn(): void {
    this.#openCalls.clear();
    this.#openHooks.clear();
    this.#isStreaming = false;
  }

  /** Begins to wait, or stops, as the turn stands now. */
  look(): void {
    const phase = this.#phaseNow();
    if (phase === this.#phase) return;
    // Nothing was due before.
    if (this.#phase === undefined) this.noteUnread();
    this.#phase = phase;
    this.stop();
    this.#wait();
  }

  stop(): void {
    this.#options.clock.clearTimer(this.#timer);
    this.#timer = undefined;
  }

  #noteStream(event: StreamEvent): void {
    if (event.type === "message_start") this.#noteMessage(event.message.id, true);
    if (event.type === "message_stop") this.#isStreaming = false;
  }

  /** Another message is another answer of the model, which had all results before it. */
  #noteMessage(id: string, isStreamed: boolean): void {
    if (id === this.#messageId && !isStreamed) return;
    this.#messageId = id;
    this.#isStreaming = isStreamed;
    this.#openCalls.clear();
  }

  #noteEmitted(message: OutboundDraft): void {
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
    const { openTurnId, isAsking, isEnding } = this.#options.facts();
    if (openTurnId === undefined || isEnding || isAsking) return undefined;
    if (this.#openCalls.size > 0 || this.#openHooks.size > 0) return undefined;
    return this.#isStreaming ? "stream" : "first_token";
  }

  #wait(): void {
    const { clock } = this.#options;
    const limitMs = this.#limitMs();
    if (limitMs === 0) return;
    const leftMs = this.#heardAt + limitMs - clock.now();
    this.#timer = clock.setTimer(() => this.#judge(limitMs), Math.max(leftMs, 0));
  }

  #limitMs(): number {
    const { limits, tellsBrokenStreams } = this.#options;
    if (this.#phase !== "stream" || tellsBrokenStreams())
      return this.#phase === undefined ? 0 : limits[this.#phase];
    // What comes next may be the whole of another answer.
    const both = [limits.first_token, limits.stream];
    return both.includes(0) ? 0 : Math.max(...both);
  }

  /** Not a timer for each line: most are heard long before the limit. */
  #judge(limitMs: number): void {
    const { clock, facts, onStall } = this.#options;
    const { openTurnId: turnId } = facts();
    if (clock.now() < this.#heardAt + limitMs) this.#wait();
    else if (turnId !== undefined && turnId !== this.#stalledTurn && this.#phase !== undefined) {
      this.#stalledTurn = turnId;
      this.#isSilent = true;
      onStall({ turnId, phase: this.#phase, limitMs });
    }
  }
}

function isOfMain(message: OutboundDraft, turnId: string | undefined): boolean {
  return (
    turnId !== undefined && message.turn_id === turnId && message.parent_tool_use_id === undefined
  );
}

/** How long Claude says that it waits before it asks the model again, in ms. */
function announcedDelay(emitted: readonly OutboundDraft[]): number {
  const retry = emitted.findLast((message) => message.type === "api_retry");
  const delay = retry?.type === "api_retry" ? retry["retry_delay_ms"] : undefined;
  return typeof delay === "number" && delay > 0 ? delay : 0;
}
