/** The summary that takes the place of a long conversation: from its beginning to its end. Pure. */
import { present } from "../../client/claude-value.ts";
import type { Notice } from "../../client/transcript-models.ts";
import { viewNotice } from "../../client/views/notice-view.ts";
import { textContent } from "./text-content.ts";
import {
  type Compactions,
  type Row,
  type Step,
  stepTo,
  type Update,
  type UpdateState,
} from "./update-state.ts";

type Status = "in_progress" | "completed" | "failed";
type Compaction = Extract<Notice, { kind: "compaction" }>;

/** Takes the state `compacting`, which may come again. */
export const compactionStarted: Row<"session_state"> = (state) => {
  if (state.compaction.isOpen) return stepTo(state);
  const count = state.compaction.count + 1;
  const next = { ...state, compaction: { ...state.compaction, count, isOpen: true } };
  return stepTo(next, beginning(next));
};

export const compactBoundary: Row<"compact_boundary"> = (state, message) => {
  const { trigger, pre_tokens: preTokens, post_tokens: postTokens } = message;
  return endStep(state, "completed", {
    kind: "compaction",
    ...present({ trigger, preTokens, postTokens }),
  });
};

/** A success is reported with its boundary. */
export const compactionResult: Row<"compaction_result"> = (state, { result, error = result }) =>
  result === "success" ? stepTo(state) : endStep(state, "failed", { kind: "compaction", error });

/**
 * The state after the past. A transcript lacks failed compactions: no later compaction gets an id of theirs.
 * A compaction that is under way goes on, unless the past has its end.
 */
export function compactionStep(past: UpdateState, live: UpdateState, isOver: boolean): Step {
  const isOpen = live.compaction.isOpen && !isOver;
  const first = past.compaction.count + (isOpen ? 1 : 0);
  const count = Math.max(first, live.compaction.count);
  const next = { ...past, compaction: { count, isOpen } };
  return stepTo(next, ...(isOpen ? [beginning(next)] : []));
}

/** The turn of an open compaction has ended. */
export function closeCompaction(state: UpdateState): Step {
  return endStep(state, "failed", { kind: "compaction", error: "It was broken off" });
}

/** A compaction without a reported beginning begins with its end. */
function endStep(state: UpdateState, status: Status, notice: Compaction): Step {
  const { count, isOpen } = state.compaction;
  const next = { ...state.compaction, count: count + 1, isOpen: true };
  const begun = isOpen ? state : { ...state, compaction: next };
  const first = isOpen ? [] : [beginning(begun)];
  const ended = { ...begun, compaction: { ...begun.compaction, isOpen: false } };
  return stepTo(ended, ...first, ending(begun, status, notice));
}

function idOf({ count, resume }: Compactions): string {
  return ["compaction", ...(resume === undefined ? [] : [resume]), count].join("-");
}

function beginning({ features, compaction }: UpdateState): Update {
  const id = idOf(compaction);
  if (features.compaction)
    return { sessionUpdate: "compaction_update", compactionId: id, status: "in_progress" };
  return {
    sessionUpdate: "tool_call",
    toolCallId: id,
    title: "Summarise the conversation",
    kind: "think",
    status: "in_progress",
  };
}

function ending({ features, compaction }: UpdateState, status: Status, notice: Compaction): Update {
  const id = idOf(compaction);
  const { error } = notice;
  const fails = error === undefined ? {} : { error };
  if (features.compaction)
    return { sessionUpdate: "compaction_update", compactionId: id, status, ...fails };
  const { text, detail } = viewNotice(notice);
  const said = detail === undefined ? text : `${text}: ${detail}`;
  return {
    sessionUpdate: "tool_call_update",
    toolCallId: id,
    status,
    content: textContent(said),
  };
}
