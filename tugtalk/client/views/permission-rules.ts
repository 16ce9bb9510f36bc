/** Permission rules in words and in Claude's own notation. Pure. */
import { objectOf, textOf } from "../claude-value.ts";
import { type Server, viewToolName } from "./tool-name.ts";
import { toolRow } from "./tools.ts";

/** A rule for one tool; without content it is for every use of it. */
export type Rule = { readonly toolName: string; readonly ruleContent?: string };

/** The rules in a list; undefined if one cannot be read. */
export function rulesOf(value: unknown): Rule[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const rules = value.map(ruleOf);
  return rules.every((rule) => rule !== undefined) ? rules : undefined;
}

function ruleOf(value: unknown): Rule | undefined {
  const fields = objectOf(value);
  const toolName = textOf(fields?.["toolName"]);
  const ruleContent = fields?.["ruleContent"];
  if (toolName === undefined || toolName === "") return undefined;
  if (ruleContent === undefined) return { toolName };
  return typeof ruleContent === "string" ? { toolName, ruleContent } : undefined;
}

/** A rule as the settings files have it: `Bash(npm test:*)`. */
export function formatRule({ toolName, ruleContent }: Rule): string {
  return ruleContent === undefined ? toolName : `${toolName}(${ruleContent})`;
}

/** The calls that a rule is for: `Bash commands that match …`. */
export function describeRule({ toolName, ruleContent }: Rule, servers: readonly Server[]): string {
  if (toolName.startsWith("mcp__")) return describeMcpRule(toolName, servers);
  if (ruleContent === undefined || ruleContent === "*") return `every use of ${toolName}`;
  const isPattern = ruleContent.includes("*");
  const { rule } = toolRow(toolName) ?? {};
  if (rule === "command") {
    return isPattern
      ? `${toolName} commands that match \`${ruleContent}\``
      : `the ${toolName} command \`${ruleContent}\``;
  }
  if (rule === "path") {
    return `${toolName} of ${isPattern ? "files that match " : ""}\`${pathOf(ruleContent)}\``;
  }
  if (ruleContent.startsWith("domain:")) {
    return `${toolName} of pages of ${ruleContent.slice("domain:".length)}`;
  }
  return `uses of ${toolName} that match \`${ruleContent}\``;
}

/** In rules, `//` begins an absolute path. */
function pathOf(pattern: string): string {
  return pattern.startsWith("//") ? pattern.slice(1) : pattern;
}

/** A rule for a server has the name of the server only, or `*` for the tool. */
function describeMcpRule(toolName: string, servers: readonly Server[]): string {
  const { label, server = toolName } = viewToolName(toolName, servers);
  if (label === "*" || label === toolName) return `every tool of the MCP server ${server}`;
  return `the tool ${label} of the MCP server ${server}`;
}

/** `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
