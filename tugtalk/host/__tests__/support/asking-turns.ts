/** A Claude that asks for a permission in each turn, and the answers that it gets. */
import { into, out } from "../../../testing/drivers/written-conversation.ts";

const TURNS = 40;

/** A turn with other ids each time that it is played. */
function askingTurn(_value: unknown, turn: number): readonly object[] {
  const [request_id, id] = [`$uuid_${turn}`, `$toolu_${turn}`];
  const input = { command: `echo ${turn}` };
  const result = { type: "tool_result", tool_use_id: id, content: "done" };
  const call = { subtype: "can_use_tool", tool_name: "Bash", input, tool_use_id: id };
  return [
    into({ type: "user" }),
    { dir: "open" },
    { dir: "reply", msg: { content: [{ type: "tool_use", id, name: "Bash", input }] } },
    out({ type: "control_request", request_id, request: call }),
    into({ type: "control_response", response: { request_id } }),
    out({
      type: "user",
      message: { role: "user", content: [result] },
      parent_tool_use_id: null,
      session_id: "$session",
      uuid: "$new",
    }),
    { dir: "end" },
  ];
}

/** Turns that a Claude has ready, each with one prompt. */
export const ASKING_TURNS = Array.from({ length: TURNS }, askingTurn).flat();

/** The ids of the prompts whose answer Claude has got. */
export function answersHeard(lines: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return lines
    .filter(({ type }) => type === "control_response")
    .map(({ response }) => (response as { readonly request_id: unknown }).request_id);
}
