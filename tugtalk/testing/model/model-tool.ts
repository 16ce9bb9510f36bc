/** One tool call: its prompt and its result. Protocol reference §5, §9, §15. */
import { promptLine, questionLine, toolResultLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { AGENT_INPUT, formLine, LAUNCHED, ModelAgent, REPORT } from "./model-agent.ts";
import { HOST_TOOL, type ModelProgram, type ProgramCall } from "./model-program.ts";

type ToolName = "Write" | "Agent" | "mcp__s__ask" | typeof HOST_TOOL;

function nameFor(id: string, hasHostTools: boolean): ToolName {
  if (hasHostTools && !/[36]$/.test(id)) return HOST_TOOL;
  if (/[13579]$/.test(id)) return "mcp__s__ask";
  return /[068]$/.test(id) ? "Agent" : "Write";
}

export class ModelTool {
  readonly id: string;
  readonly name: ToolName;
  /** The subagent that it has started in the foreground. */
  agent: ModelAgent | undefined;
  #requestId: string | undefined;
  #isForm = false;
  /** The request id of its hook. */
  hookId: string | undefined;
  #call: ProgramCall | undefined;

  constructor(id: string, hasHostTools: boolean, name = nameFor(id, hasHostTools)) {
    this.id = id;
    this.name = name;
  }

  get isAgent(): boolean {
    return this.name === "Agent";
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

  /** Its call of a tool of the host, and the calls of its subagent. */
  get calls(): readonly ProgramCall[] {
    return [...(this.#call === undefined ? [] : [this.#call]), ...(this.agent?.calls ?? [])];
  }

  /** The ids of all requests that it and its subagent wait for. */
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

  /** It is done, and so is the subagent that it has started in the foreground. */
  finished(): Fields[] {
    const { agent } = this;
    if (agent === undefined) return [this.#result("done", "done")];
    const content = [{ type: "text", text: REPORT }];
    const structured = { status: "completed", agentId: agent.taskId, content };
    return [...agent.finished(), this.#result(REPORT, structured)];
  }

  /** An interrupt has ended it. */
  stopped(): Fields[] {
    const { before = [], after = [] } = this.agent?.stopped() ?? {};
    return [
      this.#result("stopped", "User rejected tool use", { is_error: true }),
      ...before,
      ...after,
    ];
  }

  /** It starts a subagent in the foreground. */
  startAgent(): Fields {
    this.agent = new ModelAgent(this.id);
    return this.agent.started({ is_backgrounded: false });
  }

  /** Its subagent begins in the background, or moves there, and the call has its result. */
  launch(): { readonly agent: ModelAgent; readonly lines: readonly Fields[] } {
    const agent = this.agent ?? new ModelAgent(this.id);
    const begin =
      this.agent === undefined
        ? agent.started({ is_backgrounded: true })
        : agent.movedToBackground();
    const structured = { isAsync: true, status: "async_launched", agentId: agent.taskId };
    const { description } = AGENT_INPUT;
    return { agent, lines: [begin, this.#result(LAUNCHED, { ...structured, description })] };
  }

  #result(content: string, tool_use_result: unknown, fields: Fields = {}): Fields {
    const line = toolResultLine(this.id, content, { tool_use_result });
    const block = { type: "tool_result", tool_use_id: this.id, content, ...fields };
    return { ...line, message: { role: "user", content: [block] } };
  }
}
