/** The command line of the bridge. Contract: Command line. */
import { MAX_LINE_BYTES } from "./lines.ts";
import { isLogLevel, type LogLevel } from "./log.ts";

export type BridgeArguments = {
  readonly dir: string;
  readonly claude: string | undefined;
  readonly maxLineBytes: number;
  readonly onEof: "interrupt" | "drain";
  readonly logLevel: LogLevel;
  readonly stateDir: string | undefined;
  /** The file that the session is recorded in. */
  readonly record: string | undefined;
};

export type ParsedArguments =
  | { readonly run: BridgeArguments }
  | { readonly print: "help" | "version" }
  | { readonly problem: string };

export const USAGE = `tugtalk: a bridge between a host and Claude Code, JSON lines on stdin and stdout

usage: tugtalk [options]
       tugtalk doctor [options]   which Claude would be run, and what works with it
       tugtalk replay <file>      plays a recording again, and compares

  --dir <path>                the folder that Claude works in (default: the current one)
  --claude <command>          the Claude Code executable (default: $TUGTALK_CLAUDE, then
                              claude on PATH, then the usual install places)
  --max-line-bytes <n>        the longest line taken on either side (default: ${MAX_LINE_BYTES})
  --on-eof interrupt|drain    when stdin ends: interrupt what runs, or finish it first
                              (default: interrupt)
  --state-dir <path>          where the last conversation of each folder is kept (default:
                              tugtalk in $XDG_STATE_HOME, else in ~/.local/state)
  --log-level <level>         debug, info, warn, error or silent, on stderr (default: warn)
  --record <file>             record both sides of the session, secrets masked, in a new file
  --version                   print the version and end
  --help                      print this text and end

The messages are documented in PROTOCOL.md.
`;

type Setting = (value: string) => Partial<BridgeArguments> | undefined;

const SETTINGS: Readonly<Record<string, Setting>> = {
  "--dir": (dir) => ({ dir }),
  "--claude": (claude) => ({ claude }),
  "--max-line-bytes": (text) =>
    /^[1-9]\d{0,14}$/.test(text) ? { maxLineBytes: Number(text) } : undefined,
  "--on-eof": (onEof) => (onEof === "interrupt" || onEof === "drain" ? { onEof } : undefined),
  "--state-dir": (stateDir) => ({ stateDir }),
  "--log-level": (logLevel) => (isLogLevel(logLevel) ? { logLevel } : undefined),
  "--record": (record) => ({ record }),
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the words after the command. Values follow as the next word or after `=`. */
export function parseArguments(
  words: readonly string[],
  env: Environment,
  cwd: string,
): ParsedArguments {
  let run: BridgeArguments = {
    dir: cwd,
    claude: env["TUGTALK_CLAUDE"] || undefined,
    maxLineBytes: MAX_LINE_BYTES,
    onEof: "interrupt",
    logLevel: "warn",
    stateDir: undefined,
    record: undefined,
  };
  const rest = words.flatMap(splitAtEquals);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === "--help" || name === "-h") return { print: "help" };
    if (name === "--version" || name === "-v") return { print: "version" };
    const chosen = choose(name, rest.shift());
    if (typeof chosen === "string") return { problem: chosen };
    run = { ...run, ...chosen };
  }
  return { run };
}

/** `--name=value` as two words; any other word as it is. */
export function splitAtEquals(word: string): string[] {
  const at = word.startsWith("--") ? word.indexOf("=") : -1;
  return at === -1 ? [word] : [word.slice(0, at), word.slice(at + 1)];
}

/** What one argument sets, or what is wrong with it. */
function choose(name: string, value: string | undefined): Partial<BridgeArguments> | string {
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (setting === undefined) return `unknown argument: ${name}`;
  if (value === undefined || value === "") return `${name} needs a value`;
  return setting(value) ?? `${name}: not a valid value: ${value}`;
}
