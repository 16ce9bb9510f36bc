/** A subagent: its text, its prompts, and the agent that it starts. Protocol reference §15. */
import { textBlock, toolBlock } from "../../simulator/stream-events.ts";
import { assistantLine, promptLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";

/** The form of an MCP server, as its declared shape has it. */
export const FORM = { subtype: "elicitation", mcp_server_name: "s", message: "your name?" };

export class ModelAgent {
  readonly call: string;
  readonly #parentId: string | undefined;
  #inner: ModelAgent | undefined;
  #asked: readonly string[] = [];

  constructor(call: string, parentId?: string) {
    this.call = call;
    this.#parentId = parentId;
  }

  get taskId(): string {
    return `a-${this.call}`;
  }

  /** The request ids of its prompts and of those of its inner agent. */
  get asked(): readonly string[] {
    return [...this.#asked, ...(this.#inner?.asked ?? [])];
  }

  started(fields: Fields = {}): Fields {
    const parent = this.#parentId === undefined ? {} : { parent_task_id: this.#parentId };
    const task = { task_id: this.taskId, tool_use_id: this.call, ...parent, ...fields };
    return { type: "system", subtype: "task_started", task_type: "local_agent", ...task };
  }

  /** It is moved to the background. */
  movedToBackground(): Fields {
    const patch = { is_backgrounded: true };
    return { type: "system", subtype: "task_updated", task_id: this.taskId, patch };
  }

  text(id: string): Fields {
    return this.#print(id, textBlock("a subagent speaks"));
  }

  requestPermission(requestId: string, toolUseId: string): Fields {
    this.#asked = [...this.#asked, requestId];
    return promptLine(requestId, { agent_id: this.taskId, tool_use_id: toolUseId });
  }

  /**
   * A tool that it calls shows a form. The calls of an inner agent are not printed, so it uses another
   * server: with the same one, its forms would look like those of a printed call.
   */
  showForm(requestId: string, toolUseId: string): Fields[] {
    this.#asked = [...this.#asked, requestId];
    const call = this.#print(`m-${toolUseId}`, toolBlock(toolUseId, "mcp__s__ask"));
    const form = { type: "control_request", request_id: requestId, request: FORM };
    if (this.#parentId === undefined) return [call, form];
    return [{ ...form, request: { ...FORM, mcp_server_name: "of an inner agent" } }];
  }

  /** Starts an inner agent in the foreground, or returns the one that it has. */
  startInner(call: string): { readonly inner: ModelAgent; readonly lines: readonly Fields[] } {
    if (this.#inner !== undefined) return { inner: this.#inner, lines: [] };
    this.#inner = new ModelAgent(call, this.taskId);
    const line = this.#inner.started({ is_backgrounded: false, spawn_depth: 2 });
    return {
      inner: this.#inner,
      lines: [this.#print(`m-${call}`, toolBlock(call, "Agent")), line],
    };
  }

  #print(id: string, block: Fields): Fields {
    return assistantLine(id, block, { parent_tool_use_id: this.call });
  }
}
