/**
 * The host's tools in one run: tugtalk is their MCP server towards Claude, which answers at once all
 * but the calls. The calls go to the host. Contract, guarantee 10.
 */
import packageJson from "../../../package.json" with { type: "json" };
import { isAtLeast } from "../base/versions.ts";
import type { ClaudeRequests } from "../claude/claude-requests.ts";
import { callResult, type McpMessage, type RpcAnswer, readMcpMessage } from "../claude/host-mcp.ts";
import { formatAnswer, type LineSink, sendControlResponse } from "../control.ts";
import { HOST_SERVER } from "../messages/host-server.ts";
import type { HostTool, HostToolAnswer } from "../messages/host-tool-messages.ts";
import type { ControlRequest } from "../protocol-types.ts";
import { MAX_OPEN_REQUESTS, type ProgramRequests } from "./program-requests.ts";

/** Timeout of a request that makes Claude read the list of tools again, in ms. */
const REFRESH_TIMEOUT_MS = 30_000;

const NOT_A_RESULT = "a call of a tool is answered with host_tool_answer";

type Call = Extract<McpMessage, { kind: "call" }>;

export type HostToolsDeps = {
  readonly claude: LineSink;
  readonly requests: ClaudeRequests;
  readonly program: ProgramRequests;
  /** Claude waits for no answer to this request of its own. */
  readonly onWithdrawn: (claudeId: string) => void;
};

/** The servers that the host has set with `mcp_set_servers`, which replaces all. */
type Servers = Readonly<Record<string, unknown>>;

export class HostTools {
  readonly #deps: HostToolsDeps;
  #tools: readonly HostTool[];
  /** Claude has read a list, so another one must be announced to it. */
  #isListed = false;
  #isOutdated = false;
  #servers: Servers = {};
  /** Claude's ids of the control requests of open calls, by the id of the call in MCP. */
  readonly #calls = new Map<string | number, string>();

  constructor(tools: readonly HostTool[], deps: HostToolsDeps) {
    this.#tools = tools;
    this.#deps = deps;
  }

  /** Whether this is a message to the server of the host. */
  isFor({ request }: ControlRequest): boolean {
    return request.subtype === "mcp_message" && request["server_name"] === HOST_SERVER;
  }

  /** Answers a message of Claude to the server, or passes a call on to the host. */
  receive({ request_id, request }: ControlRequest): void {
    const read = readMcpMessage(request["message"], this.#tools, packageJson.version);
    if (read.kind === "call") this.#call(request_id, read);
    else {
      if (read.kind === "answer") this.#recordHandshake(read.to);
      this.#respond(request_id, read.answer);
      if (read.kind === "cancelled") this.#withdraw(read.id);
    }
  }

  /** Replaces the tools. Claude reads the list when it can: see `refresh`. */
  replace(tools: readonly HostTool[]): void {
    this.#tools = tools;
    this.#isOutdated = this.#isListed;
  }

  /** Claude has accepted the servers that the host sets. */
  recordServers(servers: Servers): void {
    this.#servers = servers;
  }

  /**
   * Makes Claude read the list of tools again, if it is outdated. Older CLIs do so only for a server
   * that was gone, whose calls they fail: they get the news between turns, when none is open.
   */
  refresh(claudeVersion: string | undefined, isInTurn: boolean): void {
    if (!this.#isOutdated || claudeVersion === undefined) return;
    if (isAtLeast(claudeVersion, "2.1.330")) this.#announce();
    else if (!isInTurn && this.#deps.program.isIdle) this.#reconnect();
  }

  /** A new connection counts its calls anew: it cannot cancel calls of the one before. */
  #recordHandshake(step: "initialize" | "tools/list" | undefined): void {
    if (step === "initialize") this.#calls.clear();
    if (step === "tools/list") this.#isListed = true;
  }

  #announce(): void {
    this.#isOutdated = false;
    const message = { jsonrpc: "2.0", method: "notifications/tools/list_changed" };
    const body = { subtype: "mcp_message", server_name: HOST_SERVER, message };
    this.#deps.requests.ask(body, REFRESH_TIMEOUT_MS);
  }

  #reconnect(): void {
    this.#isOutdated = false;
    const { requests } = this.#deps;
    const subtype = "mcp_set_servers";
    const servers = this.#servers;
    requests.ask({ subtype, servers }, REFRESH_TIMEOUT_MS);
    requests.ask({ subtype, servers: withHostServer(servers) }, REFRESH_TIMEOUT_MS);
  }

  #call(claudeId: string, call: Call): void {
    const tool = this.#tools.find(({ name }) => name === call.name);
    if (tool === undefined) this.#fail(claudeId, call, `There is no tool ${call.name} any more.`);
    else if (this.#deps.program.isFull)
      this.#fail(claudeId, call, `${MAX_OPEN_REQUESTS} calls are open already.`);
    else this.#ask(claudeId, call, tool);
  }

  #ask(claudeId: string, call: Call, { name, timeout_ms: timeoutMs }: HostTool): void {
    const { toolUseId, input } = call;
    this.#calls.set(call.id, claudeId);
    let result: HostToolAnswer | undefined;
    this.#deps.program.open({
      claudeId,
      clues: { toolUseId, isPrinted: true },
      asks: [
        {
          toMessage: (request_id) => ({
            type: "host_tool_request",
            request_id,
            tool_name: name,
            input,
            ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
          }),
          timeoutMs,
          accept: (answer) => {
            if (answer.type !== "host_tool_answer") return NOT_A_RESULT;
            result = answer;
            return undefined;
          },
          expire: () => {},
        },
      ],
      settle: () => {
        if (result === undefined) this.#fail(claudeId, call, lateText(timeoutMs));
        else this.#settle(claudeId, call, contentOf(result), result.is_error === true);
      },
      giveUp: (why) =>
        this.#fail(claudeId, call, `The ${why} was over before the tool had answered.`),
    });
  }

  #fail(claudeId: string, call: Call, text: string): void {
    this.#settle(claudeId, call, [{ type: "text", text }], true);
  }

  /** Claude has cancelled a call, and waits for no result. */
  #withdraw(id: string | number): void {
    const claudeId = this.#calls.get(id);
    this.#calls.delete(id);
    if (claudeId !== undefined) this.#deps.onWithdrawn(claudeId);
  }

  #settle(claudeId: string, { id }: Call, content: readonly unknown[], isError: boolean): void {
    this.#calls.delete(id);
    this.#respond(claudeId, callResult(id, content, isError));
  }

  #respond(claudeId: string, mcp_response: RpcAnswer): void {
    sendControlResponse(this.#deps.claude, formatAnswer(claudeId, { mcp_response }));
  }
}

/** The result of the host as blocks of MCP. */
function contentOf({ text, content = [] }: HostToolAnswer): readonly unknown[] {
  return text === undefined ? content : [{ type: "text", text }];
}

function lateText(timeoutMs = 0): string {
  return `The tool did not answer within ${timeoutMs} ms.`;
}

/** The servers that the host sets, with the server of its tools: the request replaces all. */
export function withHostServer(servers: Servers): Servers {
  return { ...servers, [HOST_SERVER]: { type: "sdk", name: HOST_SERVER } };
}
