/** One tool call: its prompt and its result. Protocol reference §5, §9, §15. */
import { promptLine, questionLine, toolResultLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { formLine, ModelAgent } from "./model-agent.ts";
import { HOST_TOOL, type ModelProgram, type ProgramCall } from "./model-program.ts";

export class ModelTool {
  readonly id: string;
  readonly name: "Write" | "mcp__s__ask" | typeof HOST_TOOL;
  /** The subagent that it has started in the foreground. */
  agent: ModelAgent | undefined;
  #requestId: string | undefined;
  #isForm = false;
  /** The request id of its hook. */
  hookId: string | undefined;
  #call: ProgramCall | undefined;

  constructor(id: string, hasHostTools = false) {
    this.id = id;
    const isOfHost = hasHostTools && !/[36]$/.test(id);
    const other = /[13579]$/.test(id) ? "mcp__s__ask" : "Write";
    this.name = isOfHost ? HOST_TOOL : other;
  }

  get requestId(): string | undefined {
    return this.#requestId;
  }

  /** It has a prompt, open or answered. */
  get isAsking(): boolean {
    return this.#requestId !== undefined;
  }

  get canAsk(): boolean {
    return !this.isAsking && this.agent === undefined && this.#call === undefined;
  }

  ask(requestId: string, how: "permission" | "question" | "elicitation"): Fields {
    this.#requestId = requestId;
    this.#isForm = how === "elicitation";
    const call = { tool_use_id: this.id };
    if (how === "question") return questionLine(requestId, call);
    return how === "permission" ? promptLine(requestId, call) : formLine(requestId);
  }

  /** It is a tool of the host and is not called yet. */
  get canCall(): boolean {
    return this.name === HOST_TOOL && this.agent === undefined && this.#call === undefined;
  }

  callHost(program: ModelProgram): Fields {
    const { call, line } = program.call(this.id);
    this.#call = call;
    return line;
  }

  /** Its call of a tool of the host, and those of its subagent. */
  get calls(): readonly ProgramCall[] {
    return [...(this.#call === undefined ? [] : [this.#call]), ...(this.agent?.calls ?? [])];
  }

  /** The request ids of all that it and its subagent wait for. */
  get asked(): readonly string[] {
    return [...this.#prompts, ...this.calls.map(({ requestId }) => requestId)];
  }

  get #prompts(): readonly string[] {
    const own = [this.hookId, this.#requestId].filter((id) => id !== undefined);
    return [...own, ...(this.agent?.prompts ?? [])];
  }

  /** The requests that Claude withdraws at an interrupt; older CLIs do not withdraw a form (§10, §21). */
  withdrawn(isNew: boolean): readonly string[] {
    return isNew || !this.#isForm ? this.#prompts : [];
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
