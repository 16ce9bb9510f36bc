/** The messages between hosts and contenders. Nothing here acts. */
import type { Fields } from "../../src/base/json.ts";

/** A request to the host: to allow a tool, or to the host's program, whose answer is the name of the file. */
export type Prompt = {
  readonly id: unknown;
  readonly input: unknown;
  readonly of?: "tool" | "hook";
  /** The id of a tool call, if the host speaks MCP itself. */
  readonly callId?: unknown;
  /** The host's choice to allow it, if the contender offers choices. */
  readonly choice?: unknown;
};

/** The meaning of a contender's line for the comparison. */
export type Heard =
  | { readonly kind: "piece" | "whole"; readonly text: string }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "end"; readonly text: string }
  /** The session has started under this name. */
  | { readonly kind: "session"; readonly id: string }
  /** A line that is too long for the host to read: reading it would take longer than passing it on. */
  | { readonly kind: "long line"; readonly bytes: number };

/** The messages of a host in a turn. */
export type Said = {
  readonly text: string;
  /** The name of the session, if the contender names it. */
  readonly session: string;
};

export type Dialect = {
  /** The first messages of the host. */
  readonly opening: readonly Fields[];
  /** The host may send only after it knows the name of its session. */
  readonly namesSession?: true;
  /** The facts that this dialect cannot express: they do not count as lost. */
  readonly cannotSay?: readonly string[];
  readonly message: (said: Said) => Fields;
  /** The answer that allows a prompt unchanged, or the answer of the host's program. */
  readonly answer: (prompt: Prompt) => Fields;
  /** A text near the start of the line that ends a turn, and nowhere else. */
  readonly endMark: string;
  readonly read: (line: Fields) => Heard | undefined;
};

/** Claude's own lines, which the floors pass on, and which a program around the SDK prints. */
export const CLAUDE_DIALECT: Dialect = {
  opening: [],
  message: ({ text }) => ({
    type: "user",
    session_id: "",
    message: { role: "user", content: [{ type: "text", text }] },
    parent_tool_use_id: null,
  }),
  answer: (prompt) => ({
    type: "control_response",
    response: { subtype: "success", request_id: prompt.id, response: claudeAnswer(prompt) },
  }),
  endMark: '"type":"result"',
  read: readClaudeLine,
};

function claudeAnswer({ input, of, callId }: Prompt): Fields {
  const text = at(input, "file_path");
  if (of === "tool")
    return {
      mcp_response: { jsonrpc: "2.0", id: callId, result: { content: [{ type: "text", text }] } },
    };
  const [hookEventName, permissionDecision] = ["PreToolUse", "allow"];
  return of === "hook"
    ? { hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason: text } }
    : { behavior: "allow", updatedInput: input };
}

function readClaudeLine(line: Fields): Heard | undefined {
  switch (line["type"]) {
    case "stream_event": {
      const text = at(line, "event", "delta", "text");
      return typeof text === "string" ? { kind: "piece", text } : undefined;
    }
    case "assistant": {
      const text = at(line, "message", "content", "0", "text");
      return typeof text === "string" ? { kind: "whole", text } : undefined;
    }
    case "control_request":
      return { kind: "prompt", prompt: readRequest(line["request_id"], line["request"]) };
    case "result":
      return { kind: "end", text: String(line["result"]) };
    default:
      return undefined;
  }
}

function readRequest(id: unknown, request: unknown): Prompt {
  const [input, message] = [at(request, "input"), at(request, "message")];
  switch (at(request, "subtype")) {
    case "mcp_message":
      return {
        id,
        of: "tool",
        input: at(message, "params", "arguments"),
        callId: at(message, "id"),
      };
    case "hook_callback":
      return { id, of: "hook", input: at(input, "tool_input") };
    default:
      return { id, input };
  }
}

/** The contract of the bridge. */
export const TUGTALK_DIALECT: Dialect = {
  opening: [{ type: "protocol_init", version: 2 }],
  message: ({ text }) => ({ type: "user_message", text }),
  answer: ({ id: request_id, input, of }) => {
    const text = at(input, "file_path");
    if (of === "tool") return { type: "host_tool_answer", request_id, text };
    return of === "hook"
      ? { type: "hook_answer", request_id, decision: "allow", reason: text }
      : { type: "tool_approval", request_id, decision: "allow" };
  },
  endMark: '"type":"turn_complete"',
  read: (line) => {
    const text = String(line["text"]);
    if (line["type"] === "assistant_text")
      return { kind: line["status"] === "partial" ? "piece" : "whole", text };
    const asked = { id: line["request_id"], input: line["input"] };
    switch (line["type"]) {
      case "control_request_forward":
        return { kind: "prompt", prompt: asked };
      case "host_tool_request":
        return { kind: "prompt", prompt: { ...asked, of: "tool" } };
      case "hook_request":
        return {
          kind: "prompt",
          prompt: { ...asked, input: at(asked.input, "tool_input"), of: "hook" },
        };
      default:
        return line["type"] === "turn_complete" ? { kind: "end", text } : undefined;
    }
  },
};

/** The tool and the hook of a host, for the bridge. */
const PROGRAM = {
  host_tools: [{ name: "save", description: "Saves a file.", input_schema: { type: "object" } }],
  host_hooks: [{ hook_id: "guard", event: "PreToolUse", matcher: "Write" }],
};

/** The contract of the bridge, with a tool and a hook of the host. */
export const TUGTALK_PROGRAM_DIALECT: Dialect = {
  ...TUGTALK_DIALECT,
  opening: [{ type: "protocol_init", version: 2, options: PROGRAM }],
};

/** The value at a path, if there is one. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}
