/** The tool calls of one process: who made each, whether it is open, and its tool's name. */

import { BoundedMap } from "../base/bounded-map.ts";
import { isToolOf } from "../claude/mcp-tool-name.ts";
import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import type { OutboundDraft } from "../types.ts";

/** Calls that are kept: far fewer are open at once. */
const KEPT_CALLS = 4096;

/** One call. */
export type ToolCall = {
  readonly name: string;
  /** Who called: the main conversation or a subagent. */
  readonly parentToolUseId: ParentToolUseId;
  /** The call is complete and has no result yet. */
  isOpen: boolean;
};

export class ToolCalls {
  readonly #calls = new BoundedMap<string, ToolCall>(KEPT_CALLS);

  /** Learns from the message of a call or of its result. */
  note(message: OutboundDraft): void {
    if (message.type === "tool_use") {
      const { tool_use_id, tool_name: name, parent_tool_use_id: parentToolUseId, status } = message;
      this.#calls.set(tool_use_id, { name, parentToolUseId, isOpen: status === "complete" });
    } else if (message.type === "tool_result") {
      const call = this.#calls.get(message.tool_use_id);
      if (call !== undefined) call.isOpen = false;
    }
  }

  get(toolUseId: string | undefined): ToolCall | undefined {
    return toolUseId === undefined ? undefined : this.#calls.get(toolUseId);
  }

  /** The open calls to tools of this MCP server, with their ids. */
  openCallsOf(server: string): readonly (readonly [string, ToolCall])[] {
    return [...this.#calls].filter(([, { name, isOpen }]) => isOpen && isToolOf(server, name));
  }
}
