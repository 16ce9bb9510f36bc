/**
 * The benchmarks behind `npm run bench`, which runs each in its short form: a short form fails only for
 * faults that do not depend on speed. Each has its own process, one after the other. The exit code is 1 when
 * a limit is exceeded, and 2 when the arguments are wrong. `USAGE` lists the arguments.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import {
  ArgumentError,
  CHANNELS_FLAGS,
  endOnWrongArguments,
  HOST_SESSIONS_FLAGS,
  PAIRED_FLAGS,
  PEERS_FLAGS,
  WRONG_ARGUMENTS,
} from "../tugtalk/bench/bench-arguments.ts";

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
  "host-search",
  "peers",
  "channels",
];

/** Benchmarks that run by their names only: they need Chromium, the real CLI or PostgreSQL. */
const BY_NAME_ONLY = ["page", "host-sessions", "shared-hosts"];

const USAGE = `npm run bench: runs benchmarks

usage: npm run bench                            all in their short form, which judges no speed
       npm run bench -- --full                  all in full
       npm run bench -- <name>… [flags]         these, in full unless a flag says otherwise
       npm run bench -- [<name>…] --against=<folder> [--rounds=<n>]
                                                all or these, in another checkout and here in turn;
                                                of peers with --only=<scenarios> these

  --short              the short form
  --rounds=<n> --only=<scenarios> --contenders=<names> --table=<file>
                       of peers, see roadmap/performance.md
  --rounds=<n>         of channels
  --stand-in           of host-sessions: without the real CLI
  --help               print this text

names: ${[...BENCHES, ...BY_NAME_ONLY].join(", ")}
`;

const SHORT: ParseArgsConfig["options"] = { short: { type: "boolean" } };

/** The flags of the benchmarks that have further ones than `--short`. */
const FLAGS: Readonly<Record<string, ParseArgsConfig["options"]>> = {
  peers: PEERS_FLAGS,
  channels: CHANNELS_FLAGS,
  page: {},
  "host-sessions": HOST_SESSIONS_FLAGS,
};

/** The flags of the short forms that need others than `--short`. */
const SHORT_FORMS: Readonly<Record<string, readonly string[]>> = {
  peers: ["--short", "--contenders=floor B,source"],
  channels: ["--rounds=1"],
};

/** One process of a benchmark. */
type Run = { readonly name: string; readonly flags: readonly string[] };

/** The benchmarks to run; throws an `ArgumentError`. */
function parseRuns(words: readonly string[]): readonly Run[] {
  const names = words.filter((word) => !word.startsWith("--"));
  const flags = words.filter((word) => word.startsWith("--"));
  const known = [...BENCHES, ...BY_NAME_ONLY];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new ArgumentError(`there is no benchmark ${unknown}; there are ${known.join(", ")}`);
  const check = (options: ParseArgsConfig["options"] = {}) => parseArgs({ args: flags, options });
  if (flags.some((flag) => flag.startsWith("--against"))) {
    check(PAIRED_FLAGS);
    return [{ name: "paired", flags: [...(names.length === 0 ? BENCHES : names), ...flags] }];
  }
  for (const name of names) check(FLAGS[name] ?? SHORT);
  if (names.length > 0) return names.map((name) => ({ name, flags }));
  const isFull = check({ full: { type: "boolean" } }).values["full"] === true;
  return BENCHES.map((name) => ({
    name,
    flags: isFull ? [] : (SHORT_FORMS[name] ?? ["--short"]),
  }));
}

async function main(words: readonly string[]): Promise<void> {
  if (words.includes("--help")) return console.log(USAGE.trimEnd());
  const runs = parseRuns(words);
  const folder = mkdtempSync(join(tmpdir(), "tugtalk-bench-"));
  try {
    for (const run of runs) await runBench(run, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one benchmark, whose files all go into `folder`. */
async function runBench({ name, flags }: Run, folder: string): Promise<void> {
  const child = Bun.spawn([process.execPath, `tugtalk/bench/${name}.ts`, ...flags], {
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, TMPDIR: folder, XDG_STATE_HOME: join(folder, "state") },
  });
  const code = await child.exited;
  if (code === 0) return;
  // The benchmark has printed the fault in its arguments.
  if (code !== WRONG_ARGUMENTS) console.error(`bench: ${name} failed`);
  process.exitCode = code === WRONG_ARGUMENTS ? code : 1;
}

await endOnWrongArguments("bench", () => main(process.argv.slice(2)));
