/**
 * Which Claude is started, and in what environment. Protocol reference §1; contract, command line.
 */
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { TugtalkError } from "../messages/errors.ts";
import type { SessionOptions } from "../messages/options.ts";

/** Entries that change how Claude or its runtime behaves and that were meant for us. */
const NEVER_INHERITED = /^(CLAUDECODE.*|NODE_OPTIONS|DEBUG)$/i;

/** Entries that log Claude in, and bill per token where a subscription was meant. */
const LOGIN = /^(ANTHROPIC_API_KEY|ANTHROPIC_AUTH_TOKEN|CLAUDE_CODE_OAUTH_TOKEN)$/i;

type Environment = Readonly<Record<string, string | undefined>>;

/** Without it Claude keeps no copies of files, and `rewind_files` has nothing to go back to. */
const CHECKPOINTS = "CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING";

/** The environment of Claude: ours, without what is not meant for it, with the host's entries on top. */
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

/** The shortest value of an entry that is taken out of a text: shorter ones are flags and numbers. */
const MIN_HIDDEN_CHARS = 8;

/** A text with `$NAME` in place of the value of each of these entries, which may be a secret. */
export function hideValues(text: string, { env = {} }: SessionOptions): string {
  const entries = Object.entries(env).map(([name, value]) => ({ name, value: value ?? "" }));
  return entries
    .filter(({ value }) => value.length >= MIN_HIDDEN_CHARS)
    .sort((one, other) => other.value.length - one.value.length)
    .reduce((hidden, { name, value }) => hidden.replaceAll(value, () => `$${name}`), text);
}

/** The words that start Claude: the command given, or the first one found. Throws `claude_not_found`. */
export function findClaude(wanted: string | undefined): readonly string[] {
  if (wanted !== undefined) return startOf(wanted);
  const found = Bun.which("claude") ?? usualPlaces().find((path) => Bun.which(path) !== null);
  if (found !== undefined) return [found];
  throw new TugtalkError(
    "claude_not_found",
    "cannot start claude: not on PATH; install it, or name it with --claude or TUGTALK_CLAUDE",
  );
}

function startOf(command: string): readonly string[] {
  // Claude works in another folder: a path is meant from this one.
  const path = command.includes("/") ? resolve(command) : command;
  if (/\.[cm]?js$/.test(path)) return ["node", path];
  if (Bun.which(path) !== null) return [path];
  throw new TugtalkError("claude_not_found", `cannot start ${command}: no such executable`);
}

/** A host that was not started from a shell has a short PATH. */
function usualPlaces(): string[] {
  const home = homedir();
  return [
    join(home, ".local/bin/claude"),
    join(home, ".claude/local/claude"),
    "/usr/local/bin/claude",
    "/opt/homebrew/bin/claude",
  ];
}
