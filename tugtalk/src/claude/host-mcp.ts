/**
 * tugtalk as an MCP server for Claude. Pure: reads the call in a message of the client, or answers the
 * message. Claude sends five methods to a server that has only tools. Protocol reference §23.
 */
import { type Fields, fieldsOf, isJsonObject } from "../base/json.ts";
import type { HostTool } from "../messages/host-tool-messages.ts";

/** An answer of JSON-RPC, as Claude expects it in `mcp_response`. */
export type RpcAnswer = {
  readonly jsonrpc: "2.0";
  readonly id: RpcId;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
};

type RpcId = string | number;

/** The meaning of one message of Claude. */
export type McpMessage =
  | {
      readonly kind: "answer";
      readonly answer: RpcAnswer;
      readonly to?: "initialize" | "tools/list";
    }
  | {
      readonly kind: "call";
      readonly id: RpcId;
      readonly name: string;
      readonly input: Fields;
      readonly toolUseId: string | undefined;
    }
  | { readonly kind: "cancelled"; readonly id: RpcId; readonly answer: RpcAnswer };

/** The versions of MCP in which these five methods are as here. The newest is offered for any other. */
const [NEWEST_VERSION, ...OLDER_VERSIONS] = [
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
] as const;

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;

/** Any answer to a notification: Claude waits for one, and drops it. */
const RECEIVED: RpcAnswer = { jsonrpc: "2.0", id: 0, result: {} };

/** Reads one message. `version` is tugtalk's. */
export function readMcpMessage(
  message: unknown,
  tools: readonly HostTool[],
  version: string,
): McpMessage {
  const { id: rpcId, method, params } = fieldsOf(message);
  const fields = fieldsOf(params);
  if (!isRpcId(rpcId)) return notification(method, fields);
  const answer = (result: unknown) => ({
    kind: "answer" as const,
    answer: { jsonrpc: "2.0" as const, id: rpcId, result },
  });
  const refusal = (code: number, message: string) => ({
    kind: "answer" as const,
    answer: { jsonrpc: "2.0" as const, id: rpcId, error: { code, message } },
  });
  switch (method) {
    case "initialize":
      return { ...answer(serverOf(fields, version)), to: method };
    case "ping":
      return answer({});
    case "tools/list":
      return { ...answer({ tools: tools.map(listed) }), to: method };
    case "tools/call": {
      const call = callIn(fields);
      return call === undefined
        ? refusal(INVALID_PARAMS, "a call has a name, and its arguments are an object")
        : { kind: "call", id: rpcId, ...call };
    }
    default:
      return refusal(METHOD_NOT_FOUND, `no method ${String(method)}`);
  }
}

/** Claude's result of a call. */
export function callResult(id: RpcId, content: readonly unknown[], isError: boolean): RpcAnswer {
  return { jsonrpc: "2.0", id, result: { content, ...(isError && { isError }) } };
}

function isRpcId(value: unknown): value is RpcId {
  return typeof value === "string" || typeof value === "number";
}

function notification(method: unknown, { requestId }: Fields): McpMessage {
  return method === "notifications/cancelled" && isRpcId(requestId)
    ? { kind: "cancelled", id: requestId, answer: RECEIVED }
    : { kind: "answer", answer: RECEIVED };
}

function serverOf({ protocolVersion }: Fields, version: string) {
  return {
    protocolVersion: OLDER_VERSIONS.find((older) => older === protocolVersion) ?? NEWEST_VERSION,
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "tugtalk", version },
  };
}

/** 2.1.330 hides a tool of MCP until the model looks it up, unless it is marked. */
function listed({ name, description, input_schema, annotations, deferred }: HostTool) {
  return {
    name,
    description,
    inputSchema: input_schema,
    ...(annotations !== undefined && { annotations }),
    ...(deferred !== true && { _meta: { "anthropic/alwaysLoad": true } }),
  };
}

function callIn({ name, arguments: input = {}, _meta }: Fields) {
  if (typeof name !== "string" || !isJsonObject(input)) return undefined;
  const toolUseId = fieldsOf(_meta)["claudecode/toolUseId"];
  return {
    name,
    input,
    toolUseId: typeof toolUseId === "string" ? toolUseId : undefined,
  };
}
