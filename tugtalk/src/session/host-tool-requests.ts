/** The host's requests about its tools: other tools, and the MCP servers that Claude has beside theirs. */
import { fieldsOf } from "../base/json.ts";
import type { ControlRequestBody } from "../control.ts";
import { HOST_SERVER, NAME_IS_TAKEN } from "../messages/host-server.ts";
import type { HostTools } from "../messages/host-tool-messages.ts";
import { withHostServer } from "../run/host-tools.ts";
import type { HostRequests, Replyable } from "./host-requests.ts";
import type { Lifecycle } from "./lifecycle.ts";

const NO_HOST_TOOLS = "options.host_tools was not given, so this session has no tools of the host";

export class HostToolRequests {
  readonly #lifecycle: Lifecycle;
  readonly #requests: HostRequests;

  constructor(lifecycle: Lifecycle, requests: HostRequests) {
    this.#lifecycle = lifecycle;
    this.#requests = requests;
  }

  /** Replaces the tools, in this process and in later ones. */
  replace({ tools, ...message }: HostTools): void {
    const hasTools = this.#lifecycle.options.host_tools !== undefined;
    if (hasTools) this.#lifecycle.replaceTools(tools);
    const outcome = hasTools ? { ok: true } : { ok: false, error: NO_HOST_TOOLS };
    this.#requests.ask({ subtype: "host_tools" }, message, { outcome });
  }

  /** Sets the servers of the host. Claude replaces all of them, so the server of the tools is added. */
  setServers(body: ControlRequestBody, message: Replyable): void {
    const tools = this.#lifecycle.liveRun?.hostTools;
    const servers = fieldsOf(body["servers"]);
    if (tools === undefined) this.#requests.ask(body, message);
    else if (Object.hasOwn(servers, HOST_SERVER))
      this.#requests.ask(body, message, { outcome: { ok: false, error: NAME_IS_TAKEN } });
    else
      this.#requests.ask({ ...body, servers: withHostServer(servers) }, message, {
        onAccepted: () => tools.recordServers(servers),
      });
  }
}
