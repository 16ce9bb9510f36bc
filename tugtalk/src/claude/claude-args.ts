/**
 * The command line of Claude. Values are always `--flag=value`, so that a value with a leading dash
 * cannot become a flag. Protocol reference §1, §7; D01, D06, D10.
 */
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

/** Needed for the stream, the prompts and the echoes (§1, PN-20). */
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
  return [
    ...ALWAYS,
    ...sessionArgs(config),
    ...valued("model", config.model),
    ...valued("permission-mode", config.permissionMode),
    ...optionArgs(config.options ?? {}),
  ];
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

function sessionArgs(config: ClaudeSpawnConfig): string[] {
  return [
    ...valued("resume", config.sessionId),
    ...present("continue", config.continue),
    ...present("fork-session", config.forkSession),
    ...valued("session-id", config.sessionIdOverride),
    ...valued("resume-session-at", config.resumeAt),
  ];
}

function optionArgs(options: ArgumentOptions): string[] {
  return [
    ...valued("system-prompt-file", options.system_prompt),
    ...valued("append-system-prompt-file", options.append_system_prompt),
    ...repeated("allowed-tools", options.allowed_tools),
    ...repeated("disallowed-tools", options.disallowed_tools),
    ...repeated("add-dir", options.add_dirs),
    ...repeated("plugin-dir", options.plugin_dirs),
    ...valued("mcp-config", options.mcp_config),
    ...valued("settings", options.settings),
    ...valued("max-turns", options.max_turns),
    ...valued("max-budget-usd", options.max_budget_usd),
    ...valued("json-schema", options.json_schema && JSON.stringify(options.json_schema)),
    ...valued("fallback-model", options.fallback_model),
    ...valued("effort", options.effort),
    ...valued("max-thinking-tokens", options.max_thinking_tokens),
    ...present("include-hook-events", options.hook_events),
  ];
}

function flag(name: string, value: string | number): string {
  return `--${name}=${value}`;
}

function valued(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag(name, value)];
}

function repeated(name: string, values: readonly string[] | undefined): string[] {
  return (values ?? []).map((value) => flag(name, value));
}

function present(name: string, isWanted: boolean | undefined): string[] {
  return isWanted === true ? [`--${name}`] : [];
}

/**
 * Moves the prompts and each JSON object into files: they may hold secrets or exceed the length of an
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
