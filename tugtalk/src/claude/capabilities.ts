/**
 * What this Claude offers, from its answer to `initialize`. Pure. Nothing here can fail: what has
 * another shape than expected is left out. Protocol reference §13, §19; contract, `session_capabilities`.
 */
import { z } from "zod";
import { compareVersions, isAtLeast } from "../base/versions.ts";
import { definedFields, withoutReserved } from "../messages/envelope.ts";
import type { CommandCategory, LoginKind } from "../messages/session-messages.ts";
import { InitializeResponse } from "../protocol-types.ts";
import type { OutboundDraft } from "../types.ts";

type Capabilities = Extract<OutboundDraft, { type: "session_capabilities" }>;

const text = z.string();
const optionalText = text.optional().catch(undefined);

const Model = z.looseObject({ value: text });
const Agent = z.looseObject({ name: text });
const Command = z.looseObject({
  name: text,
  description: optionalText,
  argumentHint: optionalText,
  aliases: z.array(text).optional().catch(undefined),
  builtin: z.boolean().optional().catch(undefined),
});
type Command = z.infer<typeof Command>;

/**
 * The message that tells of the answer. `version` is for who knows it from elsewhere: only newer CLIs
 * say it in the answer.
 */
export function buildCapabilities(answer: unknown, version?: string): Capabilities {
  const parsed = InitializeResponse.safeParse(answer);
  const { claude_code_version, models, commands, agents, account, ...rest } = parsed.success
    ? parsed.data
    : {};
  const known = claude_code_version ?? version;
  const offered = models && wellFormed(Model, models);
  return definedFields({
    ...withoutReserved(rest),
    type: "session_capabilities",
    models: offered,
    commands: commands && buildCommands(commands),
    agents: agents && wellFormed(Agent, agents),
    permission_modes: permissionModes(known, offered ?? []),
    login: account && loginOf(account),
    account,
    claude_version: known,
  });
}

function buildCommands(commands: readonly unknown[]) {
  const entries = wellFormed(Command, commands);
  // A CLI that marks its own commands has said of the others that they are not.
  const marksBuiltin = entries.some(({ builtin }) => builtin === true);
  return entries.map((entry) =>
    definedFields({ ...entry, category: commandCategory(entry, marksBuiltin) }),
  );
}

// --------------------------------------------------------------------------------------- commands

/** Answered by the CLI itself: no prompt reaches the model (§13). */
const LOCAL =
  "agents autocompact clear color compact config context cost effort fast focus heapdump list-agents mcp " +
  "model output-style recap release-notes reload-plugins reload-skills rename usage";

/** Prompts that are no skills (§13). */
const PROMPTS = "goal init insights pr-comments review security-review";

/** What the CLIs listed as `skills` in `system/init`, without any of the user's own. */
const SKILLS =
  "batch claude-api code-review dataviz debug deep-research doctor fewer-permission-prompts " +
  "keybindings-help loop plugin-authoring run run-skill-generator simplify update-config verify " +
  "workflow-authoring";

const BUILTIN: ReadonlyMap<string, CommandCategory> = new Map([
  ...LOCAL.split(" ").map((name) => [name, "local"] as const),
  ...PROMPTS.split(" ").map((name) => [name, "agent"] as const),
  ...SKILLS.split(" ").map((name) => [name, "skill"] as const),
]);

/** How Claude ends the description of a command that came from a file or a server. */
const FROM_OUTSIDE = /\((?:user|project|local|managed|plugin[^()]*|[^()]*@[^()]*)\)$/;

/**
 * The class of a command, as far as its entry tells; nothing for a built-in one that was not measured.
 * Commands and skills of the user look alike here: both are prompts.
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

// ------------------------------------------------------------------------------- permission modes

/** Known to every CLI that was measured. */
const COMMON_MODES = ["acceptEdits", "bypassPermissions", "default", "dontAsk", "plan"] as const;

/**
 * The permission modes of a CLI (§1). `auto` is told by the models; the rest goes by the version.
 * Nothing where neither says anything.
 */
function permissionModes(
  version: string | undefined,
  models: readonly Readonly<Record<string, unknown>>[],
): string[] | undefined {
  const hasAuto =
    isAtLeast(version, "2.1.197") ||
    models.some(({ supportsAutoMode }) => supportsAutoMode === true);
  if (!hasAuto && !isVersion(version)) return undefined;
  // Between the two versions that were measured it is unknown when `delegate` went.
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
 * Why a CLI of this version cannot be in a permission mode. Nothing where that is not known: of a newer
 * version, or between two of which one has the mode, only Claude can tell.
 */
export function modeRefusal(mode: string, version: string | undefined): string | undefined {
  if (!isVersion(version)) return undefined;
  const older = MEASURED.findLast((one) => compareVersions(one, version) <= 0);
  const newer = MEASURED.find((one) => compareVersions(one, version) >= 0);
  const has = (one: string) => permissionModes(one, [])?.includes(mode) === true;
  if (older === undefined || newer === undefined || has(older) || has(newer)) return undefined;
  return `unsupported: claude ${version} does not know the mode ${mode}`;
}

function isVersion(words: string | undefined): words is string {
  return words !== undefined && /^\d+\.\d+\.\d+/.test(words);
}

// ------------------------------------------------------------------------------------------ login

/** Which login is in use, in the order in which Claude prefers them; nothing where it does not tell. */
function loginOf(account: Readonly<Record<string, unknown>>): LoginKind | undefined {
  const emitted = (field: string) => {
    const value = account[field];
    return typeof value === "string" && value !== "" && value !== "none" ? value : undefined;
  };
  const [provider, token, key] = [
    emitted("apiProvider"),
    emitted("tokenSource"),
    emitted("apiKeySource"),
  ];
  if (provider !== undefined && provider !== "firstParty") return "third_party";
  if (token === "ANTHROPIC_AUTH_TOKEN") return "auth_token";
  if (key !== undefined && key !== "oauth") return "api_key";
  if (token?.startsWith("CLAUDE_CODE_OAUTH_TOKEN") === true) return "oauth_token";
  if (token !== undefined || key === "oauth" || emitted("subscriptionType") !== undefined)
    return "subscription";
  return account["tokenSource"] === "none" ? "none" : undefined;
}

// ------------------------------------------------------------------------------------------ shapes

/** The items of the shape expected; the others are left out. */
function wellFormed<Schema extends z.ZodType>(
  schema: Schema,
  items: readonly unknown[],
): z.infer<Schema>[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
