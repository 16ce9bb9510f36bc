/**
 * Which lines of Claude may lead to no message (guarantee 5), decided from the line alone, with the row
 * of the list of ignored kinds. Where a row has a condition in brackets that the line does not show,
 * the condition is assumed to hold.
 */
import { kindsOf } from "../captures/line-kinds.ts";
import { type Fields, fieldsOf, type LineOutcome } from "./observed.ts";

/** Each line leads to a message or belongs to a row of the ignored kinds. */
export function silenceFaults(lineOutcomes: readonly LineOutcome[]): string[] {
  return lineOutcomes
    .filter((one) => !one.hasEmitted && rowOf(one) === undefined)
    .map(({ line }) => `nothing is told of ${JSON.stringify(line)}`);
}

/** The row of a line; undefined where it must lead to a message. */
export function rowOf({ line, isReady, isEnding, isRepeated }: LineOutcome): string | undefined {
  const fields = fieldsOf(line);
  const [kind = ""] = kindsOf(fields);
  switch (fields["type"]) {
    case "keep_alive":
    case "transcript_mirror":
      return kind;
    case "stream_event":
      return "stream_event (of no message that is open)";
    case "system":
      return statusRow(fields, kind);
    case "user":
      return fields["isReplay"] === true ? "user/isReplay" : emptyRow(fields, "user (no block)");
    case "assistant":
      return fieldsOf(fields["message"])["model"] === "<synthetic>"
        ? "assistant (output that a compaction keeps)"
        : emptyRow(fields, "assistant (no block)");
    case "result":
      return isReady ? undefined : "result (before Claude was ready)";
    case "control_request":
      return requestRow(isEnding, isRepeated) ?? programRow(fields["request"]);
    case "control_response":
      return "control_response (late or repeated)";
    case "control_cancel_request":
      return "control_cancel_request (no open prompt)";
    default:
      return undefined;
  }
}

/** A request that was made before under the same id. */
const REPEATED = "control_request for a person (repeated)";

/** A request that comes after Claude's stdin was closed. */
const ENDING = "control_request for a person (while Claude is being ended)";

function requestRow(isEnding: boolean, isRepeated: boolean): string | undefined {
  if (isEnding) return ENDING;
  return isRepeated ? REPEATED : undefined;
}

/** Whether a call or a hook reaches the host is seen in its answers: see observer-claude.ts. */
function programRow(request: unknown): string | undefined {
  const { subtype } = fieldsOf(request);
  if (subtype === "mcp_message") return "control_request/mcp_message (no call for the host)";
  return subtype === "hook_callback"
    ? "control_request/hook_callback (no hook of the host)"
    : undefined;
}

function statusRow({ subtype }: Fields, kind: string): string | undefined {
  if (subtype !== "status") return undefined;
  return kind === "system/status/requesting" ? kind : "system/status/null";
}

function emptyRow({ message }: Fields, row: string): string | undefined {
  const { content } = fieldsOf(message);
  return Array.isArray(content) && content.length === 0 ? row : undefined;
}
