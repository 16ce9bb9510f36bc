/** The tool calls of one process: the name of each, which its result does not tell, and whose it is. */

import { isToolOf } from "../claude/mcp-tool-name.ts";
import type { ParentToolUseId } from "./blocks.ts";

/** Calls that are remembered: more than are ever open at once. */
const REMEMBERED_CALLS = 4096;

/** One call. */
export type ToolCall = {
  readonly name: string;
  /** Who called: the main conversation or a subagent. */
  readonly parentToolUseId: ParentToolUseId;
  /** Claude has the whole call, and its result has not come. */
  isOpen: boolean;
};

export class ToolCalls {
  readonly #calls = new Map<string, ToolCall>();

  /** Learns of a call, which is open once all of it has come. */
  remember(toolUseId: string, call: ToolCall): void {
    this.#calls.set(toolUseId, call);
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= REMEMBERED_CALLS) return;
      this.#calls.delete(oldest);
    }
  }

  /** The result of a call has come. */
  end(toolUseId: string): void {
    const call = this.#calls.get(toolUseId);
    if (call !== undefined) call.isOpen = false;
  }

  /** The call, if it was seen. */
  get(toolUseId: string | undefined): ToolCall | undefined {
    return toolUseId === undefined ? undefined : this.#calls.get(toolUseId);
  }

  /** Who has called a tool of this MCP server and has no result yet. */
  lanesIn(server: string): readonly ParentToolUseId[] {
    const open = [...this.#calls.values()].filter(
      ({ name, isOpen }) => isOpen && isToolOf(server, name),
    );
    return [...new Set(open.map(({ parentToolUseId }) => parentToolUseId))];
  }
}
