/** The command line of `tugtalk doctor`. */
import { splitAtEquals } from "../src/arguments.ts";

export type DoctorArguments = {
  readonly claude: string | undefined;
  readonly asJson: boolean;
  readonly probe: boolean;
  /** The longest wait for one step, in ms. */
  readonly timeoutMs: number;
};

/** The words of `tugtalk doctor --help`. */
export const DOCTOR_USAGE = `tugtalk doctor: tells which Claude Code would be run, and what works with it

usage: tugtalk doctor [options]

  --claude <command>   the Claude Code executable (default: as tugtalk itself)
  --json               print one JSON object
  --probe              also run a self-test of the bridge with it; needs no network and no account
  --timeout-ms <n>     the longest wait for one step (default: 30000)
  --help               print this text and end

exit code: 0 usable, 1 not usable or the self-test failed, 2 bad arguments
`;

const TIMEOUT_MS = 30_000;

/** Reads the words after `doctor`. Values follow as the next word or after `=`. */
export function parseDoctorArguments(
  words: readonly string[],
): DoctorArguments | { readonly help: true } | { readonly problem: string } {
  let args: DoctorArguments = {
    claude: undefined,
    asJson: false,
    probe: false,
    timeoutMs: TIMEOUT_MS,
  };
  const rest = words.flatMap(splitAtEquals);
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (name === "--help" || name === "-h") return { help: true };
    const chosen = choose(name, rest);
    if (typeof chosen === "string") return { problem: chosen };
    args = { ...args, ...chosen };
  }
  return args;
}

/** What one argument sets, or what is wrong with it. Takes its value from `rest`. */
function choose(name: string, rest: string[]): Partial<DoctorArguments> | string {
  switch (name) {
    case "--json":
      return { asJson: true };
    case "--probe":
      return { probe: true };
    case "--claude": {
      const claude = rest.shift();
      return claude === undefined || claude === "" ? `${name} needs a value` : { claude };
    }
    case "--timeout-ms": {
      const text = rest.shift() ?? "";
      const isValid = /^[1-9]\d{0,8}$/.test(text);
      return isValid ? { timeoutMs: Number(text) } : `${name}: not a valid value: ${text}`;
    }
    default:
      return `unknown argument: ${name}`;
  }
}
