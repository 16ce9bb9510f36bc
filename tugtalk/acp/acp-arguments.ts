/** The command line of `tugtalk acp`. */
import { readFlags } from "../src/base/flags.ts";
import { MAX_LINE_BYTES } from "../src/base/lines.ts";
import { OPTIONS, sharedArguments } from "../src/edge/arguments.ts";

export const USAGE = `tugtalk acp: Claude Code as an agent of the Agent Client Protocol, on stdin and stdout

usage: tugtalk acp [options]

  --claude <command>      the Claude Code executable (default: $TUGTALK_CLAUDE, then claude on PATH,
                          then the usual install places)
  --max-line-bytes <n>    the longest line accepted on either side (default: ${MAX_LINE_BYTES})
  --state-dir <path>      where the ids of sessions and of their conversations are stored
  --no-hold               answer a prompt at the end of its turn, also while agents that it has started
                          run in the background
  --log-level <level>     debug, info, warn, error or silent, on stderr (default: warn)
  --login                 log in to Claude in this terminal, and exit
  --help                  print this text and exit

Editors start it as they start any agent.
`;

const { claude, help } = OPTIONS;
const ACP_OPTIONS = {
  claude,
  "max-line-bytes": OPTIONS["max-line-bytes"],
  "state-dir": OPTIONS["state-dir"],
  "log-level": OPTIONS["log-level"],
  "no-hold": { type: "boolean" },
  login: { type: "boolean" },
  help,
} as const;

type Shared = ReturnType<typeof sharedArguments>;

export type AcpArguments = Shared & {
  /** The answer of a prompt waits for the agents that its turn has started. */
  readonly isHolding: boolean;
};

type Parsed =
  | { readonly run: AcpArguments }
  | { readonly login: Shared }
  | { readonly print: string }
  | { readonly problem: string };

export function parseAcpArguments(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Parsed {
  const read = readFlags(args, ACP_OPTIONS);
  if ("problem" in read) return read;
  const { flags } = read;
  if (flags.help === true) return { print: USAGE.trimEnd() };
  const shared = sharedArguments(flags, env);
  if (flags.login === true) return { login: shared };
  return { run: { ...shared, isHolding: flags["no-hold"] !== true } };
}
