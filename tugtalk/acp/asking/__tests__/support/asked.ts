/** Requests of Claude to a person, one of each kind, and the answers to permissions and questions. */
import type { Fields } from "../../../../src/base/json.ts";
import type { ClaudeRequest } from "../../first-step.ts";

export function permission(
  fields: Partial<Extract<ClaudeRequest, { type: "control_request_forward" }>>,
): ClaudeRequest {
  return {
    type: "control_request_forward",
    request_id: "r",
    tool_use_id: "t",
    tool_name: "Bash",
    input: { command: "make" },
    is_question: false,
    ...fields,
  };
}

export const allow = { type: "tool_approval", decision: "allow" };
export const deny = (message?: unknown) => ({
  type: "tool_approval",
  decision: "deny",
  ...{ message },
});

export const RULE = {
  type: "addRules",
  rules: [{ toolName: "Bash", ruleContent: "make" }],
  behavior: "allow",
  destination: "localSettings",
};
export const MODE = { type: "setMode", mode: "acceptEdits", destination: "session" };
const STRANGE = { type: "turnOffAll", destination: "session" };
export const bash = permission({ permission_suggestions: [RULE, STRANGE, MODE] });

export const plan = permission({
  tool_name: "ExitPlanMode",
  input: { allowedPrompts: [{ tool: "Bash", prompt: "run the tests" }], planFilePath: "/p.md" },
  plan: "1. Do it.",
});

const option = (label: string) => ({ label, description: `${label}, that is` });
const DATABASE = {
  question: "Which database?",
  header: "Database",
  options: [option("SQLite"), { ...option("None"), preview: "```\n-\n```" }],
  multiSelect: false,
};
const CHECKS = {
  question: "Which checks?",
  header: "Checks",
  options: ["Types", "Lint", "Tests"].map(option),
  multiSelect: true,
};
export const questions = (...asked: readonly unknown[]) =>
  permission({ tool_name: "AskUserQuestion", input: { questions: asked }, is_question: true });
export const both = questions(DATABASE, CHECKS);

function elicitation(fields: Fields): ClaudeRequest {
  return {
    ...{ type: "elicitation_request", request_id: "r" },
    ...{ mcp_server_name: "orders", message: "What?", ...fields },
  } as ClaudeRequest;
}

const PROPERTIES = {
  size: { type: "string", enum: ["S", "M"], enumNames: ["small", "medium"], default: "M" },
  urgent: { type: "boolean" },
  extras: { type: "array", items: { enum: ["a", "b"] }, minItems: 1, maxItems: 2.5 },
  code: { type: "string", pattern: "^x", format: "ipv4", minLength: 2, default: 7 },
  mail: { type: "string", format: "email" },
  count: { type: "integer", minimum: 1, maximum: 9.5, default: 3 },
};
export const form = (required: readonly string[], properties: Fields = PROPERTIES) =>
  elicitation({ requested_schema: { type: "object", properties, required } });

export const page = elicitation({ mode: "url", url: "https://x.test/", elicitation_id: "e" });
