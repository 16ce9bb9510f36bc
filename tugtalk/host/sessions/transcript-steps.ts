/** Steps of Claude's own files of a conversation, from a bridge's messages about appended lines. */
import type { OutboundMessage } from "../../src/types.ts";
import type { StepDraft } from "./step-draft.ts";

/** Keeps the lines if the session is to keep them. */
export function keepTranscript(draft: StepDraft, message: OutboundMessage): void {
  const { mirror } = draft.state.row;
  if (mirror === undefined) return;
  if (message.type === "transcript_lines") {
    const { file, offset, lines, through_turn_id } = message;
    if (lines.length > 0) draft.transcript.push({ file, added: { offset, lines } });
    if (through_turn_id !== undefined && mirror.lacks !== undefined) draft.setRow({ mirror: {} });
  } else if (message.type === "transcript_failed") keepFailure(draft, message);
}

type Failure = Extract<OutboundMessage, { type: "transcript_failed" }>;

function keepFailure(draft: StepDraft, { file, reason, message }: Failure): void {
  switch (reason) {
    case "changed":
      if (file !== undefined) draft.transcript.push({ file });
      break;
    case "unreadable":
    case "line_too_long":
      draft.setRow({ mirror: { lacks: message } });
      break;
    case "late":
      // Claude itself has no more lines.
      break;
  }
}
