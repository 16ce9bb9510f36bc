/** The actions of a person about a turn that did not end well. Pure. */
import type { TranscriptItem, Turn } from "../../client/transcript-models.ts";

type Ended = Pick<Turn, "status" | "items" | "end">;

/** Whether it failed without a person's doing, so that the same may be tried again. */
export function isFailed({ status, end }: Ended): boolean {
  return status === "error" || (status === "cancelled" && FAULTS.has(end?.subtype ?? ""));
}

const FAULTS: ReadonlySet<string> = new Set(["exited", "stalled", "line_lost"]);

/** Whether the API did not let Claude in. */
export function isLoggedOut({ items, end }: Ended): boolean {
  const isRefused = (item: TranscriptItem) =>
    item.kind === "text" && item.error === "authentication_failed";
  return end?.apiErrorStatus === 401 || items.some(isRefused);
}
