/** The notice that a model call is repeated. It goes away when the call succeeds, or its turn ends. */
import type { TranscriptItem } from "../transcript-models.ts";
import { kept } from "./lists.ts";
import type { Items } from "./transcript.ts";

export function isRetry(item: TranscriptItem): boolean {
  return item.kind === "notice" && item.notice.kind === "retry";
}

/** The index of the notice of the current call; -1 if the call was not repeated. */
export function retryIndex(items: Items): number {
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index];
    if (item?.kind !== "notice") return -1;
    if (isRetry(item)) return index;
  }
  return -1;
}

export function withoutRetry(items: Items): Items {
  return retryIndex(items) === -1 ? items : kept(items, (item) => !isRetry(item));
}
