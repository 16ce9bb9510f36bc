/** The command line of the bridge. Its flags are documented in `USAGE` and in protocol/command-line.md. */
import { count, oneOf, present, readFlags } from "../base/flags.ts";
import { MAX_LINE_BYTES } from "../base/lines.ts";
import { LOG_LEVELS, type LogLevel } from "./log.ts";

export type BridgeArguments = {
  readonly dir: string;
  readonly claude: string | undefined;
  readonly maxLineBytes: number;
  readonly onEof: "interrupt" | "drain";
  /** After how long without a byte the host is taken for gone, in seconds. */
  readonly idleExit: number | undefined;
  readonly logLevel: LogLevel;
  readonly stateDir: string | undefined;
  /** The file to record the session in. */
  readonly record: string | undefined;
  /** How many channels may be open at once; undefined for one session without channels. */
  readonly maxChannels: number | undefined;
};

/** The default limit of channels. */
export const MAX_CHANNELS = 64;

export type ParsedArguments =
  | { readonly run: BridgeArguments }
  | { readonly print: "help" | "version" }
  | { readonly problem: string };

export const USAGE = `tugtalk: a bridge between a host and Claude Code, JSON lines on stdin and stdout

usage: tugtalk [options]
       tugtalk host [options]       serves sessions to browsers and scripts
       tugtalk acp [options]        an agent of the Agent Client Protocol, for editors
       tugtalk doctor [options]     shows which Claude would be started, and what works with it
       tugtalk simulate [scenario]  a bridge whose Claude is a simulator, to build a frontend with
       tugtalk replay <file>        plays a recording again, and compares it
       tugtalk schema               prints the JSON Schema of all messages

  --dir <path>                the folder that Claude works in (default: the current one)
  --claude <command>          the Claude Code executable (default: $TUGTALK_CLAUDE, then
                              claude on PATH, then the usual install places)
  --max-line-bytes <n>        the longest line accepted on either side (default: ${MAX_LINE_BYTES})
  --on-eof interrupt|drain    when stdin ends: interrupt the running turn, or finish it
                              (default: interrupt)
  --idle-exit <seconds>       end as if stdin had ended when not a byte came for so long; a blank
                              line is enough to go on (default: wait for ever)
  --state-dir <path>          where the id of the last conversation of each folder is stored (default:
                              tugtalk in $XDG_STATE_HOME, else in ~/.local/state)
  --log-level <level>         debug, info, warn, error or silent, on stderr (default: warn;
                              debug and info log the same as warn)
  --record <file>             record both sides of the session, secrets masked, in a new file
  --multiplex                 many sessions in one process: every line names its channel
  --max-channels <n>          how many channels may be open at once (default: ${MAX_CHANNELS})
  --version                   print the version and exit
  --help                      print this text and exit

The messages are documented in PROTOCOL.md and protocol/.
`;

/** The flags as `parseArgs` takes them, each with the check of its value. */
export const OPTIONS = {
  dir: { type: "string", check: present },
  claude: { type: "string", check: present },
  "max-line-bytes": { type: "string", check: count(15) },
  "on-eof": { type: "string", check: oneOf("interrupt", "drain") },
  "idle-exit": { type: "string", check: count(6) },
  "state-dir": { type: "string", check: present },
  "log-level": { type: "string", check: oneOf(...LOG_LEVELS) },
  record: { type: "string", check: present },
  multiplex: { type: "boolean" },
  "max-channels": { type: "string", check: count(6) },
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the arguments after the command. */
export function parseArguments(
  args: readonly string[],
  env: Environment,
  cwd: string,
): ParsedArguments {
  const read = readFlags(args, OPTIONS);
  if ("problem" in read) return read;
  const { flags } = read;
  if (flags.help === true) return { print: "help" };
  if (flags.version === true) return { print: "version" };
  const { multiplex = false, record } = flags;
  const maxChannels = numberOf(flags["max-channels"]);
  if (multiplex && record !== undefined)
    return { problem: "--record: a recording is of one session, without --multiplex" };
  if (!multiplex && maxChannels !== undefined)
    return { problem: "--max-channels: only with --multiplex" };
  return {
    run: {
      dir: flags.dir ?? cwd,
      ...sharedArguments(flags, env),
      onEof: flags["on-eof"] === "drain" ? "drain" : "interrupt",
      idleExit: numberOf(flags["idle-exit"]),
      record,
      maxChannels: multiplex ? (maxChannels ?? MAX_CHANNELS) : undefined,
    },
  };
}

type SharedFlags = {
  readonly [Name in "claude" | "max-line-bytes" | "state-dir" | "log-level"]?: string;
};

/** The flags that every edge of the bridge takes. */
export function sharedArguments(
  flags: SharedFlags,
  env: Environment,
): Pick<BridgeArguments, "claude" | "maxLineBytes" | "logLevel" | "stateDir"> {
  return {
    claude: flags.claude ?? (env["TUGTALK_CLAUDE"] || undefined),
    maxLineBytes: numberOf(flags["max-line-bytes"]) ?? MAX_LINE_BYTES,
    logLevel: LOG_LEVELS.find((level) => level === flags["log-level"]) ?? "warn",
    stateDir: flags["state-dir"],
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
