/**
 * The host's declarations in `initialize`: MCP servers, whose tools are listed at once, and hooks. Gives the
 * lines to print; protocol reference §22 and §23.
 */
import { z } from "zod";
import type { Fields } from "../src/base/json.ts";
import type { NewId } from "./ids.ts";
import { fieldOf, textOf } from "./json-value.ts";

const Tool = z.object({
  name: z.string(),
  inputSchema: z.looseObject({ type: z.literal("object") }),
});
type Tool = z.infer<typeof Tool>;

const InitializeResult = z.object({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  serverInfo: z.object({ name: z.string(), version: z.string() }),
});

const ListResult = z.object({ tools: z.array(Tool) });

const Matchers = z.array(
  z.object({ matcher: z.string().optional(), hookCallbackIds: z.array(z.string()) }),
);

/** A tool of the host in the form that the model knows. */
export type ProgramTool = {
  readonly name: string;
  readonly server: string;
  readonly tool: Tool;
};

type Server = {
  status: "pending" | "connected" | "failed";
  tools: readonly Tool[];
  nextId: number;
};

export class HostProgram {
  readonly #newId: NewId;
  readonly #servers = new Map<string, Server>();
  #hooks: unknown;

  constructor(newId: NewId) {
    this.#newId = newId;
  }

  /** Takes `initialize`. Gives the first lines of the handshakes. A later one replaces the hooks only. */
  declare({ sdkMcpServers, hooks }: Fields): readonly Fields[] {
    this.#hooks = hooks;
    const names = z.array(z.string()).safeParse(sdkMcpServers).data ?? [];
    return names
      .filter((name) => !this.#servers.has(name))
      .map((name) => {
        this.#servers.set(name, { status: "pending", tools: [], nextId: 0 });
        const clientInfo = { name: "claude-code", title: "Claude Code", version: "2.1.330" };
        const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
        return this.#request(name, "initialize", params);
      });
  }

  /** No turn begins before the end of the handshakes. */
  get isShakingHands(): boolean {
    return [...this.#servers.values()].some(({ status }) => status === "pending");
  }

  /** The servers in Claude's list. */
  get servers(): readonly Fields[] {
    return [...this.#servers].map(([name, { status }]) => ({ name, status, source: "sdk" }));
  }

  /** `system/init` with the servers and tools of the host. */
  addTo(init: Fields): Fields {
    if (this.#servers.size === 0) return init;
    const { tools, mcp_servers } = init;
    return {
      ...init,
      tools: [...listOf(tools), ...this.tools.map(({ name }) => name)],
      mcp_servers: [...listOf(mcp_servers), ...this.servers],
    };
  }

  get tools(): readonly ProgramTool[] {
    return [...this.#servers].flatMap(([server, { tools }]) =>
      tools.map((tool) => ({ name: `mcp__${plain(server)}__${plain(tool.name)}`, server, tool })),
    );
  }

  /** The list of a server has changed. */
  listAgain(name: string): readonly Fields[] {
    return this.#servers.has(name) ? [this.#request(name, "tools/list")] : [];
  }

  /** Takes the answer to `request`, a message to a server. Gives the next lines. */
  proceed(request: Fields, answer: unknown): readonly Fields[] {
    const name = textOf(request, "server_name") ?? "";
    const server = this.#servers.get(name);
    const result = fieldOf(answer, "response", "mcp_response", "result");
    switch (server && textOf(request, "message", "method")) {
      case "initialize":
        if (InitializeResult.safeParse(result).success)
          return [this.#request(name, "notifications/initialized")];
        break;
      case "notifications/initialized":
        return [this.#request(name, "tools/list")];
      case "tools/list": {
        const list = ListResult.safeParse(result);
        if (server && list.success) Object.assign(server, list.data, { status: "connected" });
        if (list.success) return [];
        break;
      }
      default:
        return [];
    }
    if (server !== undefined) server.status = "failed";
    return [];
  }

  /** The call of a tool. */
  call({ server, tool }: ProgramTool, input: Fields, toolUseId: string): Fields {
    const progressToken = this.#servers.get(server)?.nextId;
    const _meta = { "claudecode/toolUseId": toolUseId, progressToken };
    return this.#request(server, "tools/call", { name: tool.name, arguments: input, _meta });
  }

  /** The hooks of an event, one callback each. Matchers are compared with `name`. */
  callbacks(event: string, name: string | undefined): readonly string[] {
    const matchers = Matchers.safeParse(fieldOf(this.#hooks, event)).data ?? [];
    return matchers
      .filter(({ matcher }) => name === undefined || fits(matcher, name))
      .flatMap(({ hookCallbackIds }) => hookCallbackIds);
  }

  #request(server_name: string, method: string, params?: Fields): Fields {
    const server = this.#servers.get(server_name);
    const isRequest = server !== undefined && !method.startsWith("notifications/");
    const message = {
      method,
      ...(params !== undefined && { params }),
      jsonrpc: "2.0",
      ...(isRequest && { id: server.nextId++ }),
    };
    const request = { subtype: "mcp_message", server_name, message };
    return { type: "control_request", request_id: this.#newId(), request };
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A name in the form of the tools that the model knows. */
function plain(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/g, "_");
}

/** Whether a matcher fits. One that does not compile is ignored silently. */
function fits(matcher: string | undefined, name: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (/^[a-zA-Z0-9_|-]+$/.test(matcher)) return matcher.split("|").includes(name);
  try {
    return new RegExp(matcher).test(name);
  } catch {
    return false;
  }
}
