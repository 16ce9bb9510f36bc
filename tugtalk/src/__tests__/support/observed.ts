/** What an observer of a bridge is given, and how a message is named in what it finds. */

/** One message of the contract, as JSON gives it. */
export type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** One message of the host's, and how many messages it had received when it was sent. */
export type Sent = { readonly message: unknown; readonly after: number };

/** What went over the pipes of one Claude, in the order in which the bridge read and wrote it. */
export type Traffic =
  | { readonly from: "claude"; readonly line: unknown }
  | { readonly from: "bridge"; readonly line: unknown }
  /** The bridge has closed Claude's stdin, or Claude is gone: nothing gets through any more. */
  | { readonly from: "end" };

/** Both sides of the pipes of one Claude. */
export type ClaudePipe = { readonly pid: number; readonly traffic: readonly Traffic[] };

/** What was seen of one bridge. What is left out is not checked. */
export type Observed = {
  /** Everything that the host received, parsed, in order. */
  readonly received: readonly unknown[];
  /** The `id`s that the host had sent. */
  readonly sentIds?: readonly string[];
  /** The ids of the user messages that the host had sent, each under one of its own. */
  readonly messageIds?: readonly string[];
  /** Everything that the host sent and that was a line of JSON, in order. */
  readonly sent?: readonly Sent[];
  /** Every Claude that was started. */
  readonly claudes?: readonly ClaudePipe[];
  /** The bridge has ended, so nothing may be left open. */
  readonly isOver: boolean;
};

/** Names a message in a finding. */
export function describe({ type, seq }: Message): string {
  return `${type} (seq ${seq})`;
}

/** The members of an object; none of anything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
