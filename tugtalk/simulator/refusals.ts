/**
 * The reactions of 2.1.330 to invalid lines on stdin, some of which end it. Pure; protocol reference §2
 * (robustness table) and §5b (answers).
 */
import { z } from "zod";
import { type Fields, isJsonObject } from "../src/base/json.ts";
import { fieldOf, textOf } from "./json-value.ts";

/** The effect of one stdin line. */
export type LineVerdict =
  | { readonly kind: "message"; readonly message: Fields }
  /** Read and dropped silently. */
  | { readonly kind: "ignored"; readonly value: unknown }
  /** The process prints this to stderr and exits with code 1. */
  | { readonly kind: "fatal"; readonly stderr: string };

/** The effect of a permission answer. */
export type AnswerVerdict =
  | { readonly kind: "allowed" }
  | { readonly kind: "denied"; readonly message: string; readonly interrupt: boolean }
  | { readonly kind: "refused"; readonly reason: string };

/** The effect of one line of stdin, without its newline. */
export function judgeLine(line: string): LineVerdict {
  if (line.trim() === "") return { kind: "ignored", value: line };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return fatal(describeLine(line, "SyntaxError"));
  }
  return value === null ? fatal(describeLine(line, "TypeError")) : judgeValue(value);
}

/** The effect of the `response` of an answer to `can_use_tool`. */
export function judgeAnswer(response: Fields): AnswerVerdict {
  if (response["subtype"] === "error") {
    const reason = `Tool permission request failed: Error: ${String(response["error"])}`;
    return { kind: "refused", reason };
  }
  const answer = Answer.safeParse(response["response"]);
  if (!answer.success) return { kind: "refused", reason: INVALID_RESULT };
  if (answer.data.behavior === "allow") return { kind: "allowed" };
  const { message, interrupt } = answer.data;
  return { kind: "denied", message, interrupt: interrupt === true };
}

const INVALID_RESULT =
  "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow', " +
  "updatedInput?: object} or {behavior: 'deny', message: string}. updatedPermissions may hold at " +
  "most 4096 updates, rules and directories in all.";

const Answer = z.discriminatedUnion("behavior", [
  z.object({
    behavior: z.literal("allow"),
    updatedInput: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({
    behavior: z.literal("deny"),
    message: z.string(),
    interrupt: z.unknown().optional(),
  }),
]);

function judgeValue(value: unknown): LineVerdict {
  const ignored: LineVerdict = { kind: "ignored", value };
  if (!isJsonObject(value)) return ignored;
  switch (value["type"]) {
    case "user":
      return judgeUser(value);
    case "control_request":
      return isJsonObject(value["request"])
        ? { kind: "message", message: value }
        : fatal("Error: Missing request on control_request");
    case "control_response": {
      // An answer at the wrong level has a `response`, but no id of a pending request.
      const isAddressed = textOf(value, "response", "request_id") !== undefined;
      return isAddressed ? { kind: "message", message: value } : ignored;
    }
    default:
      return ignored;
  }
}

function judgeUser(message: Fields): LineVerdict {
  const role = fieldOf(message, "message", "role");
  if (role !== "user") {
    return fatal(`Error: Expected message role 'user', got '${String(role)}'`);
  }
  const content = fieldOf(message, "message", "content");
  const isContent = typeof content === "string" || Array.isArray(content);
  return isContent ? { kind: "message", message } : { kind: "ignored", value: message };
}

/** Leaves out the message of the JavaScript engine, which the real CLI appends. */
function describeLine(line: string, name: "SyntaxError" | "TypeError"): string {
  return `Error parsing streaming input line (type=unknown, ${line.length} chars): ${name}`;
}

function fatal(stderr: string): LineVerdict {
  return { kind: "fatal", stderr };
}
