/**
 * Which messages are new. A message is identified by its stream and its `seq` there. A frame of a host
 * names its stream; the messages of a bridge belong to the instance that the latest `protocol_ack` names.
 * A message without a `seq` is always new.
 */
import { type Fields, isFields } from "../claude-value.ts";
import type { AppliedMessages } from "../reduced-session.ts";

/** One message, and its place in a host's journal if it came in a frame. */
export type IncomingMessage = {
  readonly message: Fields & { readonly type: string };
  readonly frame?: { readonly epoch: string; readonly seq: number };
};

/**
 * The message in the input of a caller: the input itself, or the data of a frame. Undefined if it has none.
 */
export function incomingMessage(input: unknown): IncomingMessage | undefined {
  if (!isFields(input)) return undefined;
  if (isTyped(input)) return { message: input };
  const { t, d, e, q } = input;
  if (typeof t !== "string") return undefined;
  const message = { ...(isFields(d) ? d : {}), type: t };
  const isNumbered = (typeof e === "string" || typeof e === "number") && typeof q === "number";
  return isNumbered ? { message, frame: { epoch: String(e), seq: q } } : { message };
}

function isTyped(fields: Fields): fields is IncomingMessage["message"] {
  return typeof fields["type"] === "string";
}

/** The work that remains with a message. */
export type Admitted = {
  readonly applied: AppliedMessages;
  /** The messages to apply: none if this one is a repetition. */
  readonly messages: readonly Fields[];
};

/** The types that may precede a `protocol_ack`. */
const EARLY_TYPES: ReadonlySet<string> = new Set([
  "error",
  "session_list_result",
  "session_history_result",
  "transcript_restore_result",
]);

export function admit(applied: AppliedMessages, { message, frame }: IncomingMessage): Admitted {
  if (frame !== undefined) return admitFrame(applied, message, frame);
  const { seq, type, instance_id } = message;
  if (typeof seq !== "number") return { applied, messages: [message] };
  if (type === "protocol_ack" && typeof instance_id === "string")
    return admitAck(applied, message, { stream: instance_id, seq });
  // A message that waits for the next `protocol_ack` already.
  const isEarly = EARLY_TYPES.has(message.type);
  if (isEarly && seq <= applied.unacknowledged.length) return { applied, messages: [] };
  if (isEarly && isOfNextBridge(applied, seq))
    return {
      applied: { ...applied, unacknowledged: [...applied.unacknowledged, message] },
      messages: [],
    };
  return admitNumbered(applied, message, seq);
}

function admitNumbered(applied: AppliedMessages, message: Fields, seq: number): Admitted {
  if (seq <= applied.seq) return { applied, messages: [] };
  return { applied: { ...applied, seq }, messages: [message] };
}

function admitFrame(
  applied: AppliedMessages,
  message: Fields,
  { epoch, seq }: { readonly epoch: string; readonly seq: number },
): Admitted {
  if (epoch === applied.stream) return admitNumbered(applied, message, seq);
  if (seq <= seqOf(applied, epoch)) return { applied, messages: [] };
  return { applied: { ...turnedTo(applied, epoch), seq }, messages: [message] };
}

/**
 * Whether an early message may be one of the first messages of the next bridge. With a `seq` of the current
 * bridge it may also repeat one of its first messages: the `protocol_ack` that follows decides.
 */
function isOfNextBridge({ stream, seq, unacknowledged }: AppliedMessages, next: number): boolean {
  const isKnown = next <= seq || unacknowledged.length > 0;
  return stream !== undefined && isKnown && next === unacknowledged.length + 1;
}

function admitAck(
  applied: AppliedMessages,
  ack: Fields,
  { stream, seq }: { readonly stream: string; readonly seq: number },
): Admitted {
  const isFirst = applied.stream === undefined;
  const turned = isFirst ? { ...applied, stream } : turnedTo(applied, stream);
  if (seq <= turned.seq) return { applied: turned, messages: [] };
  const held = applied.unacknowledged.length === seq - 1 ? applied.unacknowledged : [];
  return { applied: { ...turned, seq }, messages: [...held, ack] };
}

/** The same with another current stream, and without messages of the next bridge. */
function turnedTo(applied: AppliedMessages, stream: string): AppliedMessages {
  if (applied.stream === stream)
    return applied.unacknowledged.length === 0 ? applied : { ...applied, unacknowledged: [] };
  const seq = seqOf(applied, stream);
  const { [stream]: _current, ...rest } = applied.others;
  const others = applied.stream === undefined ? rest : { ...rest, [applied.stream]: applied.seq };
  return { stream, seq, others, unacknowledged: [] };
}

function seqOf({ others }: AppliedMessages, stream: string): number {
  return Object.hasOwn(others, stream) ? (others[stream] ?? 0) : 0;
}
