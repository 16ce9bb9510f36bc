/**
 * Builds `session_capabilities` from Claude's answer to `initialize`. Pure; omits fields of an
 * unexpected shape. Protocol reference §13, §19.
 */
import { compareVersions, isAtLeast } from "../base/versions.ts";
import { definedFields, withoutReserved } from "../messages/envelope.ts";
import type { InitializeAnswer } from "../messages/initialize-answer.ts";
import type { CommandCategory, LoginKind } from "../messages/session-messages.ts";
import type { OutboundDraft } from "../types.ts";
import { isInitializeAnswer } from "./plain-checks.generated.ts";

type Capabilities = Extract<OutboundDraft, { type: "session_capabilities" }>;

type Command = NonNullable<InitializeAnswer["commands"]>[number];

function readAnswer(answer: unknown): InitializeAnswer {
  if (isInitializeAnswer(answer)) return answer;
  const schemas =
    require("../messages/initialize-answer.ts") as typeof import("../messages/initialize-answer.ts");
  return schemas.InitializeAnswer.safeParse(answer).data ?? {};
}

/** `version` is the version of a CLI whose answer does not name it. */
export function buildCapabilities(answer: unknown, version?: string): Capabilities {
  const { claude_code_version, commands, ...rest } = readAnswer(answer);
  const known = claude_code_version ?? version;
  return definedFields({
    ...withoutReserved(rest),
    type: "session_capabilities",
    commands: commands && buildCommands(commands),
    permission_modes: permissionModes(known, rest.models ?? []),
    login: rest.account && loginOf(rest.account),
    claude_version: known,
  });
}

function buildCommands(commands: readonly Command[]) {
  // Where a CLI marks its own commands, the others are not built in.
  const marksBuiltin = commands.some(({ builtin }) => builtin === true);
  return commands.map((entry) =>
    definedFields({ ...entry, category: commandCategory(entry, marksBuiltin) }),
  );
}

/** Commands that the CLI runs without the model (§13). */
const LOCAL =
  "agents autocompact clear color compact config context cost effort fast focus heapdump list-agents mcp " +
  "model output-style recap release-notes reload-plugins reload-skills rename usage";

/** Commands that are prompts but not skills (§13). */
const PROMPTS = "goal init insights pr-comments review security-review";

/** Built-in `skills` of `system/init`. */
const SKILLS =
  "batch claude-api code-review dataviz debug deep-research doctor fewer-permission-prompts " +
  "keybindings-help loop plugin-authoring run run-skill-generator simplify update-config verify " +
  "workflow-authoring";

const BUILTIN: ReadonlyMap<string, CommandCategory> = new Map([
  ...LOCAL.split(" ").map((name) => [name, "local"] as const),
  ...PROMPTS.split(" ").map((name) => [name, "agent"] as const),
  ...SKILLS.split(" ").map((name) => [name, "skill"] as const),
]);

/** The end of a description of a command from a file or a server. */
const FROM_OUTSIDE = /\((?:user|project|local|managed|plugin[^()]*|[^()]*@[^()]*)\)$/;

/**
 * The category of a command. Undefined for an unknown built-in one. Commands and skills of the user
 * look the same: both are prompts.
 */
export function commandCategory(
  { name, description = "", builtin }: Command,
  marksBuiltin: boolean,
): CommandCategory | undefined {
  if (description.endsWith("(bundled)")) return "skill";
  const isForeign = name.endsWith("(MCP)") || FROM_OUTSIDE.test(description);
  if (builtin !== true && (isForeign || marksBuiltin)) return "agent";
  return BUILTIN.get(name);
}

/** Modes of every measured CLI. */
const COMMON_MODES = ["acceptEdits", "bypassPermissions", "default", "dontAsk", "plan"] as const;

/** The permission modes of a CLI (§1). The models show `auto`, the version shows the others. */
function permissionModes(
  version: string | undefined,
  models: readonly Readonly<Record<string, unknown>>[],
): string[] | undefined {
  const hasAuto =
    isAtLeast(version, "2.1.197") ||
    models.some(({ supportsAutoMode }) => supportsAutoMode === true);
  if (!hasAuto && !isVersion(version)) return undefined;
  // `delegate` was removed between 2.1.38 and 2.1.197.
  const hasDelegate = !hasAuto && isVersion(version) && !isAtLeast(version, "2.1.39");
  return [
    ...COMMON_MODES,
    ...(hasAuto ? ["auto"] : []),
    ...(hasDelegate ? ["delegate"] : []),
    ...(isAtLeast(version, "2.1.330") ? ["manual"] : []),
  ].sort((one, other) => one.localeCompare(other));
}

/** The versions of which all modes are known. */
const MEASURED = ["2.1.38", "2.1.197", "2.1.330"] as const;

/**
 * Why a CLI of this version lacks a permission mode. Undefined where that is unknown: for newer
 * versions, and between two measured ones of which one has the mode.
 */
export function modeRefusal(mode: string, version: string | undefined): string | undefined {
  if (!isVersion(version)) return undefined;
  const older = MEASURED.findLast((one) => compareVersions(one, version) <= 0);
  const newer = MEASURED.find((one) => compareVersions(one, version) >= 0);
  const has = (one: string) => permissionModes(one, [])?.includes(mode) === true;
  if (older === undefined || newer === undefined || has(older) || has(newer)) return undefined;
  return `unsupported: claude ${version} does not know the mode ${mode}`;
}

function isVersion(text: string | undefined): text is string {
  return text !== undefined && /^\d+\.\d+\.\d+/.test(text);
}

/** The login in use; Claude prefers the first that is set. Undefined where the account does not show it. */
function loginOf(account: Readonly<Record<string, unknown>>): LoginKind | undefined {
  const textOf = (field: string) => {
    const value = account[field];
    return typeof value === "string" && value !== "" && value !== "none" ? value : undefined;
  };
  const provider = textOf("apiProvider");
  const token = textOf("tokenSource");
  const key = textOf("apiKeySource");
  if (provider !== undefined && provider !== "firstParty") return "third_party";
  if (token === "ANTHROPIC_AUTH_TOKEN") return "auth_token";
  if (key !== undefined && key !== "oauth") return "api_key";
  if (token?.startsWith("CLAUDE_CODE_OAUTH_TOKEN") === true) return "oauth_token";
  if (token !== undefined || key === "oauth" || textOf("subscriptionType") !== undefined)
    return "subscription";
  return account["tokenSource"] === "none" ? "none" : undefined;
}
