/** The Agent Client Protocol, version 1: JSON-RPC in lines. Nothing here acts. */
import { at, type Dialect, type Heard } from "./dialects.ts";

export const JSONRPC = { jsonrpc: "2.0" };
const [INITIALIZE, NEW_SESSION, PROMPT] = [0, 1, 2];

/**
 * The protocol streams texts in pieces and sends none as a whole, and the end of a turn has no text. The
 * answers of the host name one of the options of a tool's prompt.
 */
export const ACP_DIALECT: Dialect = {
  opening: [
    {
      ...JSONRPC,
      id: INITIALIZE,
      method: "initialize",
      params: { protocolVersion: 1, clientCapabilities: {} },
    },
    { ...JSONRPC, id: NEW_SESSION, method: "session/new", params: { cwd: "/", mcpServers: [] } },
  ],
  namesSession: true,
  cannotSay: ["whole texts", "result"],
  message: ({ text, session }) => ({
    ...JSONRPC,
    id: PROMPT,
    method: "session/prompt",
    params: {
      sessionId: session,
      prompt: [{ type: "text", text }],
    },
  }),
  answer: ({ id, choice }) => ({
    ...JSONRPC,
    id,
    result: { outcome: { outcome: "selected", optionId: choice } },
  }),
  endMark: '"stopReason"',
  read: readLine,
};

function readLine(line: Readonly<Record<string, unknown>>): Heard | undefined {
  const { method, id } = line;
  if (method === "session/update") {
    const isText = at(line, "params", "update", "sessionUpdate") === "agent_message_chunk";
    const text = String(at(line, "params", "update", "content", "text"));
    return isText ? { kind: "piece", text } : undefined;
  }
  if (method === "session/request_permission") {
    const input = at(line, "params", "toolCall", "rawInput");
    const choice = choiceIn(at(line, "params", "options"));
    return { kind: "prompt", prompt: { id, input, choice } };
  }
  if (method !== undefined) return undefined;
  if (id === NEW_SESSION) return { kind: "session", id: String(at(line, "result", "sessionId")) };
  return id === PROMPT ? { kind: "end", text: "" } : undefined;
}

function choiceIn(options: unknown): unknown {
  const all: readonly unknown[] = Array.isArray(options) ? options : [];
  return at(
    all.find((option) => at(option, "kind") === "allow_once"),
    "optionId",
  );
}
