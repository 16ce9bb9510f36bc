/** The command line of the bridge. Its flags are documented in `USAGE` and in PROTOCOL.md. */
import { z } from "zod";
import { countFlag, flagValue, readFlags } from "../base/flags.ts";
import { MAX_LINE_BYTES } from "../base/lines.ts";
import { LogLevel } from "./log.ts";

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
};

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
  --version                   print the version and exit
  --help                      print this text and exit

The messages are documented in PROTOCOL.md.
`;

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
  version: { type: "boolean", short: "v" },
  help: { type: "boolean", short: "h" },
} as const;

const Flags = z.object({
  dir: flagValue.optional(),
  claude: flagValue.optional(),
  "max-line-bytes": countFlag(15).default(MAX_LINE_BYTES),
  "on-eof": z.enum(["interrupt", "drain"]).default("interrupt"),
  "idle-exit": countFlag(6).optional(),
  "state-dir": flagValue.optional(),
  "log-level": LogLevel.default("warn"),
  record: flagValue.optional(),
  version: z.boolean().default(false),
  help: z.boolean().default(false),
});

type Environment = Readonly<Record<string, string | undefined>>;

/** Parses the arguments after the command. */
export function parseArguments(
  args: readonly string[],
  env: Environment,
  cwd: string,
): ParsedArguments {
  const read = readFlags(args, OPTIONS, Flags);
  if ("problem" in read) return read;
  const { flags } = read;
  if (flags.help) return { print: "help" };
  if (flags.version) return { print: "version" };
  return {
    run: {
      dir: flags.dir ?? cwd,
      claude: flags.claude ?? (env["TUGTALK_CLAUDE"] || undefined),
      maxLineBytes: flags["max-line-bytes"],
      onEof: flags["on-eof"],
      idleExit: flags["idle-exit"],
      logLevel: flags["log-level"],
      stateDir: flags["state-dir"],
      record: flags.record,
    },
  };
}
