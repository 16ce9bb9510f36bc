/**
 * Who asks a person: the main conversation, a subagent, or a tool that the host has called. Claude does
 * not always say, so there may be several candidates, or none. Protocol reference §15, §21.
 */

import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import type { OutboundDraft } from "../types.ts";
import type { Tasks } from "./tasks.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** What a request says about its asker. */
export type AskerClues = {
  readonly agentId?: string | undefined;
  readonly toolUseId?: string | undefined;
  /** The MCP server whose form it is. */
  readonly server?: string;
};

/** All that may have asked. */
export type Asker = {
  readonly candidates: readonly ParentToolUseId[];
  /** Pending requests of the host that may have led to it. */
  readonly hostCalls: Set<string>;
  /** The turn that was open then. */
  readonly turnId: string | undefined;
};

/** The askers of one process. */
export class Askers {
  readonly #tasks: Tasks;
  readonly #calls: ToolCalls;

  constructor(tasks: Tasks, calls: ToolCalls) {
    this.#tasks = tasks;
    this.#calls = calls;
  }

  /** Who may have asked. `hostCalls` are the host's pending calls to tools of the same server. */
  find(clues: AskerClues, turnId: string | undefined, hostCalls: readonly string[]): Asker {
    return { candidates: this.#candidates(clues), hostCalls: new Set(hostCalls), turnId };
  }

  /** The turn, if the asker is certain to be one of its foreground calls. A call can leave the foreground. */
  turnOf({ candidates, hostCalls, turnId }: Asker): string | undefined {
    const isUnsure = hostCalls.size > 0 || candidates.length === 0;
    return isUnsure || candidates.some((id) => this.#tasks.isBackground(id)) ? undefined : turnId;
  }

  /** Adds the turn and the subagent of a prompt, where they are certain. */
  withOrigin(prompt: OutboundDraft, asker: Asker): OutboundDraft {
    const turnId = this.turnOf(asker);
    const [parentToolUseId, ...others] = asker.hostCalls.size === 0 ? asker.candidates : [];
    const isSubagent = parentToolUseId !== undefined && others.length === 0;
    return {
      ...prompt,
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(isSubagent && { parent_tool_use_id: parentToolUseId }),
    };
  }

  #candidates({ agentId, toolUseId, server }: AskerClues): readonly ParentToolUseId[] {
    if (server !== undefined) return this.#calls.callersOf(server);
    const task = this.#tasks.callOf(agentId);
    if (task !== undefined) return [task];
    const caller = this.#calls.get(toolUseId)?.parentToolUseId;
    // 2.1.38 reports no tasks, only the calls of subagents.
    return agentId !== undefined && caller === undefined ? [] : [caller];
  }
}
