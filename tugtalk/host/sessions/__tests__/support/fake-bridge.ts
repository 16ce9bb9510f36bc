/**
 * A bridge without a process: a test scripts its messages and reads the messages that it gets. It refuses as
 * the real bridge does: answers to prompts that are not open, and a second `protocol_init`.
 */
import { randomUUID } from "node:crypto";
import { IncomingMessages } from "../../../../spawn/incoming-messages.ts";
import { PendingAnswers } from "../../../../spawn/pending-answers.ts";
import { EndedError } from "../../../../spawn/spawn-errors.ts";
import type { TranscriptRestore } from "../../../../src/messages/transcript-messages.ts";
import type { InboundMessage, OutboundMessage } from "../../../../src/types.ts";
import type { Bridge, BridgeEnd } from "../../../bridges/bridge.ts";

/** A message of the bridge without its number. */
export type Draft = { readonly type: string } & Readonly<Record<string, unknown>>;

const ACK = { version: 2, tugtalk_version: "0", capabilities: { inbound: [] } };

const NO_HISTORY = { type: "session_history_result", messages: [], skipped_lines: 0 };

/** A restore in one part. Only the conversation's own file counts. */
function restored({ session_id, part = 1, more = false, files }: TranscriptRestore): Draft {
  const main = files.filter(({ file }) => file === `${session_id}.jsonl`);
  const answer = { type: "transcript_restore_result", session_id, part };
  if (main[0]?.offset === 0) return { ...answer, ok: true, is_written: !more };
  const refusal = { reason: "gap", message: "no line of it" };
  return { ...answer, ok: false, is_written: false, ...refusal };
}

/** The process of the first bridge, whose conversation is `c1`. */
export const FIRST_PID = 1000;

/** Gives a `session_init` without an id the id of the conversation. */
const withId = (session_id: string) => (draft: Draft) =>
  draft.type === "session_init" ? { session_id, ...draft } : draft;

export class FakeBridge {
  readonly sent: InboundMessage[] = [];
  readonly #messages = new IncomingMessages<OutboundMessage>(() => {});
  readonly #answers = new PendingAnswers();
  readonly #ended = Promise.withResolvers<BridgeEnd>();
  readonly #open = new Set<string>();
  readonly #pid: number;
  #seq = 0;
  /** Positive for a bridge on a place. */
  lingerMs = 0;
  isEnded = false;
  /** The bridge ends only when the test lets it. */
  isStubborn = false;
  /** Replacements for the usual answers, by the type of the request; undefined: no answer. */
  readonly answers = new Map<string, (usual: Draft, asked: Draft) => Draft | undefined>();
  /** The messages after the `protocol_ack`. */
  readonly #start: readonly Draft[];

  constructor(pid: number, start: readonly Draft[]) {
    this.#pid = pid;
    this.#start = start;
  }

  get bridge(): Bridge {
    return {
      pid: this.#pid,
      lingerMs: () => this.lingerMs,
      send: (message) => this.#receive(message),
      request: async (message) => {
        const id = message.id ?? randomUUID();
        const answer = this.#answers.wait(id);
        this.#receive({ ...message, id });
        // The script gives an answer of the right type for the request.
        return (await answer) as never;
      },
      messages: this.#messages,
      ended: this.#ended.promise,
      close: () => {
        if (!this.isStubborn) this.end();
        return this.#ended.promise;
      },
    };
  }

  /** The number of messages that nobody has read. */
  get unread(): number {
    return this.#messages.chars;
  }

  /** All messages of one type to the bridge. */
  sentOf<Type extends InboundMessage["type"]>(type: Type) {
    return this.sent.filter(
      (message): message is Extract<InboundMessage, { type: Type }> => message.type === type,
    );
  }

  say(...drafts: readonly Draft[]): void {
    for (const draft of drafts) {
      this.#seq += 1;
      const { type, request_id } = draft;
      if (type.endsWith("_request") || type === "control_request_forward")
        this.#open.add(String(request_id));
      if (type === "control_request_cancel") this.#open.delete(String(request_id));
      // The test writes the message as the bridge would.
      const message = { ipc_version: 2, seq: this.#seq, ...draft } as unknown as OutboundMessage;
      this.#answers.settle(message);
      this.#messages.add(message, 1);
    }
  }

  /** Ends without a further message. */
  end(end: BridgeEnd = { isConfirmed: true }): void {
    if (this.isEnded) return;
    this.isEnded = true;
    this.#messages.end();
    this.#answers.end(new EndedError({ code: 0, signal: null }));
    this.#ended.resolve(end);
  }

  #receive(message: InboundMessage): void {
    if (this.isEnded) return;
    this.sent.push(message);
    for (const usual of this.#answersTo(message)) {
      const other = this.answers.get(message.type);
      const answer = other === undefined ? usual : other(usual, message);
      if (answer === undefined) continue;
      this.say({ ...answer, ...(message.id !== undefined && { in_reply_to: message.id }) });
    }
    if (message.type === "protocol_init") this.say(...this.#start.map(withId(this.#idOf(message))));
  }

  /** The id of the resumed conversation; a new conversation gets an id of its own. */
  #idOf({ session }: Extract<InboundMessage, { type: "protocol_init" }>): string {
    return session?.mode === "resume"
      ? String(session.session_id)
      : `c${this.#pid - FIRST_PID + 1}`;
  }

  #answersTo(message: InboundMessage): readonly Draft[] {
    const accepted = { type: "control_result", subtype: message.type, ok: true };
    switch (message.type) {
      case "protocol_init":
        return [{ type: "protocol_ack", instance_id: randomUUID(), ...ACK }];
      case "user_message":
        return [{ type: "message_status", message_id: message.message_id, status: "queued" }];
      case "tool_approval":
        return [this.#resolution(message.request_id, message.decision)];
      case "question_answer":
      case "elicitation_answer":
      case "dialog_answer":
        return [this.#resolution(message.request_id, "answered")];
      case "permission_mode":
      case "interrupt":
      case "stop_task":
      case "control":
      case "model_change":
        return [accepted];
      case "session_history":
        return [{ ...NO_HISTORY, session_id: message.session_id }];
      case "transcript_restore":
        return [restored(message)];
      default:
        return [];
    }
  }

  #resolution(request_id: string, outcome: string): Draft {
    if (this.#open.delete(request_id))
      return { type: "control_request_resolved", request_id, outcome };
    const message = "nobody waits for it";
    return { type: "error", code: "stale_request", message, recoverable: true, request_id };
  }
}
