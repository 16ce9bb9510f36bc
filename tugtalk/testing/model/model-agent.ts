/** A subagent: its text, its prompts, and the agent that it starts. Protocol reference §15. */
import { textBlock, toolBlock } from "../../simulator/stream-events.ts";
import { assistantLine, promptLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { HOST_TOOL, type ModelProgram, type ProgramCall } from "./model-program.ts";

const FIELDS = {
  type: "object",
  properties: { tide: { type: "string", enum: ["ebb", "flood"] }, isSure: { type: "boolean" } },
  required: ["tide"],
};

/** The form of an MCP server, or a page to visit, as their declared shapes have them. */
export function formLine(requestId: string, server = "s"): Fields {
  const asked = { mcp_server_name: server, message: `which tide? (${requestId})` };
  const page = { mode: "url", url: "https://tide.example", elicitation_id: `of ${requestId}` };
  const form = { mode: "form", requested_schema: FIELDS };
  const request = { subtype: "elicitation", ...asked, ...(/[05]$/.test(requestId) ? page : form) };
  return { type: "control_request", request_id: requestId, request };
}

export class ModelAgent {
  readonly call: string;
  readonly #parentId: string | undefined;
  #inner: ModelAgent | undefined;
  #asked: readonly string[] = [];
  #calls: readonly ProgramCall[] = [];

  constructor(call: string, parentId?: string) {
    this.call = call;
    this.#parentId = parentId;
  }

  get taskId(): string {
    return `a-${this.call}`;
  }

  /** The request ids of the prompts and hooks of it and of its inner agent. */
  get prompts(): readonly string[] {
    return [...this.#asked, ...(this.#inner?.prompts ?? [])];
  }

  /** The calls of tools of the host, of its inner agent too. */
  get calls(): readonly ProgramCall[] {
    return [...this.#calls, ...(this.#inner?.calls ?? [])];
  }

  /** The request ids of all that both wait for. */
  get asked(): readonly string[] {
    return [...this.prompts, ...this.calls.map(({ requestId }) => requestId)];
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

  /** It calls a tool of the host. The calls of an inner agent are not printed. */
  callHost(program: ModelProgram, toolUseId: string): Fields[] {
    const { call, line } = program.call(toolUseId);
    this.#calls = [...this.#calls, call];
    const printed = this.#print(`m-${toolUseId}`, toolBlock(toolUseId, HOST_TOOL));
    return this.#parentId === undefined ? [printed, line] : [line];
  }

  /** It waits at the hook of a tool, if there is one. */
  askHook(program: ModelProgram, toolUseId: string): Fields[] {
    const tool = { tool_name: "Bash", tool_input: {}, tool_use_id: toolUseId };
    const hook = program.hook("PreToolUse", { ...tool, agent_id: this.taskId });
    if (hook === undefined) return [];
    this.#asked = [...this.#asked, hook.requestId];
    const printed = this.#print(`m-${toolUseId}`, toolBlock(toolUseId, "Bash"));
    return this.#parentId === undefined ? [printed, hook.line] : [hook.line];
  }

  /**
   * A tool that it calls shows a form. The calls of an inner agent are not printed, so it uses another
   * server: with the same one, its forms would look like those of a printed call.
   */
  showForm(requestId: string, toolUseId: string): Fields[] {
    this.#asked = [...this.#asked, requestId];
    const call = this.#print(`m-${toolUseId}`, toolBlock(toolUseId, "mcp__s__ask"));
    if (this.#parentId === undefined) return [call, formLine(requestId)];
    return [formLine(requestId, "of an inner agent")];
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
