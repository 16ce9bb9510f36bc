/** The tool calls of one process: who made each, whether it is open, and its tool's name. */

import { BoundedMap } from "../base/bounded-map.ts";
import type { Fields } from "../base/json.ts";
import { isToolOf } from "../claude/claude-requests.ts";
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
  /** The plan of an open call of `ExitPlanMode`, which its prompt may lack. */
  plan: string | undefined;
};

export class ToolCalls {
  readonly #calls = new BoundedMap<string, ToolCall>(KEPT_CALLS);

  /** Learns from the message of a call or of its result. */
  record(message: OutboundDraft): void {
    if (message.type === "tool_use") {
      const { tool_use_id, tool_name: name, parent_tool_use_id: parentToolUseId, status } = message;
      const plan = planIn(name, message.input);
      this.#calls.set(tool_use_id, { name, parentToolUseId, isOpen: status === "complete", plan });
    } else if (message.type === "tool_result") {
      const call = this.#calls.get(message.tool_use_id);
      if (call === undefined) return;
      call.isOpen = false;
      call.plan = undefined;
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

/** The plan in the input of a call or of its prompt. */
export function planIn(toolName: string, input: Fields | undefined): string | undefined {
  const plan = toolName === "ExitPlanMode" ? input?.["plan"] : undefined;
  return typeof plan === "string" ? plan : undefined;
}
