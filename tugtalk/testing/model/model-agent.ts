/** A subagent: its text, its calls and prompts, the agents that it starts, and its end. Protocol reference §15. */
import { textBlock, toolBlock } from "../../simulator/stream-events.ts";
import { assistantLine, promptLine, toolResultLine } from "../drivers/test-lines.ts";
import type { Fields } from "../observer/observed.ts";
import { INTERRUPT_MARKER } from "./model-lines.ts";
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

/** The input of a call that starts an agent. */
export const AGENT_INPUT: Fields = {
  description: "look around",
  prompt: "look around, and report",
  subagent_type: "general-purpose",
};

/** The result that the model reads when an agent was started in the background. */
export const LAUNCHED =
  "Async agent launched successfully. (This tool result is internal metadata)";

export const REPORT = "what was there";

/** Lines around the answer to an interrupt. */
export type Stopped = { readonly before: readonly Fields[]; readonly after: readonly Fields[] };

type Outer = {
  readonly agent: ModelAgent;
  /** The lines of agents inside agents are printed, as the host has asked for. */
  readonly isForwarded: boolean;
};

export class ModelAgent {
  readonly call: string;
  readonly #outer: Outer | undefined;
  /** The calls that it has printed and whose results it has not. */
  #open: readonly string[] = [];
  #inner: ModelAgent | undefined;
  #asked: readonly string[] = [];
  #calls: readonly ProgramCall[] = [];

  constructor(call: string, outer?: Outer) {
    this.call = call;
    this.#outer = outer;
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

  /** The ids of all requests that both wait for. */
  get asked(): readonly string[] {
    return [...this.prompts, ...this.calls.map(({ requestId }) => requestId)];
  }

  started(fields: Fields = {}): Fields {
    const { description } = AGENT_INPUT;
    const outer = this.#outer === undefined ? {} : { parent_task_id: this.#outer.agent.taskId };
    const depth = { spawn_depth: this.#outer === undefined ? 1 : 2, ...outer };
    const task = { task_id: this.taskId, tool_use_id: this.call, description, ...depth, ...fields };
    return { type: "system", subtype: "task_started", task_type: "local_agent", ...task };
  }

  /** It is moved to the background. */
  movedToBackground(): Fields {
    const patch = { is_backgrounded: true };
    return { type: "system", subtype: "task_updated", task_id: this.taskId, patch };
  }

  text(id: string): Fields[] {
    return this.#print(id, textBlock("a subagent speaks"));
  }

  requestPermission(requestId: string, toolUseId: string): Fields[] {
    this.#asked = [...this.#asked, requestId];
    const prompt = promptLine(requestId, { agent_id: this.taskId, tool_use_id: toolUseId });
    return [...this.#call(toolUseId, "Write"), prompt];
  }

  /** It calls a tool of the host. */
  callHost(program: ModelProgram, toolUseId: string): Fields[] {
    const { call, line } = program.call(toolUseId);
    this.#calls = [...this.#calls, call];
    return [...this.#call(toolUseId, HOST_TOOL), line];
  }

  /** It waits at the hook of a tool, if there is one. */
  askHook(program: ModelProgram, toolUseId: string): Fields[] {
    const tool = { tool_name: "Bash", tool_input: {}, tool_use_id: toolUseId };
    const hook = program.hook("PreToolUse", { ...tool, agent_id: this.taskId });
    if (hook === undefined) return [];
    this.#asked = [...this.#asked, hook.requestId];
    return [...this.#call(toolUseId, "Bash"), hook.line];
  }

  /**
   * A tool that the agent calls shows a form. An inner agent uses another server: if its calls are not
   * printed, its forms would look like forms of a printed call.
   */
  showForm(requestId: string, toolUseId: string): Fields[] {
    this.#asked = [...this.#asked, requestId];
    if (this.#outer === undefined)
      return [...this.#call(toolUseId, "mcp__s__ask"), formLine(requestId)];
    return [formLine(requestId, "of an inner agent")];
  }

  /** Starts an inner agent in the foreground, or returns the present one. */
  startInner(call: string, isForwarded: boolean) {
    if (this.#inner !== undefined) return { inner: this.#inner, lines: [] };
    this.#inner = new ModelAgent(call, { agent: this, isForwarded });
    const line = this.#inner.started({ is_backgrounded: false });
    return { inner: this.#inner, lines: [...this.#call(call, "Agent", AGENT_INPUT), line] };
  }

  /** Starts an inner agent in the background. */
  launchInner(call: string, isForwarded: boolean) {
    const inner = new ModelAgent(call, { agent: this, isForwarded });
    const begin = [
      ...this.#call(call, "Agent", AGENT_INPUT),
      inner.started({ is_backgrounded: true }),
    ];
    return { inner, lines: [...begin, ...this.#results([call], LAUNCHED)] };
  }

  /** Its inner agent, if it has one in the foreground. */
  get inner(): ModelAgent | undefined {
    return this.#inner;
  }

  finishInner(): Fields[] {
    const inner = this.#inner;
    this.#inner = undefined;
    if (inner === undefined) return [];
    const result = this.#open.includes(inner.call) ? this.#results([inner.call], REPORT) : [];
    return [...inner.finished(), ...result];
  }

  /** It ends by itself. */
  finished(): Fields[] {
    return [
      ...this.finishInner(),
      ...this.#results(this.#open, "done"),
      ...this.#ended("completed", "completed", REPORT),
    ];
  }

  /** It is killed. */
  stopped(): Stopped {
    const { description } = AGENT_INPUT;
    const results = this.#results(this.#open, "stopped", { is_error: true });
    const marker = { ...INTERRUPT_MARKER, parent_tool_use_id: this.call };
    const { before: inner = [] } = this.#inner?.stopped() ?? {};
    return {
      before: this.#ended("killed", "stopped", description),
      after: [...results, ...(this.#isPrinted ? [marker] : []), ...inner],
    };
  }

  #ended(state: string, status: string, summary: unknown): Fields[] {
    const task = { type: "system", task_id: this.taskId };
    const end = { tool_use_id: this.call, status, summary, output_file: "f" };
    return [
      { ...task, subtype: "task_updated", patch: { status: state } },
      { ...task, subtype: "task_notification", ...end },
    ];
  }

  get #isPrinted(): boolean {
    return this.#outer?.isForwarded !== false;
  }

  #call(toolUseId: string, name: string, input: Fields = {}): Fields[] {
    if (this.#isPrinted) this.#open = [...this.#open, toolUseId];
    return this.#print(`m-${toolUseId}`, toolBlock(toolUseId, name, input));
  }

  #results(ids: readonly string[], content: string, fields: Fields = {}): Fields[] {
    this.#open = this.#open.filter((id) => !ids.includes(id));
    return ids.map((id) => {
      const line = toolResultLine(id, content, { parent_tool_use_id: this.call });
      const block = { type: "tool_result", tool_use_id: id, content, ...fields };
      return { ...line, message: { role: "user", content: [block] } };
    });
  }

  #print(id: string, block: Fields): Fields[] {
    if (!this.#isPrinted) return [];
    return [assistantLine(id, block, { parent_tool_use_id: this.call })];
  }
}
