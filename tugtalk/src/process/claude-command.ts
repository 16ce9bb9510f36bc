/** The command that starts Claude, and its environment. Protocol reference §1; contract, command line. */
import { join, resolve } from "node:path";
import { homeFolder } from "../base/home-folder.ts";
import { TugtalkError } from "../messages/errors.ts";
import type { SessionOptions } from "../messages/options.ts";

/** Entries for this process that would change how Claude or its runtime behaves. */
const NEVER_INHERITED = /^(CLAUDECODE.*|NODE_OPTIONS|DEBUG)$/i;

/** Entries that log Claude in; an API key bills per token, also where the user has a subscription. */
const LOGIN = /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN)$/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** Makes Claude keep copies of files, which `rewind_files` needs. */
const CHECKPOINTS = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";

/** Our environment without the variables that are not for Claude, overridden by the host's entries. */
export function buildEnvironment(
  own: Environment,
  { env = {}, use_api_key }: SessionOptions,
): Record<string, string> {
  const isPassed = (name: string) =>
    !NEVER_INHERITED.test(name) && (use_api_key !== false || !LOGIN.test(name));
  const inherited = Object.entries(own).filter(([name]) => isPassed(name));
  const entries = Object.entries({ [CHECKPOINTS]: "1", ...Object.fromEntries(inherited), ...env });
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

/** The command line of Claude: the given command, or the first one found. Throws `claude_not_found`. */
export function findClaude(wanted: string | undefined): readonly string[] {
  if (wanted !== undefined) return commandLine(wanted);
  const found = Bun.which("claude") ?? usualPaths().find((path) => Bun.which(path) !== null);
  if (found !== undefined) return [found];
  throw new TugtalkError(
    "claude_not_found",
    "cannot start claude: not on PATH; install it, or name it with --claude or TUGTALK_CLAUDE",
  );
}

function commandLine(command: string): readonly string[] {
  // Claude runs in another folder; a relative path is relative to this one.
  const path = command.includes("/") ? resolve(command) : command;
  if (/\.[cm]?js$/.test(path)) return ["node", path];
  // With our own runtime: `bun` need not be on PATH.
  if (path.endsWith(".ts") && exists(path)) return [process.execPath, path];
  if (Bun.which(path) !== null) return [path];
  throw new TugtalkError("claude_not_found", `cannot start ${command}: no such executable`);
}

// Loaded only here, since an import slows every start of the bridge.
function exists(path: string): boolean {
  return process.getBuiltinModule("node:fs").existsSync(path);
}

/** A host that was not started from a shell has a short PATH. */
function usualPaths(): string[] {
  const home = homeFolder();
  return [
    join(home, ".local/bin/claude"),
    join(home, ".claude/local/claude"),
    "/usr/local/bin/claude",
    "/opt/homebrew/bin/claude",
  ];
}
