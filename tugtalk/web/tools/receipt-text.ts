/** The end of a prompt in words. Pure. */
import { entryIn } from "../../client/claude-value.ts";
import type { ToolPermission } from "../../client/transcript-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";

const OUTCOMES = { allow: "Allowed", deny: "Denied", answered: "Answered" } as const;

const REASONS: Readonly<Record<string, string>> = {
  withdrawn: "Claude took the question back",
  interrupted: "the turn was stopped",
  timeout: "nobody answered in time",
  exited: "Claude ended",
};

/** `Allowed by Chrome at 14:05`; `Not answered: the turn was stopped`. */
export function receiptText({ outcome, reason = "", by, at }: ToolPermission): string {
  if (outcome === "cancelled") {
    const cause = entryIn(REASONS, reason) ?? reason;
    return cause === "" ? "Not answered" : `Not answered: ${cause}`;
  }
  const who = by === undefined ? "" : ` by ${showHidden(by)}`;
  return `${OUTCOMES[outcome]}${who}${at === undefined ? "" : ` at ${timeOf(at)}`}`;
}

function timeOf(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });
}
