/** One step in the making: the state after its decisions so far, and the effects to come. */
import type { AnswerMessage } from "../../client/answers.ts";
import { reduceSession } from "../../client/reduce-session.ts";
import type { TranscriptEntry } from "../../client/transcript-models.ts";
import type { Uptime } from "../../src/base/uptime.ts";
import type { InboundMessage, OutboundMessage } from "../../src/types.ts";
import type { Attachments, MessageEnd, ReplyRow, SessionRow } from "../journal/journal.ts";
import type { FileChange } from "../journal/transcript-copy.ts";
import { entryOf } from "./bridge-messages.ts";
import type { InterruptCommand, StepContext } from "./session-input.ts";
import { rowAfter } from "./session-row.ts";
import {
  type BridgeStatus,
  hasAnswer,
  type NewEntry,
  type Reply,
  type SessionState,
} from "./session-state.ts";

/** The effects of a step, once its commit is written, in this order. */
export type Effect =
  | { readonly kind: "send"; readonly message: InboundMessage }
  /** Gives the bridge the answer to a prompt. A refusal becomes a later input. */
  | { readonly kind: "answer"; readonly requestId: string; readonly message: AnswerMessage }
  /** Interrupts the turn. The result becomes a later input. */
  | { readonly kind: "interrupt"; readonly command: InterruptCommand }
  /** Puts files back to before a message. The result becomes a later input. */
  | { readonly kind: "rewind_files"; readonly messageId: string }
  /** `restore`: gives the bridge the conversation. The result becomes a later input. */
  | { readonly kind: "start" | "restore" | "init" | "close" }
  /** Answers a command. */
  | { readonly kind: "reply"; readonly settle: () => void };

/** The effects on the bridge. */
export type BridgeEffect = Exclude<Effect, { kind: "reply" }>;

export class StepDraft {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The uptime at that time, for the mark of a bridge on a place. */
  readonly upAt: Uptime | undefined;
  readonly entries: NewEntry[] = [];
  readonly effects: Effect[] = [];
  readonly attached = new Map<string, Attachments>();
  readonly detached: string[] = [];
  readonly endedMessages: MessageEnd[] = [];
  readonly replies: ReplyRow[] = [];
  readonly transcript: FileChange[] = [];
  /** Entries of the transcript that are in no state: older turns of a conversation. */
  readonly turns: TranscriptEntry[] = [];
  /** The whole state is to be indexed, and the older turns. */
  indexesState = false;
  #state: SessionState;

  constructor(state: SessionState, { at, upAt }: Pick<StepContext, "at" | "upAt">) {
    this.#state = state;
    this.at = at;
    this.upAt = upAt;
  }

  get state(): SessionState {
    return this.#state;
  }

  /** Adds the next entry of the journal. The state follows from it as it does for a client. */
  add(entry: NewEntry): void {
    this.entries.push(entry);
    this.#state = appliedTo(this.#state, entry);
  }

  /** Adds a message of the bridge, with the host's own fields. */
  addMessage(message: OutboundMessage, details: NewEntry["data"] = {}): void {
    const { type, data } = entryOf(message);
    this.add({ type, data: { ...data, ...details } });
    const row = rowAfter(this.#state.row, message, hasAnswer(this.#state.reduced));
    if (row !== this.#state.row) this.#change({ row });
  }

  setRow(change: Partial<SessionRow>): void {
    this.#change({ row: { ...this.#state.row, ...change } });
  }

  replaceRow(row: SessionRow): void {
    this.#change({ row });
  }

  setBridge(change: Partial<BridgeStatus>): void {
    this.#change({ bridge: { ...this.#state.bridge, ...change } });
  }

  setDeferred(deferred: SessionState["deferred"]): void {
    this.#change({ deferred });
  }

  setClaims(claims: SessionState["claims"]): void {
    this.#change({ claims });
  }

  attach(messageId: string, attachments: Attachments): void {
    if (attachments.length === 0) return;
    this.attached.set(messageId, attachments);
    this.#change({ attachments: new Map(this.#state.attachments).set(messageId, attachments) });
  }

  /** Drops the attachments of a message. */
  detach(messageId: string): void {
    if (!this.#state.attachments.has(messageId)) return;
    this.detached.push(messageId);
    const attachments = new Map(this.#state.attachments);
    attachments.delete(messageId);
    this.#change({ attachments });
  }

  do(effect: Effect): void {
    this.effects.push(effect);
  }

  resolve<Value>(reply: Reply<Value>, value: Value): void {
    this.do({ kind: "reply", settle: () => reply.resolve(value) });
  }

  reject(reply: Pick<Reply<never>, "reject">, error: Error): void {
    this.do({ kind: "reply", settle: () => reply.reject(error) });
  }

  #change(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change };
  }
}

/** The state after one more entry: the same live and from the journal. */
function appliedTo(state: SessionState, { type, data }: NewEntry): SessionState {
  const { epoch, seq } = state.cursor;
  const cursor = { epoch, seq: seq + 1 };
  const frame = { e: epoch, q: cursor.seq, t: type, d: data };
  return {
    ...state,
    cursor,
    reduced: reduceSession(state.reduced, frame),
    sinceSnapshot: state.sinceSnapshot + 1,
  };
}
