/**
 * The benchmarks behind `npm run bench`, which runs each in its short form: that fails only on what does not
 * depend on speed. Each has its own process, one after the other. The exit code is 1 when a limit is exceeded,
 * and 2 when the arguments are wrong. `USAGE` says what can be asked for.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import {
  ArgumentError,
  endOnWrongArguments,
  WRONG_ARGUMENTS,
} from "../tugtalk/bench/bench-arguments.ts";
import { PAIRED_FLAGS } from "../tugtalk/bench/paired.ts";
import { RUN_FLAGS } from "../tugtalk/bench/peers/run-options.ts";

const BENCHES = [
  "slow-host",
  "soak",
  "soak-session",
  "long-history",
  "reducer",
  "host-slow-clients",
  "host-streams",
  "host-fan-out",
  "host-attach",
  "host-decisions",
  "peers",
  "channels",
] as const;

/** Run by their names only: one needs Chromium, the other installs the real CLI. */
const BY_NAME_ONLY = ["page", "host-sessions"] as const;

const USAGE = `npm run bench: runs benchmarks

usage: npm run bench                            all in their short form, which judges no speed
       npm run bench -- --full                  all in full
       bun .ci/bench.ts <name>… [flags]         these, in full unless a flag says otherwise
       bun .ci/bench.ts <name>… --against=<folder> [--rounds=<n>]
                                                these, in another checkout and here in turn

  --short              the short form
  --quick --rounds=<n> --only=<scenarios> --contenders=<names> --json=<file> --table=<file>
                       of peers, see roadmap/performance.md
  --rounds=<n>         of channels
  --stand-in           of host-sessions: without the real CLI
  --help               print this text

names: ${[...BENCHES, ...BY_NAME_ONLY].join(", ")}
`;

const SHORT = { short: { type: "boolean" } } as const;
const NONE: ParseArgsConfig["options"] = {};

/** The flags of the benchmarks that have others than `--short`. */
const FLAGS: Readonly<Record<string, ParseArgsConfig["options"]>> = {
  peers: RUN_FLAGS,
  channels: { rounds: { type: "string" } },
  page: NONE,
  "host-sessions": { "stand-in": { type: "boolean" } },
};

/** What is to be run; throws what is wrong. */
function parseWords(args: readonly string[]) {
  const names = args.filter((arg) => !arg.startsWith("--"));
  const flags = args.filter((arg) => arg.startsWith("--"));
  if (flags.includes("--help")) return "help";
  if (names.length === 0) return { isFull: isFullRun(flags) };
  const known: readonly string[] = [...BENCHES, ...BY_NAME_ONLY];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(`there is no benchmark ${unknown}; there are ${known.join(", ")}`);
  if (flags.some((flag) => flag.startsWith("--against"))) {
    parseArgs({ args: flags, options: PAIRED_FLAGS });
    return { names: ["paired"], flags: [...names, ...flags] };
  }
  for (const name of names) parseArgs({ args: flags, options: FLAGS[name] ?? SHORT });
  return { names, flags };
}

function isFullRun(flags: readonly string[]): boolean {
  const { values } = parseArgs({ args: [...flags], options: { full: { type: "boolean" } } });
  return values.full === true;
}

/** The flags of the short forms that have others than `--short`. */
const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  peers: ["--quick", "--contenders=floor B,source"],
  channels: ["--rounds=1"],
};

function flagsAmongAll(name: string, isFull: boolean): readonly string[] {
  return isFull ? [] : (SHORT_FORMS[name] ?? ["--short"]);
}

async function main(args: readonly string[]): Promise<void> {
  const asked = parseWords(args);
  if (asked === "help") return console.log(USAGE.trimEnd());
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-bench-"));
  const all = (isFull: boolean) =>
    BENCHES.map((name) => ({ name, flags: flagsAmongAll(name, isFull) }));
  const runs =
    asked.names === undefined
      ? all(asked.isFull)
      : asked.names.map((name) => ({ name, flags: asked.flags }));
  try {
    for (const { name, flags } of runs) await runBench(name, folder, flags);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one benchmark, whose files all go into `folder`. */
async function runBench(name: string, folder: string, flags: readonly string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`, ...flags], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder, XDG_STATE_HOME: join(folder, "state") },
  });
  const code = await child.exited;
  if (code === 0) return;
  // What is wrong with an argument has been said.
  if (code !== WRONG_ARGUMENTS) console.error(`bench: ${name} failed`);
  process.exitCode = code === WRONG_ARGUMENTS ? code : 1;
}

await endOnWrongArguments("bench", () => main(process.argv.slice(2)));
