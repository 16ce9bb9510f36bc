/** The input of the observer of a bridge, and its names of messages. */

/** The members of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** One parsed message of the contract. */
export type Message = Fields & { readonly type: string };

/** A request of Claude's to the host's program. */
export const isOfProgram = ({ type }: Message): boolean =>
  type === "host_tool_request" || type === "hook_request";

const PROMPTS = new Set(["control_request_forward", "elicitation_request", "dialog_request"]);

/** A request that the host answers. */
export const isRequest = (message: Message): boolean =>
  PROMPTS.has(message.type) || isOfProgram(message);

/** One message of the host, and how many messages the host had received when it was sent. */
export type Sent = { readonly message: unknown; readonly after: number };

/** One event on the pipes of a Claude, in the order in which the bridge read and wrote. */
export type Traffic = {
  /** How many messages the host had received by then. */
  readonly received: number;
} & (
  | { readonly from: "claude"; readonly line: unknown }
  | { readonly from: "bridge"; readonly line: unknown }
  /** The bridge has written it to a Claude that had exited, which the bridge could not know. */
  | { readonly from: "nobody"; readonly line: unknown }
  /** The bridge has closed Claude's stdin. */
  | { readonly from: "end" }
  /** Claude has exited. */
  | { readonly from: "exit" }
);

/** Both sides of the pipes of one Claude. */
export type ClaudePipe = { readonly pid: number; readonly traffic: readonly Traffic[] };

/** One line of Claude, read while nothing else happened, and whether the bridge emitted anything for it. */
export type LineOutcome = {
  readonly line: unknown;
  readonly hasEmitted: boolean;
  /** Claude had answered `initialize`. */
  readonly isReady: boolean;
  /** Claude's stdin was closed. */
  readonly isEnding: boolean;
  /** A request with this id had been made before. */
  readonly isRepeated: boolean;
};

/** The observations of one bridge. Fields that are absent are not checked. */
export type Observed = {
  /** Everything that the host received, parsed, in order. */
  readonly received: readonly unknown[];
  /** The `id`s that the host had sent. */
  readonly sentIds?: readonly string[];
  /** The ids of the user messages that the host had sent, each under one of its own. */
  readonly messageIds?: readonly string[];
  /** Every JSON line that the host sent, in order. */
  readonly sent?: readonly Sent[];
  /** Every Claude that was started. */
  readonly claudes?: readonly ClaudePipe[];
  /** Single lines of Claude, with their outcome. */
  readonly lineOutcomes?: readonly LineOutcome[];
  /** The bridge has ended, so nothing may be left open. */
  readonly isOver: boolean;
};

/** Names a message in a finding. */
export function describe({ type, seq }: Message): string {
  return `${type} (seq ${seq})`;
}

/** The members of an object; none of anything else. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

/** The type of a message with the field that distinguishes its cases. */
export function observedKey(message: Message): string {
  const { type, status, result, reason, outcome, code, expected } = message;
  const isReceipt = type === "message_status";
  const detail = isReceipt ? status : (code ?? outcome ?? result ?? reason ?? status ?? expected);
  return typeof detail === "string" || typeof detail === "boolean" ? `${type} ${detail}` : type;
}
