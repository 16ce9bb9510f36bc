/**
 * The command line of 2.1.330: the known flags, and the sessions that it refuses, each with its message.
 * Parts that the bridge always writes alike are not checked. Pure. Protocol reference §1 and §7.
 */

/** The parts of the command line that the stand-in uses. */
export type CommandLine = {
  readonly showVersion: boolean;
  readonly replayUserMessages: boolean;
  readonly includePartialMessages: boolean;
  readonly mayBypassPermissions: boolean;
  readonly forkSession: boolean;
  readonly sessionId?: string;
  readonly resume?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  readonly worktree?: string;
  readonly allowedTools: readonly string[];
};

/** The command line, or the message with which the CLI refuses it. */
export type CommandLineVerdict =
  | { readonly ok: true; readonly commandLine: CommandLine }
  | { readonly ok: false; readonly stderr: string };

/** The values of a flag: none, one value, a value or nothing, as many as follow. */
type Arity = "none" | "one" | "optional" | "many";

type Flags = ReadonlyMap<string, string>;

const FLAGS: Readonly<Record<string, Arity>> = {
  "--add-dir": "many",
  "--agent": "one",
  "--agents": "one",
  "--allow-dangerously-skip-permissions": "none",
  "--allowedTools": "many",
  "--append-system-prompt": "one",
  "--append-system-prompt-file": "one",
  "--betas": "many",
  "--continue": "none",
  "--dangerously-skip-permissions": "none",
  "--debug": "optional",
  "--debug-file": "one",
  "--disallowedTools": "many",
  "--effort": "one",
  "--fallback-model": "one",
  "--fork-session": "none",
  "--forward-subagent-text": "none",
  "--include-hook-events": "none",
  "--include-partial-messages": "none",
  "--input-format": "one",
  "--json-schema": "one",
  "--max-budget-usd": "one",
  "--max-thinking-tokens": "one",
  "--max-turns": "one",
  "--mcp-config": "many",
  "--model": "one",
  "--no-session-persistence": "none",
  "--output-format": "one",
  "--permission-mode": "one",
  "--permission-prompt-tool": "one",
  "--plugin-dir": "one",
  "--print": "none",
  "--replay-user-messages": "none",
  "--resume": "optional",
  "--resume-session-at": "one",
  "--session-id": "one",
  "--setting-sources": "one",
  "--settings": "one",
  "--strict-mcp-config": "none",
  "--system-prompt": "one",
  "--system-prompt-file": "one",
  "--tools": "many",
  "--verbose": "none",
  "--version": "none",
  "--worktree": "one",
};

const ALIASES: Readonly<Record<string, string>> = {
  "-c": "--continue",
  "-d": "--debug",
  "-p": "--print",
  "-r": "--resume",
  "-v": "--version",
  "--allowed-tools": "--allowedTools",
  "--disallowed-tools": "--disallowedTools",
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads `args` as the CLI does. `knownSessions` are the ids that can be resumed; absent: all. */
export function parseCommandLine(
  args: readonly string[],
  knownSessions: readonly string[] | undefined,
): CommandLineVerdict {
  const read = readFlags(args);
  if (typeof read === "string") return { ok: false, stderr: read };
  const problem = findBadSession(read, knownSessions);
  return problem === undefined
    ? { ok: true, commandLine: fromFlags(read) }
    : { ok: false, stderr: problem };
}

/** The message of the CLI for a session that it cannot resume; undefined when it can. */
export function describeUnknownSession(
  resume: string | undefined,
  knownSessions: readonly string[] | undefined,
): string | undefined {
  if (resume === undefined || knownSessions === undefined) return undefined;
  if (knownSessions.includes(resume)) return undefined;
  if (UUID.test(resume)) return `No conversation found with session ID: ${resume}`;
  return (
    "Error: --resume requires a valid session ID or session title when used with --print. Usage: " +
    `claude -p --resume <session-id|title>. Provided value "${resume}" is not a UUID and does not ` +
    "match any session title."
  );
}

function readFlags(args: readonly string[]): Flags | string {
  const flags = new Map<string, string>();
  let rest = args;
  while (rest.length > 0) {
    const taken = takeFlag(rest);
    if (typeof taken === "string") return taken;
    const { name, value } = taken;
    const before = name !== undefined && FLAGS[name] === "many" ? flags.get(name) : undefined;
    if (name !== undefined) flags.set(name, before === undefined ? value : `${before} ${value}`);
    rest = rest.slice(taken.used);
  }
  return flags;
}

/** One flag with its values, or the refusal. A positional prompt counts as one argument without a name. */
function takeFlag(args: readonly string[]): TakenFlag | string {
  const [arg = "", ...rest] = args;
  if (!arg.startsWith("-")) return { value: "", used: 1 };
  const bound = arg.indexOf("=");
  const written = bound < 0 ? arg : arg.slice(0, bound);
  const name = ALIASES[written] ?? written;
  const arity = FLAGS[name];
  if (arity === undefined) return `error: unknown option '${written}'`;
  if (bound >= 0) return { name, value: arg.slice(bound + 1), used: 1 };
  const values = takeValues(arity, rest);
  if (values.length === 0 && (arity === "one" || arity === "many")) {
    return `error: option '${name} <value>' argument missing`;
  }
  return { name, value: values.join(" "), used: 1 + values.length };
}

type TakenFlag = { readonly name?: string; readonly value: string; readonly used: number };

function takeValues(arity: Arity, rest: readonly string[]): readonly string[] {
  if (arity === "none") return [];
  if (arity === "one") return rest.slice(0, 1);
  const end = rest.findIndex((word) => word.startsWith("-"));
  const values = end < 0 ? rest : rest.slice(0, end);
  return arity === "optional" ? values.slice(0, 1) : values;
}

function findBadSession(
  flags: Flags,
  knownSessions: readonly string[] | undefined,
): string | undefined {
  const id = flags.get("--session-id");
  if (id === undefined) return undefined;
  const isContinued = flags.has("--resume") || flags.has("--continue");
  if (isContinued && !flags.has("--fork-session"))
    return "Error: --session-id with --continue or --resume also needs --fork-session.";
  if (!UUID.test(id)) return "Error: Invalid session ID. Must be a valid UUID.";
  if (knownSessions?.includes(id)) return `Error: Session ID ${id} is already in use.`;
  return undefined;
}

function fromFlags(flags: Flags): CommandLine {
  const text = (key: string, flag: string) => {
    const value = flags.get(flag);
    return value === undefined || value === "" ? {} : { [key]: value };
  };
  return {
    showVersion: flags.has("--version"),
    replayUserMessages: flags.has("--replay-user-messages"),
    includePartialMessages: flags.has("--include-partial-messages"),
    mayBypassPermissions:
      flags.has("--dangerously-skip-permissions") ||
      flags.has("--allow-dangerously-skip-permissions"),
    forkSession: flags.has("--fork-session"),
    allowedTools: (flags.get("--allowedTools") ?? "").split(/[ ,]+/),
    ...text("sessionId", "--session-id"),
    ...text("resume", "--resume"),
    ...text("model", "--model"),
    ...text("permissionMode", "--permission-mode"),
    ...text("worktree", "--worktree"),
  };
}
