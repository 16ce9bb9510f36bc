/** The title of a session: the first line of its first prompt, then what Claude has stored. Pure. */
import { type MessageOf, type Row, type Step, told, type UpdateState } from "./update-state.ts";

/** A title is one line, and not long. */
const MAX_CHARS = 200;

export const sessionInit: Row<"session_init"> = (state, { session_id: id, mode }) => {
  if (state.conversation?.id === id) return told(state);
  return told({ ...state, conversation: { id, isNew: mode === "new" || mode === "clear" } });
};

/** A command is no title. */
export function titleOfPrompt(state: UpdateState, { kind, text }: MessageOf<"user_text">): Step {
  const line = text.trim().split("\n", 1)[0]?.slice(0, MAX_CHARS) ?? "";
  const isFirst = state.conversation?.isNew === true && state.conversation.title === undefined;
  if (kind !== "host" || !isFirst || line === "" || line.startsWith("/")) return told(state);
  return titleStep(state, line);
}

export const sessionTitleChanged: Row<"session_title_changed"> = (state, { title }) =>
  title == null ? told(state) : titleStep(state, title);

function titleStep(state: UpdateState, title: string): Step {
  const { conversation } = state;
  if (conversation === undefined || conversation.title === title) return told(state);
  const next = { ...state, conversation: { ...conversation, title } };
  return told(next, { sessionUpdate: "session_info_update", title });
}
