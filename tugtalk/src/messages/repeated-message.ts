/** A message that is sent many times with another text each time. */
import type { OutboundDraft } from "../types.ts";

export type RepeatedMessage = {
  readonly message: OutboundDraft;
  /** The field with the text. */
  readonly field: "text" | "partial_json";
  /** The text of each message, as it stands between the quotes in a line for the host. */
  readonly literals: readonly string[];
};
