/** A text as the content of a tool call. Pure. */
import type { ToolCallContent } from "@agentclientprotocol/sdk";

/** Nothing for an empty text. */
export function textContent(text: string): ToolCallContent[] {
  return text === "" ? [] : [{ type: "content", content: { type: "text", text } }];
}
