/** One tool call: what a person is asked about it, and its result. Protocol reference §5, §9, §15. */
import { promptLine, questionLine, toolResultLine } from "./claude-lines.ts";
import type { Fields } from "./observed.ts";

/** The form of an MCP server, as its declared shape has it. */
const FORM = { subtype: "elicitation", mcp_server_name: "s", message: "your name?" };

export class ModelTool {
  readonly id: string;
  readonly name = "Write";
  #requestId: string | undefined;

  constructor(id: string) {
    this.id = id;
  }

  get requestId(): string | undefined {
    return this.#requestId;
  }

  /** A person is asked, or has been. */
  get isAsking(): boolean {
    return this.#requestId !== undefined;
  }

  get canAsk(): boolean {
    return !this.isAsking;
  }

  ask(requestId: string, how: "permission" | "question" | "elicitation"): Fields {
    this.#requestId = requestId;
    if (how === "question") return questionLine(requestId);
    return how === "permission"
      ? promptLine(requestId, { tool_use_id: this.id })
      : { type: "control_request", request_id: requestId, request: FORM };
  }

  /** It is not asked any more (§10). */
  withdrawal(): Fields {
    return { type: "control_cancel_request", request_id: this.#requestId };
  }

  result(fields: Fields = {}): Fields {
    const line = toolResultLine(this.id, "done", { tool_use_result: "done" });
    const block = { type: "tool_result", tool_use_id: this.id, content: "done", ...fields };
    return { ...line, message: { role: "user", content: [block] } };
  }

  /** Its subagent goes on in the background. */
  goesOn(): Fields[] {
    const task = { task_id: `a-${this.id}`, tool_use_id: this.id, description: "d" };
    return [
      { type: "system", subtype: "task_started", task_type: "local_agent", ...task },
      {
        ...this.result(),
        tool_use_result: { isAsync: true, status: "async_launched", agentId: `a-${this.id}` },
      },
    ];
  }
}
