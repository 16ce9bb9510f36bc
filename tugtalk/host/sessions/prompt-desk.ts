/** The prompts of one session that are open, and who answers them: the first answer wins. */
import type { PendingPrompt } from "../../client/host-api.ts";
import type { OutboundMessage } from "../../src/types.ts";
import type { PromptEnd, PromptRow } from "../journal/journal.ts";
import {
  type AnswerOrigin,
  pendingPrompt,
  promptCancelled,
  promptRequested,
  promptResolved,
} from "../prompts/prompt-events.ts";
import type { NewEntry } from "./session-change.ts";

/** What a message means for the prompts: the events that tell it, and the rows to write. */
export type PromptStep = {
  readonly entries: readonly NewEntry[];
  readonly prompts: readonly PromptRow[];
};

type OpenPrompt = {
  readonly prompt: PendingPrompt;
  /** Resolves when it is closed, and that is in the journal. */
  readonly closed: PromiseWithResolvers<void>;
  /** The answer that is on its way to Claude. */
  claim?: AnswerOrigin & { readonly settled: Promise<unknown> };
};

type Cancellation = { readonly request_id: string; readonly reason: string };

const NOTHING: PromptStep = { entries: [], prompts: [] };

export class PromptDesk {
  readonly #sessionId: string;
  readonly #open = new Map<string, OpenPrompt>();
  /** Closed by a step that is not in the journal yet. */
  #closing: OpenPrompt[] = [];

  constructor(sessionId: string, rows: readonly PromptRow[]) {
    this.#sessionId = sessionId;
    for (const { prompt } of rows) this.#add(prompt);
  }

  /** Oldest first. */
  get pending(): readonly PendingPrompt[] {
    return [...this.#open.values()].map(({ prompt }) => prompt);
  }

  get count(): number {
    return this.#open.size;
  }

  find(requestId: string): PendingPrompt | undefined {
    return this.#open.get(requestId)?.prompt;
  }

  /** What follows from a message of the bridge. `at` in milliseconds since 1970. */
  apply(message: OutboundMessage, at: number): PromptStep {
    if (message.type === "control_request_resolved")
      return this.#close(message.request_id, { outcome: message.outcome, at });
    if (message.type === "control_request_cancel") return this.#cancel(message, at);
    const prompt = pendingPrompt(message, { sessionId: this.#sessionId, createdAt: at });
    if (prompt === undefined) return NOTHING;
    this.#add(prompt);
    return {
      entries: [promptRequested(prompt)],
      prompts: [{ requestId: prompt.requestId, prompt }],
    };
  }

  /** Claude is gone, and nobody waits for an answer. Also the messages that its bridge would have sent. */
  cancelAll(at: number): PromptStep {
    const steps = [...this.#open.keys()].map((request_id) => {
      const data = { request_id, reason: "exited" };
      const { entries, prompts } = this.#cancel(data, at);
      return { entries: [{ type: "control_request_cancel", data }, ...entries], prompts };
    });
    return {
      entries: steps.flatMap(({ entries }) => entries),
      prompts: steps.flatMap(({ prompts }) => prompts),
    };
  }

  /** What was applied is in the journal. */
  settle(): void {
    for (const { closed } of this.#closing.splice(0)) closed.resolve();
  }

  /** Resolves when the answer that is on its way has closed the prompt, or has failed. */
  answering(requestId: string): Promise<unknown> | undefined {
    return this.#open.get(requestId)?.claim?.settled;
  }

  /**
   * Gives an answer to an open prompt by `send`, while no other answer is sent. Resolves when the prompt
   * is closed; rejects as `send` does.
   */
  async claim(requestId: string, origin: AnswerOrigin, send: () => Promise<unknown>) {
    const open = this.#open.get(requestId);
    if (open === undefined) return;
    const sent = send();
    const settled = sent.then(
      () => open.closed.promise,
      () => delete open.claim,
    );
    open.claim = { ...origin, settled };
    await sent;
    await open.closed.promise;
  }

  #add(prompt: PendingPrompt): void {
    this.#open.set(prompt.requestId, { prompt, closed: Promise.withResolvers() });
  }

  #cancel({ request_id, reason }: Cancellation, at: number): PromptStep {
    return this.#close(request_id, { outcome: "cancelled", reason, at });
  }

  #close(requestId: string, end: PromptEnd): PromptStep {
    const open = this.#open.get(requestId);
    if (open === undefined) return NOTHING;
    this.#open.delete(requestId);
    this.#closing.push(open);
    const { prompt, claim } = open;
    const { outcome, reason = "withdrawn", at } = end;
    const isCancelled = outcome === "cancelled";
    const by = isCancelled ? undefined : claim?.by;
    const told = isCancelled
      ? promptCancelled(prompt, { reason, at })
      : promptResolved(prompt, { ...claim, decision: outcome, at });
    const row = { requestId, prompt, end: { ...end, ...(by !== undefined && { by }) } };
    return { entries: [told], prompts: [row] };
  }
}
