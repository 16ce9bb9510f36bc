/** Texts and thinking of the model, and texts of the user's side, as chunks. Pure. */
import { titleOfPrompt } from "./session-updates.ts";
import {
  type MessageOf,
  metaOf,
  type Row,
  type Step,
  stepTo,
  type UpdateState,
} from "./update-state.ts";

export type Streamed = MessageOf<"assistant_text" | "thinking_text">;
type ChunkKind = "agent_message_chunk" | "agent_thought_chunk";

export const assistantText: Row<"assistant_text"> = (state, message) =>
  streamedStep(state, message, "agent_message_chunk");

export const thinkingText: Row<"thinking_text"> = (state, message) =>
  streamedStep(state, message, "agent_thought_chunk");

/** Deltas as they come; a block that had none is one chunk. A chunk is never empty. */
function streamedStep(state: UpdateState, message: Streamed, kind: ChunkKind): Step {
  const key = blockKey(message);
  const wasStreamed = state.streamed.has(key);
  if (message.status !== "partial") {
    if (wasStreamed) return stepTo(without(state, key));
    return message.status === "complete" ? chunkStep(state, message, kind) : stepTo(state);
  }
  return chunkStep(wasStreamed ? state : withStreamed(state, key), message, kind);
}

function chunkStep(state: UpdateState, message: Streamed, kind: ChunkKind): Step {
  const { text = "", msg_id, block_index } = message;
  if (text === "") return stepTo(state);
  return stepTo(state, {
    sessionUpdate: kind,
    messageId: `${msg_id}/${block_index}`,
    content: { type: "text", text },
    ...metaOf(message),
  });
}

/** Names a block of the model's. */
export function blockKey({ parent_tool_use_id = "", msg_id, block_index }: Streamed): string {
  return `${parent_tool_use_id}/${msg_id}/${block_index}`;
}

function withStreamed(state: UpdateState, key: string): UpdateState {
  return { ...state, streamed: new Set([...state.streamed, key]) };
}

function without(state: UpdateState, key: string): UpdateState {
  return { ...state, streamed: new Set([...state.streamed].filter((other) => other !== key)) };
}

/**
 * Of the `user` lines only the output of commands is shown: the other texts are the client's, or for the
 * model.
 */
export const userText: Row<"user_text"> = (state, message) => {
  const { kind, text } = message;
  if (kind !== "command_output") return titleOfPrompt(state, message);
  if (text === "") return stepTo(state);
  const content = { type: "text", text } as const;
  return stepTo(state, { sessionUpdate: "agent_message_chunk", content, ...metaOf(message) });
};
