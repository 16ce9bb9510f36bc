/**
 * Sends the host the lines that Claude appends to the files of the conversation: after each turn, again until
 * the end of the turn is on disk, and before `process_exit`. The messages to the host show when Claude may
 * have appended lines. Contract: Transcripts.
 */
import { BoundedSet } from "../base/bounded-map.ts";
import type { Clock } from "../base/clock.ts";
import { SerialQueue } from "../base/serial-queue.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { OutboundDraft } from "../types.ts";
import type { TranscriptMessage } from "./mirrored-files.ts";
import { mainFileOf } from "./transcript-names.ts";

export type MirrorPorts = {
  /** See `MirroredFiles.next`. */
  readonly next: (sessionIds: readonly string[]) => Promise<TranscriptMessage | undefined>;
  readonly emit: (message: OutboundDraft) => void;
  /** See `HostWriter.flush`. */
  readonly flush: () => Promise<void> | undefined;
  readonly clock: Clock;
};

/** When to look again for the end of a turn that is not on disk, in ms after the look before. */
const RETRIES_MS = [50, 100, 200, 400, 800, 1600, 2000] as const;

/** How many of these retries a turn without an answer gets: nothing on disk marks its end. */
const BLIND_RETRIES = 4;

/** How many conversations of one process are read: each `/clear` begins another one. */
const MAX_CONVERSATIONS = 16;

/** How a line of an answer, a call or a result is recognised. */
const MARKS = /"(uuid|id|tool_use_id)":"([^"\\]{1,100})"/g;

/**
 * How many marks of lines that the host has are remembered. The marks of an ended turn are among the last.
 */
const REMEMBERED_MARKS = 4096;

/** A turn that has ended, and the mark in its last line on disk. */
type EndedTurn = { readonly turnId: string; readonly mark: string | undefined };

type Lines = Extract<TranscriptMessage, { type: "transcript_lines" }>;

export class TranscriptMirror {
  readonly #ports: MirrorPorts;
  readonly #rounds = new SerialQueue();
  /** The conversations of this process, the current one last. */
  #sessionIds: string[] = [];
  #hasProcess = false;
  /** The mark of the last answer, call or result that was emitted. */
  #mark: string | undefined;
  #ended: EndedTurn | undefined;
  readonly #emittedMarks = new BoundedSet<string>(REMEMBERED_MARKS);
  /** Where the copy of the conversation itself ends, as lines. */
  #end: Lines | undefined;
  #timer: unknown;
  /** Counts the events that end a wait. A round that began before such an event does not resume the wait. */
  #waits = 0;

  constructor(ports: MirrorPorts) {
    this.#ports = ports;
  }

  /** A message for the host was emitted. */
  observe(message: OutboundDraft): void {
    if (message.type === "session_init") this.#begin(message.session_id);
    else if (message.type === "turn_complete" || message.type === "turn_cancelled")
      this.#endTurn(message.turn_id);
    else this.#mark = markOf(message) ?? this.#mark;
  }

  /** Claude is gone. Resolves when the rest was emitted. */
  settle(): Promise<void> {
    this.#stopWaiting();
    this.#hasProcess = false;
    this.#ended = undefined;
    this.#addRound();
    this.#sessionIds = this.#sessionIds.slice(-1);
    return this.#rounds.settled();
  }

  #begin(sessionId: string): void {
    this.#hasProcess = true;
    if (this.#sessionIds.at(-1) === sessionId) return;
    this.#sessionIds = [...this.#sessionIds, sessionId].slice(-MAX_CONVERSATIONS);
  }

  #endTurn(turnId: string | undefined): void {
    const mark = this.#mark;
    this.#mark = undefined;
    // After the exit everything was emitted.
    if (turnId === undefined || !this.#hasProcess) return;
    this.#stopWaiting();
    this.#ended = { turnId, mark };
    this.#look(0);
  }

  /** Reads, and reads again later if the end of the turn is missing. */
  #look(retry: number): void {
    const waits = this.#waits;
    this.#addRound(() => {
      if (waits === this.#waits && this.#ended !== undefined) this.#wait(retry, this.#ended);
    });
  }

  #wait(retry: number, { mark }: EndedTurn): void {
    const delay = RETRIES_MS[retry];
    if (delay === undefined || (mark === undefined && retry >= BLIND_RETRIES)) {
      if (mark !== undefined) this.#fail("late", "the end of the turn is not on disk");
      return;
    }
    this.#timer = this.#ports.clock.setTimer(() => this.#look(retry + 1), delay);
  }

  #stopWaiting(): void {
    this.#waits += 1;
    this.#ports.clock.clearTimer(this.#timer);
  }

  #addRound(onEmitted: () => void = () => {}): void {
    const ids = [...this.#sessionIds];
    const round = async () => {
      await this.#emitAll(ids);
      onEmitted();
    };
    this.#rounds.add(round, (thrown) =>
      this.#fail("unreadable", TugtalkError.from(thrown).message),
    );
  }

  async #emitAll(ids: readonly string[]): Promise<void> {
    for (;;) {
      // Keeps one piece at a time in memory, however slowly the host reads.
      await this.#ports.flush();
      const message = await this.#ports.next(ids);
      if (message === undefined) break;
      if (message.type === "transcript_lines") this.#emitLines(message);
      else this.#ports.emit(message);
    }
    // Its end was read before it ended.
    if (this.#end !== undefined && this.#isEndEmitted) this.#emitLines(this.#end);
  }

  #emitLines(message: Lines): void {
    const { session_id, file, offset, lines } = message;
    if (file === mainFileOf(session_id)) {
      for (const line of lines)
        for (const [, name, id] of line.matchAll(MARKS)) this.#emittedMarks.add(`${name}:${id}`);
      const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
      this.#end = { ...message, offset: offset + bytes, lines: [] };
    }
    const through = this.#isEndEmitted ? this.#ended?.turnId : undefined;
    if (through !== undefined) this.#ended = undefined;
    this.#ports.emit({ ...message, ...(through !== undefined && { through_turn_id: through }) });
  }

  /** The host has the end of the turn that ended last. */
  get #isEndEmitted(): boolean {
    const mark = this.#ended?.mark;
    return mark !== undefined && this.#emittedMarks.has(mark);
  }

  #fail(reason: "late" | "unreadable", message: string): void {
    const session_id = this.#sessionIds.at(-1);
    if (session_id !== undefined)
      this.#ports.emit({ type: "transcript_failed", session_id, reason, message });
  }
}

/** The mark by which the line of this message is found on disk. Lines of agents are in other files. */
function markOf(message: OutboundDraft): string | undefined {
  if (message.parent_tool_use_id !== undefined) return undefined;
  switch (message.type) {
    case "assistant_text":
    case "thinking_text":
      return message.uuid === undefined ? undefined : `uuid:${message.uuid}`;
    case "tool_use":
      return message.status === "complete" ? `id:${message.tool_use_id}` : undefined;
    case "tool_result":
      return `tool_use_id:${message.tool_use_id}`;
    default:
      return undefined;
  }
}
