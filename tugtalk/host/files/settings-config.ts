/** The grants and the started programs in a file of Claude's settings. Pure. */
import {
  entryIn,
  type Fields,
  isFields,
  objectOf,
  objectsOf,
  textOf,
  textsOf,
} from "../../client/claude-value.ts";
import type { FolderConfig } from "../../client/host-api.ts";
import type { ConfigFile } from "./config-file.ts";

/** Settings whose value is a command line, or an object with one. */
const COMMAND_SETTINGS = [
  "apiKeyHelper",
  "awsAuthRefresh",
  "awsCredentialExport",
  "fileSuggestion",
  "gcpAuthRefresh",
  "otelHeadersHelper",
  "processWrapper",
  "proxyAuthHelper",
  "statusLine",
  "subagentStatusLine",
];

/** Settings that name plugins, or their sources. */
const PLUGIN_SETTINGS = [
  "enabledPlugins",
  "extraKnownMarketplaces",
  "additionalMarketplaces",
  "pluginConfigs",
];

/** Settings that have a list of their own in the findings. */
const LISTED_SETTINGS: ReadonlySet<string> = new Set([
  ...COMMAND_SETTINGS,
  ...PLUGIN_SETTINGS,
  ...["hooks", "mcpServers", "env", "permissions"],
]);

/**
 * Settings that grant and start nothing: settings of the display and the model, and rules that only refuse.
 */
const HARMLESS_SETTINGS: ReadonlySet<string> = new Set([
  ...["$schema", "language", "model", "effortLevel", "maxEffortLevel", "modelSettings"],
  ...["alwaysThinkingEnabled", "showThinkingSummaries", "outputStyle", "fallbackModel"],
  ...["attribution", "includeCoAuthoredBy", "includeGitInstructions", "respectGitignore"],
  ...["theme", "editorMode", "verbose", "tui", "viewMode", "spellCheck", "vimInsertModeRemaps"],
  ...["spinnerVerbs", "spinnerTipsEnabled", "spinnerTipsOverride", "companyAnnouncements"],
  ...["showTurnDuration", "showMessageTimestamps", "terminalProgressBarEnabled"],
  ...["syntaxHighlightingDisabled", "prefersReducedMotion", "autoScrollEnabled", "timeFormat"],
  ...["feedbackSurveyRate", "promptSuggestionEnabled", "awaySummaryEnabled", "timeZone"],
  ...["autoCompactEnabled", "autoCompactWindow", "fileCheckpointingEnabled", "autoUpdatesChannel"],
  // Choices among the servers of `.mcp.json`, which the findings list in any case.
  ...["enableAllProjectMcpServers", "enabledMcpjsonServers", "disabledMcpjsonServers"],
  ...["allowedMcpServers", "deniedMcpServers", "disableClaudeAiConnectors"],
  ...["disableAllHooks", "disableBundledSkills", "disableSkillShellExecution"],
  ...["disableWorkflows", "disableAgentView", "disableRemoteControl", "claudeMdExcludes"],
]);

const STRICT_MODES: ReadonlySet<unknown> = new Set(["default", "manual", "plan", "dontAsk"]);

/** The findings in one file of settings. Unknown settings count as grants. */
export function settingsConfig(file: ConfigFile): Partial<FolderConfig> {
  const { fields, source } = file;
  return {
    hooks: hooksOf(fields["hooks"], source),
    ...serversConfig(file),
    commands: commandsOf(file),
    env: entriesOf(fields["env"]).map(([name, value]) => ({
      name,
      value: formatValue(value),
      source,
    })),
    permissions: permissionsOf(fields["permissions"], source),
    plugins: pluginsOf(file),
    settings: Object.entries(fields)
      .filter(([setting]) => !LISTED_SETTINGS.has(setting) && !HARMLESS_SETTINGS.has(setting))
      .map(([setting, value]) => ({ setting, value: formatValue(value), source })),
  };
}

/** The findings in one `.mcp.json`. */
export function serversConfig({ fields, source }: ConfigFile): Partial<FolderConfig> {
  return { mcp_servers: serversOf(fields["mcpServers"], source) };
}

/** The findings in one `scheduled_tasks.json`: Claude takes its prompts as messages at their times. */
export function scheduleConfig({ fields, source }: ConfigFile): Partial<FolderConfig> {
  const tasks = [fields["tasks"]].flat().filter((task) => task !== undefined);
  const settings = tasks.map((task) => {
    const { cron, prompt = task } = objectOf(task) ?? {};
    const setting = cron === undefined ? "scheduled task" : `scheduled task ${formatValue(cron)}`;
    return { setting, value: formatValue(prompt), source };
  });
  return { settings };
}

/** The MCP servers of a table. */
export function serversOf(table: unknown, source: string): FolderConfig["mcp_servers"] {
  return entriesOf(table).map(([name, server]) => ({
    name,
    command: commandOf(objectOf(server) ?? {}) ?? formatValue(server),
    source,
  }));
}

/** The hooks of a table of events. */
export function hooksOf(table: unknown, source: string): FolderConfig["hooks"] {
  return entriesOf(table).flatMap(([event, groups]) =>
    objectsOf(groups).flatMap((group) => {
      const matcher = textOf(group["matcher"]);
      return objectsOf(group["hooks"]).map((hook) => ({
        event,
        ...(matcher !== undefined && { matcher }),
        command: commandOf(hook) ?? formatValue(hook),
        source,
      }));
    }),
  );
}

/** Whether this permission mode asks at least as often as the default mode. */
export function isStrictMode(mode: unknown): boolean {
  return mode === undefined || STRICT_MODES.has(mode);
}

/** A text unchanged, and any other value as JSON. */
export function formatValue(value: unknown): string {
  return textOf(value) ?? JSON.stringify(value);
}

function commandsOf({ fields, source }: ConfigFile): FolderConfig["commands"] {
  return COMMAND_SETTINGS.flatMap((setting) => {
    const value = entryIn(fields, setting);
    const command = textOf(value) ?? commandOf(objectOf(value) ?? {});
    return command === undefined ? [] : [{ setting, command, source }];
  });
}

/** Rules, the mode and further folders. Rules that only ask or deny are no grants. */
function permissionsOf(value: unknown, source: string): FolderConfig["permissions"] {
  if (value === undefined) return [];
  const { ask, deny, defaultMode, disableBypassPermissionsMode, ...granted } = objectOf(value) ?? {
    permissions: value,
  };
  const mode = isStrictMode(defaultMode) ? {} : { defaultMode };
  return Object.entries({ ...granted, ...mode }).flatMap(([setting, grants]) =>
    [grants].flat().map((grant) => ({ setting, value: formatValue(grant), source })),
  );
}

/** The plugins, without disabled ones. */
function pluginsOf({ fields, source }: ConfigFile): FolderConfig["plugins"] {
  return PLUGIN_SETTINGS.flatMap((setting) =>
    entriesOf(entryIn(fields, setting))
      .filter(([, value]) => value !== false)
      .map(([name, value]) => ({
        setting,
        value: value === true ? name : `${name}: ${formatValue(value)}`,
        source,
      })),
  );
}

function commandOf(starts: Fields): string | undefined {
  const command = textOf(starts["command"]);
  if (command === undefined) return textOf(starts["url"]);
  return [command, ...textsOf(starts["args"])].join(" ");
}

function entriesOf(value: unknown): [name: string, value: unknown][] {
  return isFields(value) ? Object.entries(value) : [];
}
