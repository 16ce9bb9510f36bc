/** A Claude's requests to the host's program: the handshake with its tools, their calls, and hooks. Protocol reference §22, §23. */
import { type Fields, fieldsOf } from "../observer/observed.ts";

/** A call of a tool of the host that was made. */
export type ProgramCall = { readonly requestId: string; readonly rpcId: number };

/** A hook that Claude waits at. */
type Asked = { readonly requestId: string; readonly line: Fields };

/** As Claude knows the tool that the random host declares. */
export const HOST_TOOL = "mcp__host__level";

const HANDSHAKE = ["initialize", "notifications/initialized", "tools/list"] as const;

type Deps = {
  readonly newId: (kind: string) => string;
  readonly areAnswered: (requestIds: readonly string[]) => boolean;
};

export class ModelProgram {
  readonly #deps: Deps;
  #hasTools = false;
  #hooks: Fields = {};
  /** The request ids of the steps of the handshake so far. */
  #steps: readonly string[] = [];
  #rpcIds = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Takes the tools and hooks that `initialize` declares. */
  declare({ sdkMcpServers, hooks }: Fields): void {
    this.#hasTools = Array.isArray(sdkMcpServers) && sdkMcpServers.includes("host");
    this.#hooks = fieldsOf(hooks);
  }

  /** The bridge has set the servers, or has announced another list of tools: Claude reads the list again. */
  take({ subtype, servers, message }: Fields): void {
    if (subtype === "mcp_set_servers") {
      this.#hasTools = fieldsOf(servers)["host"] !== undefined;
      this.#steps = [];
      this.#rpcIds = 0;
    } else if (fieldsOf(message)["method"] === "notifications/tools/list_changed")
      this.#steps = this.#steps.slice(0, 2);
  }

  get hasTools(): boolean {
    return this.#hasTools;
  }

  /** No turn begins before the end of the handshake. */
  get isShakingHands(): boolean {
    const isDone = this.#steps.length === HANDSHAKE.length && this.#deps.areAnswered(this.#steps);
    return this.#hasTools && !isDone;
  }

  /** The next step of the handshake, once the one before is answered. */
  shakeHands(): Fields[] {
    const method = HANDSHAKE[this.#steps.length];
    if (!this.#hasTools || method === undefined || !this.#deps.areAnswered(this.#steps)) return [];
    const requestId = this.#deps.newId("r");
    this.#steps = [...this.#steps, requestId];
    const id = method.startsWith("notifications/") ? {} : { id: this.#nextRpcId() };
    return [mcpLine(requestId, { ...id, method, params: {} })];
  }

  call(toolUseId: string): { readonly call: ProgramCall; readonly line: Fields } {
    const call = { requestId: this.#deps.newId("r"), rpcId: this.#nextRpcId() };
    const _meta = { "claudecode/toolUseId": toolUseId, progressToken: call.rpcId };
    const params = { name: "level", arguments: { place: "the weir" }, _meta };
    const line = mcpLine(call.requestId, { id: call.rpcId, method: "tools/call", params });
    return { call, line };
  }

  /** Claude stops waiting for the result of a call. */
  cancel({ rpcId }: ProgramCall): Fields {
    const params = { requestId: rpcId, reason: "interrupted" };
    return mcpLine(this.#deps.newId("r"), { method: "notifications/cancelled", params });
  }

  /** Claude waits at a hook, if the host has one for the event. */
  hook(event: string, fields: Fields = {}): Asked | undefined {
    const declared = this.#hooks[event];
    const [callback_id] = Array.isArray(declared)
      ? (fieldsOf(declared[0])["hookCallbackIds"] as unknown[])
      : [];
    if (callback_id === undefined) return undefined;
    const requestId = this.#deps.newId("r");
    // The outer id is a random one where there is no tool.
    const tool_use_id = fields["tool_use_id"] ?? this.#deps.newId("x");
    const input = { hook_event_name: event, cwd: "/work", prompt_id: requestId, ...fields };
    const request = { subtype: "hook_callback", callback_id, tool_use_id, input };
    return { requestId, line: { type: "control_request", request_id: requestId, request } };
  }

  #nextRpcId(): number {
    this.#rpcIds += 1;
    return this.#rpcIds;
  }
}

function mcpLine(request_id: string, fields: Fields): Fields {
  const message = { jsonrpc: "2.0", ...fields };
  const request = { subtype: "mcp_message", server_name: "host", message };
  return { type: "control_request", request_id, request };
}
