/** The transport of Claude's MCP client to the server of the host's tools, for a client of the official package. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { type JSONRPCMessage, JSONRPCMessageSchema } from "@modelcontextprotocol/sdk/types.js";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import type { FakeClaude } from "./fake-claude.ts";

export class McpTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  readonly #claude: FakeClaude;
  /** How many of the lines of the bridge have been read. */
  #read: number;
  #sent = 0;

  constructor(claude: FakeClaude) {
    this.#claude = claude;
    this.#read = claude.writes.length;
  }

  async start(): Promise<void> {}

  async close(): Promise<void> {
    this.onclose?.();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#sent += 1;
    const request = { subtype: "mcp_message", server_name: "host", message };
    const request_id = `mcp-${this.#sent}`;
    await this.#claude.say({ type: "control_request", request_id, request });
    await this.deliver();
  }

  /** Gives the client the lines that the bridge has written since the last time. */
  async deliver(): Promise<void> {
    const lines = this.#claude.writes.slice(this.#read);
    this.#read = this.#claude.writes.length;
    for (const line of lines) await this.#receive(line);
  }

  async #receive({ type, response, request_id, request }: Fields): Promise<void> {
    if (type === "control_response") {
      const { mcp_response } = fieldsOf(fieldsOf(response)["response"]);
      if (mcp_response !== undefined) this.#pass(mcp_response);
    } else if (type === "control_request" && fieldsOf(request)["subtype"] === "mcp_message") {
      this.#pass(fieldsOf(request)["message"]);
      const acknowledged = { subtype: "success", request_id };
      await this.#claude.say({ type: "control_response", response: acknowledged });
    }
  }

  /** Throws for a value that is no message of JSON-RPC, like the transports of the package. */
  #pass(message: unknown): void {
    this.onmessage?.(JSONRPCMessageSchema.parse(message));
  }
}
