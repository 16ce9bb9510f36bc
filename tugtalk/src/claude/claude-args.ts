/**
 * The command line of Claude. Values are always `--flag=value`, so that a value with a leading dash
 * cannot become a flag. Protocol reference §1, §7.
 */

import { HOST_SERVER } from "../messages/host-server.ts";
import type { SessionOptions } from "../messages/options.ts";

/** `sessionId` and `continue` exclude each other. Only a fork has `sessionIdOverride` beside them. */
export type ClaudeSpawnConfig = {
  /** The conversation to resume (`--resume`). */
  readonly sessionId?: string | undefined;
  /** Resumes the newest conversation of the folder (`--continue`). */
  readonly continue?: boolean | undefined;
  /** Forks the conversation that `sessionId` or `continue` names. */
  readonly forkSession?: boolean | undefined;
  /** The id of the new or forked conversation (`--session-id`). */
  readonly sessionIdOverride?: string | undefined;
  /** The uuid of the last line to resume (`--resume-session-at`). */
  readonly resumeAt?: string | undefined;
  readonly model?: string | undefined;
  readonly permissionMode?: string | undefined;
  readonly options?: ArgumentOptions | undefined;
};

/** Session options with paths of files in place of secret or long values. */
export type ArgumentOptions = Omit<SessionOptions, FileOption> &
  Partial<Record<FileOption, string | undefined>>;

type JsonOption = "mcp_config" | "settings";
type PromptOption = "system_prompt" | "append_system_prompt";
type FileOption = JsonOption | PromptOption;

/** Needed for the stream, the prompts and the echoes (§1). */
const ALWAYS = [
  "--output-format=stream-json",
  "--input-format=stream-json",
  "--verbose",
  "--include-partial-messages",
  "--replay-user-messages",
  "--permission-prompt-tool=stdio",
] as const;

/** The arguments after the executable. Throws where Claude would refuse the combination. */
export function buildClaudeArgs(config: ClaudeSpawnConfig): string[] {
  refuseImpossible(config);
  const { options = {} } = config;
  const flags = {
    resume: config.sessionId,
    continue: config.continue,
    "fork-session": config.forkSession,
    "session-id": config.sessionIdOverride,
    "resume-session-at": config.resumeAt,
    model: config.model,
    "permission-mode": config.permissionMode,
    "system-prompt-file": options.system_prompt,
    "append-system-prompt-file": options.append_system_prompt,
    "allowed-tools": allowedTools(options),
    "disallowed-tools": options.disallowed_tools,
    "add-dir": options.add_dirs,
    "plugin-dir": options.plugin_dirs,
    "mcp-config": options.mcp_config,
    settings: options.settings,
    "max-turns": options.max_turns,
    "max-budget-usd": options.max_budget_usd,
    "json-schema": options.json_schema && JSON.stringify(options.json_schema),
    "fallback-model": options.fallback_model,
    effort: options.effort,
    "max-thinking-tokens": options.max_thinking_tokens,
    "include-hook-events": options.hook_events,
    worktree: options.worktree,
  };
  return [...ALWAYS, ...Object.entries(flags).flatMap(([name, value]) => formatFlag(name, value))];
}

/** With the host's tools that need no prompt. */
function allowedTools({ allowed_tools = [], host_tools = [] }: ArgumentOptions): string[] {
  const free = host_tools.filter(({ permission }) => permission === "allow");
  return [...allowed_tools, ...free.map(({ name }) => `mcp__${HOST_SERVER}__${name}`)];
}

type FlagValue = string | number | boolean | readonly string[] | undefined;

/** A list repeats its flag; true is a flag without a value. */
function formatFlag(name: string, value: FlagValue): string[] {
  if (value === undefined || value === false) return [];
  if (value === true) return [`--${name}`];
  return [value].flat().map((one) => `--${name}=${one}`);
}

function refuseImpossible(config: ClaudeSpawnConfig): void {
  const isResumed = config.sessionId !== undefined;
  const isContinued = config.continue === true;
  const isForked = config.forkSession === true;
  const goesOn = isResumed || isContinued;
  if (isResumed && isContinued)
    throw new Error("cannot both resume a session and continue the newest one");
  if (config.resumeAt !== undefined && !isResumed)
    throw new Error("cannot resume at a message without a session to resume");
  if (isForked && !goesOn) throw new Error("cannot fork without a session to fork from");
  if (config.sessionIdOverride !== undefined && goesOn && !isForked)
    throw new Error("cannot choose the id of a session that goes on; fork it instead");
}

/**
 * Moves the prompts and each JSON object into files. They may hold secrets or exceed the length of an
 * argument, and every user of the machine can read a command line. `writeFile` returns a path.
 */
export function withSecretsInFiles(
  options: SessionOptions,
  writeFile: (name: string, text: string) => string,
): ArgumentOptions {
  const promptFile = (name: PromptOption): string | undefined => {
    const text = options[name];
    return text === undefined ? undefined : writeFile(`${name}.txt`, text);
  };
  const jsonFile = (name: JsonOption): string | undefined => {
    const value = options[name];
    if (value === undefined) return undefined;
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.trimStart().startsWith("{") ? writeFile(`${name}.json`, text) : text;
  };
  return {
    ...options,
    system_prompt: promptFile("system_prompt"),
    append_system_prompt: promptFile("append_system_prompt"),
    mcp_config: jsonFile("mcp_config"),
    settings: jsonFile("settings"),
  };
}
