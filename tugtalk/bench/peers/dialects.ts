/** What hosts say to the contenders and hear from them. Nothing here acts. */
import type { Fields } from "../../src/base/json.ts";

export type Prompt = { readonly id: unknown; readonly input: unknown };

/** What a line of a contender means to the comparison. */
export type Heard =
  | { readonly kind: "piece" | "whole"; readonly text: string }
  | { readonly kind: "prompt"; readonly prompt: Prompt }
  | { readonly kind: "end"; readonly text: string }
  /** The session is there, under this name. */
  | { readonly kind: "session"; readonly id: string }
  /** Any line that is too long for the host to read it: reading would take longer than passing it on. */
  | { readonly kind: "long line"; readonly bytes: number };

/** What a host says in a turn. */
export type Said = {
  readonly text: string;
  /** The name of the session, where the contender names it. */
  readonly session: string;
};

export type Dialect = {
  /** What the host says first. */
  readonly opening: readonly Fields[];
  /** The host may speak only when it knows the name of its session. */
  readonly namesSession?: true;
  /** What this dialect has no words for: it is not missed. */
  readonly cannotSay?: readonly string[];
  readonly message: (said: Said) => Fields;
  /** Allows what a prompt asks for, unchanged. */
  readonly allow: (prompt: Prompt) => Fields;
  /** Stands near the start of the line that ends a turn, and there only. */
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
  allow: ({ id, input }) => ({
    type: "control_response",
    response: {
      subtype: "success",
      request_id: id,
      response: { behavior: "allow", updatedInput: input },
    },
  }),
  endMark: '"type":"result"',
  read: readClaudeLine,
};

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
      return prompt(line["request_id"], at(line, "request", "input"));
    case "result":
      return { kind: "end", text: String(line["result"]) };
    default:
      return undefined;
  }
}

/** The contract of the bridge. */
export const TUGTALK_DIALECT: Dialect = {
  opening: [{ type: "protocol_init", version: 2 }],
  message: ({ text }) => ({ type: "user_message", text }),
  allow: ({ id }) => ({ type: "tool_approval", request_id: id, decision: "allow" }),
  endMark: '"type":"turn_complete"',
  read: (line) => {
    const text = String(line["text"]);
    if (line["type"] === "assistant_text")
      return { kind: line["status"] === "partial" ? "piece" : "whole", text };
    if (line["type"] === "control_request_forward")
      return prompt(line["request_id"], line["input"]);
    return line["type"] === "turn_complete" ? { kind: "end", text } : undefined;
  },
};

function prompt(id: unknown, input: unknown): Heard {
  return { kind: "prompt", prompt: { id, input } };
}

/** The value at a path, if there is one. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined,
    value,
  );
}
