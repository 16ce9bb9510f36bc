/**
 * What the real CLI does with an invalid stdin line, version by version: most such lines end it. Pure; protocol reference §2 (robustness table) and §5b (answers).
 */
import { z } from "zod";
import type { ImitatedVersion } from "./imitated-version.ts";
import { fieldOf, isObject, type JsonObject, textOf } from "./json-value.ts";

/** The effect of one stdin line. */
export type LineVerdict =
  | { readonly kind: "message"; readonly message: JsonObject }
  /** Read and dropped silently. */
  | { readonly kind: "ignored"; readonly value: unknown }
  /** The process prints this to stderr and exits with code 1. */
  | { readonly kind: "fatal"; readonly stderr: string }
  /** The process prints a result with this error and exits with code 1. */
  | { readonly kind: "failed"; readonly error: string };

/** The effect of a permission answer. */
export type AnswerVerdict =
  | { readonly kind: "allowed" }
  | { readonly kind: "denied"; readonly message: string; readonly interrupt: boolean }
  | { readonly kind: "refused"; readonly reason: string };

const SILENT = new Set(["keep_alive", "update_environment_variables"]);

/** Returns what `version` does with one line of stdin, without its newline. */
export function judgeLine(version: ImitatedVersion, line: string): LineVerdict {
  if (isDroppedBlank(version, line)) return { kind: "ignored", value: line };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return fatal(version, line, "SyntaxError");
  }
  return value === null ? fatal(version, line, "TypeError") : judgeValue(version, line, value);
}

/** Returns what `version` does with the `response` of an answer to `can_use_tool`. */
export function judgeAnswer(version: ImitatedVersion, response: JsonObject): AnswerVerdict {
  if (response["subtype"] === "error") {
    return refused(`Tool permission request failed: Error: ${String(response["error"])}`);
  }
  const answer = ANSWER[version].safeParse(response["response"]);
  if (!answer.success) {
    if (version === "2.1.330") return refused(INVALID_RESULT);
    return refused(`Tool permission request failed: ZodError: ${answer.error.message}`);
  }
  if (answer.data.behavior === "allow") return { kind: "allowed" };
  const { message, interrupt } = answer.data;
  return { kind: "denied", message, interrupt: interrupt === true };
}

const INVALID_RESULT =
  "The canUseTool callback returned an invalid permission result. Expected {behavior: 'allow', " +
  "updatedInput?: object} or {behavior: 'deny', message: string}. updatedPermissions may hold at " +
  "most 4096 updates, rules and directories in all.";

const updatedInput = z.record(z.string(), z.unknown());
const deny = z.object({
  behavior: z.literal("deny"),
  message: z.string(),
  interrupt: z.unknown().optional(),
});
const allowWithInput = z.object({ behavior: z.literal("allow"), updatedInput });
const allow = z.object({ behavior: z.literal("allow"), updatedInput: updatedInput.optional() });

const ANSWER = {
  "2.1.38": z.union([allowWithInput, deny]),
  "2.1.197": z.union([allowWithInput, deny]),
  "2.1.330": z.union([allow, deny]),
};

function refused(reason: string): AnswerVerdict {
  return { kind: "refused", reason };
}

function isDroppedBlank(version: ImitatedVersion, line: string): boolean {
  if (version === "2.1.38") return false;
  return version === "2.1.330" ? line.trim() === "" : line === "" || line === "\r";
}

function judgeValue(version: ImitatedVersion, line: string, value: unknown): LineVerdict {
  const type = textOf(value, "type");
  if (!isObject(value) || type === undefined) return judgeStranger(version, value, undefined);
  if (type === "user") return judgeUser(version, line, value);
  if (type === "control_request") return judgeControlRequest(version, line, value);
  if (type === "control_response") return judgeControlResponse(version, line, value);
  if (SILENT.has(type)) return { kind: "ignored", value };
  return judgeStranger(version, value, type);
}

function judgeStranger(
  version: ImitatedVersion,
  value: unknown,
  type: string | undefined,
): LineVerdict {
  if (version !== "2.1.38") return { kind: "ignored", value };
  return {
    kind: "fatal",
    stderr: `Error: Expected message type 'user' or 'control', got '${type}'`,
  };
}

function judgeUser(version: ImitatedVersion, line: string, message: JsonObject): LineVerdict {
  if (!isObject(message["message"]) && version !== "2.1.330") {
    return fatal(version, line, "TypeError");
  }
  const role = fieldOf(message, "message", "role");
  if (role !== "user") {
    return { kind: "fatal", stderr: `Error: Expected message role 'user', got '${String(role)}'` };
  }
  const content = fieldOf(message, "message", "content");
  if (typeof content === "string" || Array.isArray(content)) return { kind: "message", message };
  if (version === "2.1.330") return { kind: "ignored", value: message };
  return { kind: "failed", error: "content.filter is not a function" };
}

function judgeControlRequest(
  version: ImitatedVersion,
  line: string,
  message: JsonObject,
): LineVerdict {
  if (isObject(message["request"])) return { kind: "message", message };
  if (version === "2.1.197") {
    return fatal(version, line, "TypeError");
  }
  return { kind: "fatal", stderr: "Error: Missing request on control_request" };
}

function judgeControlResponse(
  version: ImitatedVersion,
  line: string,
  message: JsonObject,
): LineVerdict {
  const { response } = message;
  if (isObject(response)) {
    // An answer at the wrong level has a `response`, but no id of a pending request.
    const isAddressed = typeof response["request_id"] === "string";
    return isAddressed ? { kind: "message", message } : { kind: "ignored", value: message };
  }
  if (version === "2.1.330") return { kind: "ignored", value: message };
  return fatal(version, line, "TypeError");
}

/** Ends the process. The real CLI adds the words of its engine, which are not imitated. */
function fatal(
  version: ImitatedVersion,
  line: string,
  name: "SyntaxError" | "TypeError",
): LineVerdict {
  const what = version === "2.1.330" ? ` (type=unknown, ${line.length} chars)` : `: ${line}`;
  return { kind: "fatal", stderr: `Error parsing streaming input line${what}: ${name}` };
}
