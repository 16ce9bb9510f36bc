/** One tool call: its prompt and its result. Protocol reference §5, §9, §15. */
import { promptLine, questionLine, toolResultLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { FORM, ModelAgent } from "./model-agent.ts";

export class ModelTool {
  readonly id: string;
  readonly name: "Write" | "mcp__s__ask";
  /** The subagent that it has started in the foreground. */
  agent: ModelAgent | undefined;
  #requestId: string | undefined;
  #isForm = false;

  constructor(id: string) {
    this.id = id;
    this.name = /[13579]$/.test(id) ? "mcp__s__ask" : "Write";
  }

  get requestId(): string | undefined {
    return this.#requestId;
  }

  /** It has a prompt, open or answered. */
  get isAsking(): boolean {
    return this.#requestId !== undefined;
  }

  get canAsk(): boolean {
    return !this.isAsking && this.agent === undefined;
  }

  ask(requestId: string, how: "permission" | "question" | "elicitation"): Fields {
    this.#requestId = requestId;
    this.#isForm = how === "elicitation";
    if (how === "question") return questionLine(requestId);
    return how === "permission"
      ? promptLine(requestId, { tool_use_id: this.id })
      : { type: "control_request", request_id: requestId, request: FORM };
  }

  /** The request ids of its prompt and of its subagent's prompts. */
  get asked(): readonly string[] {
    const own = this.#requestId === undefined ? [] : [this.#requestId];
    return [...own, ...(this.agent?.asked ?? [])];
  }

  /** The requests that Claude withdraws at an interrupt; older CLIs do not withdraw a form (§10, §21). */
  withdrawn(isNew: boolean): readonly string[] {
    return isNew || !this.#isForm ? this.asked : [];
  }

  result(fields: Fields = {}): Fields {
    const line = toolResultLine(this.id, "done", { tool_use_result: "done" });
    const block = { type: "tool_result", tool_use_id: this.id, content: "done", ...fields };
    return { ...line, message: { role: "user", content: [block] } };
  }

  /** It starts a subagent in the foreground. */
  startAgent(): Fields {
    this.agent = new ModelAgent(this.id);
    return this.agent.started({ is_backgrounded: false, spawn_depth: 1 });
  }

  /** Its subagent moves to the background, and the call has its result. */
  goesOn(): Fields[] {
    return [
      this.agent?.movedToBackground() ?? new ModelAgent(this.id).started(),
      {
        ...this.result(),
        tool_use_result: { isAsync: true, status: "async_launched", agentId: `a-${this.id}` },
      },
    ];
  }
}
