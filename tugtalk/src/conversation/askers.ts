/**
 * Who asks a person: the main conversation, a subagent, or a tool that the host has called. Claude does
 * not always say, so there may be several candidates, or none. Protocol reference §15, §21.
 */

import type { ClaudeRequests } from "../claude/claude-requests.ts";
import type { ParentToolUseId } from "../routing/parent-tool-use-id.ts";
import type { OutboundDraft } from "../types.ts";
import type { Tasks } from "./tasks.ts";
import { planIn, type ToolCalls } from "./tool-calls.ts";
import type { Turns } from "./turns.ts";

/** The fields of a request about its asker. */
export type AskerClues = {
  readonly agentId?: string | undefined;
  readonly toolUseId?: string | undefined;
  /** The calls of all but agents inside agents were printed before. */
  readonly isPrinted?: boolean;
  /** The MCP server whose form it is. */
  readonly server?: string;
};

type HostCalls = Pick<ClaudeRequests, "openToolCalls">;

/** The main conversation, a subagent or the host, if it may have asked. */
type Candidate = {
  /** Who called: null for the host and for agents whose calls are not printed. */
  readonly caller: ParentToolUseId | null;
  /** Whether it has ended. A foreground caller ends with its turn instead. */
  readonly isOver: () => boolean;
};

/** All candidates that may have asked. Empty: nothing is known. */
export type Asker = {
  readonly candidates: readonly Candidate[];
  /** The turn that was open then. */
  readonly turnId: string | undefined;
};

/** The askers of one process. */
export class Askers {
  readonly #tasks: Tasks;
  readonly #calls: ToolCalls;
  readonly #turns: Pick<Turns, "isOpen">;

  constructor(tasks: Tasks, calls: ToolCalls, turns: Pick<Turns, "isOpen">) {
    this.#tasks = tasks;
    this.#calls = calls;
    this.#turns = turns;
  }

  /** Who may have asked. `host` knows the pending calls of the host. */
  find(clues: AskerClues, turnId: string | undefined, host: HostCalls): Asker {
    const { server } = clues;
    const isForm = server !== undefined;
    const candidates = isForm ? this.#formCallers(server, host) : this.#callers(clues);
    return { candidates, turnId };
  }

  /** The turn, if the asker is certain to be one of its foreground calls. A call can leave the foreground. */
  turnOf({ candidates, turnId }: Asker): string | undefined {
    const isCertain = candidates.length > 0 && candidates.every((one) => this.#isForeground(one));
    return isCertain ? turnId : undefined;
  }

  /** Whether the asker is not known to be other work than this turn. */
  mayBeOf(turnId: string | undefined, { candidates, turnId: askedIn }: Asker): boolean {
    const isElsewhere = candidates.length > 0 && !candidates.some((one) => this.#isForeground(one));
    return askedIn === turnId && !isElsewhere;
  }

  /** Whether all candidates are over. `endingTurn` is a turn that ends with the current line. */
  isOver({ candidates, turnId }: Asker, endingTurn?: string): boolean {
    const isTurnOver =
      turnId !== undefined && (turnId === endingTurn || !this.#turns.isOpen(turnId));
    const isOver = (one: Candidate) => (this.#isForeground(one) ? isTurnOver : one.isOver());
    return candidates.length > 0 && candidates.every(isOver);
  }

  /** Adds the turn and the subagent of a prompt, where they are certain. */
  withOrigin(prompt: OutboundDraft, asker: Asker): OutboundDraft {
    const turnId = this.turnOf(asker);
    const [caller, ...others] = new Set(asker.candidates.map((one) => one.caller));
    const isSubagent = typeof caller === "string" && others.length === 0;
    return {
      ...prompt,
      ...(turnId !== undefined && { turn_id: turnId }),
      ...(isSubagent && { parent_tool_use_id: caller }),
    };
  }

  /** Adds the plan to a prompt about one: 2.1.330 leaves it out of the input where it has no file. */
  withPlan(prompt: OutboundDraft): OutboundDraft {
    if (prompt.type !== "control_request_forward") return prompt;
    const { tool_name, input, tool_use_id } = prompt;
    const plan = planIn(tool_name, input) ?? this.#calls.get(tool_use_id)?.plan;
    return plan === undefined ? prompt : { ...prompt, plan };
  }

  #isForeground({ caller }: Candidate): boolean {
    return caller !== null && !this.#tasks.isBackground(caller);
  }

  #callers({ agentId, toolUseId, isPrinted }: AskerClues): readonly Candidate[] {
    const call = this.#calls.get(toolUseId);
    const caller = this.#tasks.callOf(agentId) ?? call?.parentToolUseId;
    // 2.1.38 reports no tasks, only the calls of subagents.
    const isUnreported = agentId !== undefined && caller === undefined;
    const isUnknown =
      isUnreported || (isPrinted === true && call === undefined && caller === undefined);
    return isUnknown ? [] : [{ caller, isOver: () => false }];
  }

  /** The calls of agents inside agents are not printed: each of these agents may have called. */
  #formCallers(server: string, host: HostCalls): readonly Candidate[] {
    const calls = this.#calls.openCallsOf(server).map(([id, call]) => ({
      caller: call.parentToolUseId,
      isOver: () => this.#calls.get(id)?.isOpen === false,
    }));
    const nested = pending(() => this.#tasks.nestedAgents);
    return [...calls, ...nested, ...pending(() => host.openToolCalls(server))];
  }
}

/** Candidates that are over when their id is no longer listed. */
function pending(list: () => readonly string[]): readonly Candidate[] {
  return list().map((id) => ({ caller: null, isOver: () => !list().includes(id) }));
}
