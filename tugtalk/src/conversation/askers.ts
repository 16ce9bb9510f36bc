/**
 * Who asks a person: the main conversation, a subagent, a tool that the host itself has called. Claude
 * does not always tell, so there may be several candidates, or none. Protocol reference §15, §21.
 */

import type { OutboundDraft } from "../types.ts";
import type { ParentToolUseId } from "./blocks.ts";
import type { Tasks } from "./tasks.ts";
import type { ToolCalls } from "./tool-calls.ts";

/** What a request tells of who asks. */
export type AskerClues = {
  readonly agentId?: string | undefined;
  readonly toolUseId?: string | undefined;
  /** The MCP server whose form it is. */
  readonly server?: string;
};

/** All that may have asked. */
export type Asker = {
  readonly lanes: readonly ParentToolUseId[];
  /** Requests of the host's that are open and may have led to it. */
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

  /** Who may have asked, with the requests of the host's that are open for tools of the same server. */
  find(clues: AskerClues, turnId: string | undefined, hostCalls: readonly string[]): Asker {
    return { lanes: this.#lanes(clues), hostCalls: new Set(hostCalls), turnId };
  }

  /** The turn of which it was for certain a foreground call, as far as is known at this moment. */
  turnOf({ lanes, hostCalls, turnId }: Asker): string | undefined {
    const isUnsure = hostCalls.size > 0 || lanes.length === 0;
    return isUnsure || lanes.some((parentToolUseId) => this.#tasks.isBackground(parentToolUseId))
      ? undefined
      : turnId;
  }

  /** Puts a prompt where it belongs. Only one of a foreground call has a turn. */
  place(prompt: OutboundDraft, asker: Asker): OutboundDraft {
    const turnId = this.turnOf(asker);
    const [parentToolUseId, ...others] = asker.hostCalls.size === 0 ? asker.lanes : [];
    return {
      ...prompt,
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(parentToolUseId !== undefined &&
        others.length === 0 && { parent_tool_use_id: parentToolUseId }),
    };
  }

  #lanes({ agentId, toolUseId, server }: AskerClues): readonly ParentToolUseId[] {
    if (server !== undefined) return this.#calls.lanesIn(server);
    const task = this.#tasks.callOf(agentId);
    if (task !== undefined) return [task];
    const call = this.#calls.get(toolUseId);
    if (agentId === undefined) return [call?.parentToolUseId];
    // 2.1.38 tells of no tasks, but of the calls of subagents.
    return call?.parentToolUseId === undefined ? [] : [call.parentToolUseId];
  }
}
