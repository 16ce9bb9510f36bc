/** The command line of `tugtalk doctor`. */
import { count, present, readFlags } from "../src/base/flags.ts";

export type DoctorArguments = {
  readonly claude: string | undefined;
  readonly asJson: boolean;
  readonly probe: boolean;
  /** The longest wait for one step, in ms. */
  readonly timeoutMs: number;
};

export const DOCTOR_USAGE = `tugtalk doctor: shows which Claude Code would be started, and what works with it

usage: tugtalk doctor [options]

  --claude <command>   the Claude Code executable (default: as tugtalk itself)
  --json               print one JSON object
  --probe              also run a self-test of the bridge with it; needs no network and no account
  --timeout-ms <n>     the longest wait for one step (default: 30000)
  --help               print this text

exit code: 0 usable, 1 not usable or the self-test failed, 2 bad arguments
`;

const OPTIONS = {
  claude: { type: "string", check: present },
  json: { type: "boolean" },
  probe: { type: "boolean" },
  "timeout-ms": { type: "string", check: count(9) },
  help: { type: "boolean", short: "h" },
} as const;

/** Parses the arguments after `doctor`. */
export function parseDoctorArguments(
  args: readonly string[],
): DoctorArguments | { readonly help: true } | { readonly problem: string } {
  const read = readFlags(args, OPTIONS);
  if ("problem" in read) return read;
  const {
    claude,
    json = false,
    probe = false,
    help,
    "timeout-ms": timeoutMs = 30_000,
  } = read.flags;
  return help === true ? { help } : { claude, asJson: json, probe, timeoutMs: Number(timeoutMs) };
}
