/** The command line of the bridge. Its flags are documented in `USAGE` and in PROTOCOL.md. */
import { isCount, parseFlags } from "../base/flags.ts";
import { MAX_LINE_BYTES } from "../base/lines.ts";
import {
  exactObject,
  isFlag,
  isName,
  isText,
  oneOf,
  optional,
  refined,
} from "../base/plain-value.ts";
import { unknownWord } from "../base/unknown-word.ts";
import type { BridgeFlags } from "./argument-schemas.ts";
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
                              debug and info log the same)
  --record <file>             record both sides of the session, secrets masked, in a new file
  --multiplex                 many sessions in one process: every line names its channel
  --max-channels <n>          how many channels may be open at once (default: ${MAX_CHANNELS})
  --version                   print the version and exit
  --help                      print this text and exit

The messages are documented in PROTOCOL.md.
`;

/** The words that may come first, and the flags that people take for such words. */
export const COMMANDS = ["host", "doctor", "simulate", "replay", "schema", "--help", "--version"];

/** The flags as `parseArgs` takes them. */
export const OPTIONS = {
  dir: { type: "string" },
  claude: { type: "string" },
  "max-line-bytes": { type: "string" },
  "on-eof": { type: "string" },
  "idle-exit": { type: "string" },
  "state-dir": { type: "string" },
  "log-level": { type: "string" },
  record: { type: "string" },
  multiplex: { type: "boolean" },
  "max-channels": { type: "string" },
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

const count = (digits: number) => refined(isText, (text) => isCount(text, digits));

/** Whether the schema returns the values as they are. */
export const isPlainFlags = exactObject<BridgeFlags>({
  dir: optional(isName),
  claude: optional(isName),
  "max-line-bytes": optional(count(15)),
  "on-eof": optional(oneOf("interrupt", "drain")),
  "idle-exit": optional(count(6)),
  "state-dir": optional(isName),
  "log-level": optional(oneOf(...LOG_LEVELS)),
  record: optional(isName),
  multiplex: optional(isFlag),
  "max-channels": optional(count(6)),
  version: optional(isFlag),
  help: optional(isFlag),
});

function readFlags(
  args: readonly string[],
): { readonly flags: BridgeFlags } | { readonly problem: string } {
  const [word] = args;
  if (word !== undefined && !word.startsWith("-")) return { problem: unknownWord(word, COMMANDS) };
  const parsed = parseFlags(args, OPTIONS);
  if ("problem" in parsed) return parsed;
  const { values } = parsed;
  if (isPlainFlags(values)) return { flags: values };
  const schemas = require("./argument-schemas.ts") as typeof import("./argument-schemas.ts");
  return schemas.checkBridgeFlags(values);
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the arguments after the command. */
export function parseArguments(
  args: readonly string[],
  env: Environment,
  cwd: string,
): ParsedArguments {
  const read = readFlags(args);
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
      claude: flags.claude ?? (env["TUGTALK_CLAUDE"] || undefined),
      maxLineBytes: numberOf(flags["max-line-bytes"]) ?? MAX_LINE_BYTES,
      onEof: flags["on-eof"] ?? "interrupt",
      idleExit: numberOf(flags["idle-exit"]),
      logLevel: flags["log-level"] ?? "warn",
      stateDir: flags["state-dir"],
      record,
      maxChannels: multiplex ? (maxChannels ?? MAX_CHANNELS) : undefined,
    },
  };
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
