/** The law of Claude's agents in one session, as its client sees it. */
import type { Update } from "../../acp/updates/update-state.ts";
import { type Fields, fieldsOf } from "../observer/observed.ts";

type Call = {
  /** The call of the agent that has made it. */
  readonly parent: unknown;
  readonly isAgent: boolean;
  /** The prompt whose turn has made it, where that is clear. */
  readonly prompt: unknown;
  isOpen: boolean;
};

/** Where an update comes. */
export type Place = {
  /** The session that it is sent to, and the session that the client has begun. */
  readonly sentTo: unknown;
  readonly session: string;
  /** The client shows agents as child sessions. */
  readonly hasChildren: boolean;
  /** The prompt whose turn is open. */
  readonly prompt: unknown;
};

export class AgentLaw {
  readonly #calls = new Map<unknown, Call>();
  /** The child sessions by their agents' calls, each with whether it runs. */
  readonly #children = new Map<unknown, { readonly id: unknown; readonly isRunning: boolean }>();

  /** The call of the last update. */
  #last: unknown;

  /** The parts of an agent come under its call, while that is open. */
  take(update: Update, place: Place): string[] {
    const { parentToolCallId: parent } = fieldsOf(update._meta?.["tugtalk"]);
    const { toolCallId: id, messageId, status } = fieldsOf(update);
    const faults = [...this.#placeFaults(update, parent, place)];
    const known = this.#calls.get(id);
    // An agent in the background outlives the agent that has started it.
    const isState = update.sessionUpdate === "subagent_update";
    const isFree = isState || (known?.isAgent === true && known.isOpen);
    if (parent !== undefined && !isFree && this.#calls.get(parent)?.isOpen !== true)
      faults.push(`${id ?? messageId} comes under ${parent}, which is not open`);
    if (update.sessionUpdate === "tool_call") this.#begin(update, parent, place);
    if (isState) faults.push(...this.#markChild(update));
    this.#last = id;
    const isEnd = id !== undefined && (status === "completed" || status === "failed");
    return isEnd ? [...faults, ...this.#end(id)] : faults;
  }

  /** The answer waits for the agents of its turn, or has stopped them, unless another request ends the wait. */
  answered(prompt: unknown, { stopReason }: Fields, isLast: boolean): string[] {
    const waits = isLast && (stopReason === "cancelled" || stopReason === "end_turn");
    const left = [...this.#calls].filter(
      ([, call]) => call.isAgent && call.isOpen && call.prompt === prompt,
    );
    return waits ? left.map(([id]) => `prompt ${prompt} is answered while ${id} runs`) : [];
  }

  #begin({ toolCallId, name, _meta }: Fields, parent: unknown, { prompt }: Place): void {
    const isOwn = fieldsOf(fieldsOf(_meta)["tugtalk"])["turnId"] !== undefined;
    const outer = this.#calls.get(parent);
    const call = { parent, isAgent: name === "Agent", isOpen: true };
    const its = outer === undefined ? prompt : outer.prompt;
    this.#calls.set(toolCallId, { ...call, prompt: isOwn ? undefined : its });
  }

  /** An agent ends after its own calls. */
  #end(id: unknown): string[] {
    const call = this.#calls.get(id);
    if (call !== undefined) call.isOpen = false;
    const left = [...this.#calls].filter(
      ([, inner]) => inner.parent === id && inner.isOpen && !inner.isAgent,
    );
    return left.map(([inner]) => `${inner} goes on after the end of its agent ${id}`);
  }

  /** A child session begins behind the call of its agent, and ends behind that. */
  #markChild({ sessionId: id, state }: Fields): string[] {
    const isRunning = fieldsOf(state)["state"] === "running";
    const begun = this.#children.entries().find(([, child]) => child.id === id);
    const [call, child] = begun ?? [this.#last, undefined];
    const isRight = this.#calls.get(call)?.isOpen === isRunning;
    this.#children.set(call, { id, isRunning });
    return isRight && (child?.isRunning ?? false) !== isRunning
      ? []
      : [`the child session ${id} ${isRunning ? "begins" : "ends"} wrongly`];
  }

  *#placeFaults(update: Update, parent: unknown, { sentTo, session, hasChildren }: Place) {
    const home = hasChildren && parent !== undefined ? this.#children.get(parent)?.id : session;
    const what = `${update.sessionUpdate} of ${parent ?? "the conversation"}`;
    if (sentTo !== home) yield `${what} is sent to ${sentTo}`;
  }
}
