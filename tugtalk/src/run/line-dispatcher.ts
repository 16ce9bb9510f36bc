/** Applies Claude's lines to the parts of a run, in order. */

import { isOverlong, type Line, type LineCursor, type OverlongLine } from "../base/lines.ts";
import { isAtLeast } from "../base/versions.ts";
import { parseClaudeLine } from "../claude/claude-line.ts";
import { isOverlongResult } from "../claude/overlong-result.ts";
import type { ConversationMessage } from "../conversation/conversation.ts";
import type { StreamEventMessage } from "../messages/conversation-lines.ts";
import { errorMessage } from "../messages/errors.ts";
import type { RepeatedMessage } from "../messages/repeated-message.ts";
import type { ClaudeMessage, ResultMessage } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";
import { Repeats } from "./repeats.ts";
import type { RunParts } from "./run-parts.ts";

/** The events of a line beside the messages for the host. */
export type LineEvents = {
  readonly emit: (message: OutboundDraft) => void;
  /** Undefined: each message is emitted by itself. */
  readonly emitRepeated?: ((repeated: RepeatedMessage) => void) | undefined;
  /** Claude began its first turn, or answered `initialize`. */
  readonly onReady: () => void;
  /** A turn began under this session id. */
  readonly onSessionId: (sessionId: string) => void;
};

export class LineDispatcher {
  readonly #parts: RunParts;
  readonly #events: LineEvents;
  readonly #decoder = new TextDecoder();
  readonly #repeats = new Repeats();
  #startErrors: readonly string[] = [];

  constructor(parts: RunParts, events: LineEvents) {
    this.#parts = parts;
    this.#events = events;
  }

  /** Why Claude did not start, as it printed on stdout. */
  get startErrors(): readonly string[] {
    return this.#startErrors;
  }

  /** Returns whether the line is only a part of a message, which changes neither the turn nor who waits for whom. */
  apply(line: Line): boolean {
    this.#repeats.forget();
    if (!isOverlong(line)) return this.#dispatchText(this.#decoder.decode(line));
    this.#loseLine(line);
    return false;
  }

  /** Applies the next lines, as far as they repeat the last one with other texts, and skips them. */
  applyRepeats(lines: LineCursor): void {
    const { emitRepeated } = this.#events;
    const repeated = emitRepeated && this.#repeats.take(lines);
    if (repeated === undefined) return;
    if (repeated.answer !== undefined) emitRepeated?.(repeated.answer);
    const { conversation, stallDetector } = this.#parts;
    conversation.repeat(repeated.event);
    stallDetector.recordRepeat(repeated.event);
  }

  /** Something other than a text has changed: the next line may mean something else. */
  forgetRepeats(): void {
    this.#repeats.forget();
  }

  /** Claude did start. Some CLIs name their version only later. */
  becomeReady(claudeVersion: string | undefined): void {
    const { settings, stallDetector, state } = this.#parts;
    settings.claudeVersion ??= claudeVersion;
    stallDetector.reportsBrokenStreams = isAtLeast(settings.claudeVersion, "2.1.330");
    if (state.isReady) return;
    state.isReady = true;
    this.#events.onReady();
  }

  #dispatchText(line: string): boolean {
    const event = parseClaudeLine(line);
    if (event.type === "stream_event") {
      this.#repeats.learn(line, event, this.#converse(event));
      return event.event.type !== "message_start" && event.event.type !== "message_stop";
    }
    this.#dispatch(event);
    return false;
  }

  #dispatch(event: Exclude<ClaudeMessage, StreamEventMessage>): void {
    const { openRequests, prompts, program, requests, state } = this.#parts;
    switch (event.type) {
      case "control_request":
        if (!program.receive(event)) prompts.open(event);
        break;
      case "control_response":
        requests.answer(event);
        break;
      case "control_cancel_request":
        openRequests.withdraw(event.request_id);
        break;
      case "keep_alive":
      case "transcript_mirror":
        break;
      case "assistant":
      case "user":
        this.#recordCommandOutput(this.#converse(event));
        break;
      case "system":
        this.#recordSystem(event);
        this.#converse(event);
        break;
      case "notification":
        if (event.kind === "system/background_tasks_changed")
          state.backgroundTasks = event.message.tasks;
        this.#converse(event);
        break;
      case "unknown":
        this.#converse(event);
        // A result that cannot be read ends its turn like a lost result.
        if (event.original_type === "result") this.#loseTurn();
        break;
      case "result":
        this.#result(event);
    }
  }

  #converse(event: ConversationMessage): readonly OutboundDraft[] {
    const emitted = this.#record(event);
    this.#emit(emitted);
    return emitted;
  }

  #record(event: ConversationMessage): readonly OutboundDraft[] {
    const emitted = this.#parts.conversation.apply(event);
    this.#parts.stallDetector.record(event, emitted);
    return emitted;
  }

  /** Output is a setting only if a command of the host caused it. */
  #recordCommandOutput(emitted: readonly OutboundDraft[]): void {
    const { conversation, settings } = this.#parts;
    if (!conversation.turns.isRunning("/")) return;
    for (const message of emitted) {
      if (message.type === "user_text" && message.kind === "command_output")
        settings.recordCommandOutput(message.text);
    }
  }

  #recordSystem(event: Extract<ClaudeMessage, { type: "system" }>): void {
    const { settings, state } = this.#parts;
    if (event.subtype === "compact_boundary") return;
    if (event.subtype === "status") state.isCompacting = event.status === "compacting";
    else {
      this.becomeReady(event.claude_code_version);
      this.#events.onSessionId(event.session_id);
    }
    // The settings of a process that is ending are no choice for the next one.
    if (state.isEnding) return;
    if (event.subtype === "init") this.#emit(settings.recordModel(event.model, event.session_id));
    this.#emit(settings.recordMode(event.permissionMode));
  }

  #result(event: ResultMessage): void {
    if (!this.#parts.state.isReady) {
      this.#startErrors = event.errors ?? (event.result === undefined ? [] : [event.result]);
      return;
    }
    this.#endTurn();
    this.#emit(this.#parts.conversation.apply(event));
  }

  #loseTurn(): void {
    this.#endTurn();
    this.#emit(this.#parts.conversation.loseTurn());
  }

  /** Claude can hold back a result until a newer turn is open, which goes on. */
  #endTurn(): void {
    const { openRequests, conversation, stallDetector, state } = this.#parts;
    const { view, openCount } = conversation.turns;
    if (view !== undefined) openRequests.refuseOrphans(view.turn_id);
    if (openCount > 1) return;
    stallDetector.endTurn();
    state.isCompacting = false;
  }

  /** A lost result ends its turn, or the next message would wait without end. */
  #loseLine(line: OverlongLine): void {
    const message = `a line of ${line.overlongBytes} bytes from Claude was thrown away; --max-line-bytes sets the limit`;
    this.#events.emit(errorMessage("line_too_long", message, { source: "claude" }));
    if (isOverlongResult(line)) this.#loseTurn();
  }

  #emit(messages: readonly OutboundDraft[]): void {
    for (const message of messages) this.#events.emit(message);
  }
}
