/** A person has gone back to before an earlier message. */
import { present } from "../claude-value.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { markRewound } from "../rewound-entries.ts";
import type { Notice } from "../transcript-models.ts";
import { handler } from "./handler.ts";
import { flag, number, objectWith, optional, text, texts } from "./message-fields.ts";
import { addNotice } from "./notices.ts";

const FILES = objectWith({ paths: texts, insertions: number, deletions: number });

export const REWIND_HANDLERS = [
  handler(
    "session_rewound",
    { message_id: text, message: text, files: optional(FILES), forgotten: flag },
    (state, { message_id: messageId, message: said, files, forgotten: isForgotten }) => {
      const notice = { kind: "rewind", messageId, text: said, isForgotten } as const;
      return withRewind(state, { ...notice, ...present({ files }) });
    },
  ),
] as const;

/** The notice is in the newest entry, which is not marked. */
function withRewind(
  before: ReducedSession,
  rewind: Extract<Notice, { kind: "rewind" }>,
): ReducedSession {
  const state = addNotice(before, {}, rewind);
  const { promptSuggestion, contextUsage, ...rest } = state;
  const count = state.entries.length;
  const all = [...state.entries, ...state.openEntries];
  const marked = markRewound(all.slice(0, -1), rewind);
  return {
    ...rest,
    ...(!rewind.isForgotten && present({ promptSuggestion, contextUsage })),
    entries: marked.slice(0, count),
    openEntries: [...marked.slice(count), ...all.slice(-1)],
  };
}
