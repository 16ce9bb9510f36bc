/** The grants in the front matter of an agent, a command or a skill. Pure. */
import { type Fields, objectOf } from "../../client/claude-value.ts";
import type { FolderConfig } from "../../client/host-api.ts";
import { formatValue, hooksOf, isStrictMode, serversOf } from "./settings-config.ts";

const FRONT_MATTER = /^---\s*\n([\s\S]*?)---[^\S\n]*(\n|$)/;

/** A line whose value is no valid YAML, for example `argument-hint: [file] [line]`. */
const PLAIN_VALUE = /^([\w-]+):[^\S\n]+([^\s"'][^\n]*)$/gm;

/** The grants in the front matter of this text; none without a front matter. */
export function frontMatterConfig(text: string, source: string): Partial<FolderConfig> {
  const matter = FRONT_MATTER.exec(text.replaceAll("\r\n", "\n"))?.[1];
  if (matter === undefined) return {};
  const fields = parsed(matter) ?? parsed(matter.replace(PLAIN_VALUE, quoted));
  if (fields === undefined) return { unreadable: [source] };
  const { hooks, mcpServers, permissionMode: mode, "allowed-tools": tools } = fields;
  return {
    hooks: hooksOf(hooks, source),
    mcp_servers: [mcpServers].flat().flatMap((servers) => serversOf(servers, source)),
    permissions: [
      ...grants("allowed-tools", tools, source),
      ...(isStrictMode(mode) ? [] : grants("permissionMode", mode, source)),
    ],
  };
}

function grants(setting: string, value: unknown, source: string): FolderConfig["permissions"] {
  return [value]
    .flat()
    .filter((grant) => grant !== undefined && grant !== null && grant !== "")
    .map((grant) => ({ setting, value: formatValue(grant), source }));
}

/** Undefined if the text is no YAML of a table. */
function parsed(matter: string): Fields | undefined {
  try {
    return objectOf(Bun.YAML.parse(matter) ?? {});
  } catch {
    return undefined;
  }
}

function quoted(_line: string, key: string, value: string): string {
  return `${key}: ${JSON.stringify(value)}`;
}
