/** The rings of tests: the files of each, and the way to run them. */
import { resolve } from "node:path";

/** One kind of tests, recognised by the ending of its files. */
export type Ring = {
  /** Further arguments for `bun test`, beside the files and the report. */
  readonly args: readonly string[];
  /** Commands that start the bridge; the ring runs once for each. Without them it runs from source. */
  readonly underTest?: readonly string[];
  /** A pattern for the files. Without it `bun test` finds them itself. */
  readonly files?: string;
  /** A pattern for the text of these files. */
  readonly having?: RegExp;
  readonly env?: Readonly<Record<string, string>>;
  /** The ring is killed, and has failed, after this time. */
  readonly limitMs: number;
  /** Shows the output of its tests on stdout: tables and figures. */
  readonly hasFigures?: boolean;
};

/** Conversations with a host, whose commands are given by a client that is made of its OpenAPI document. */
const byClient = (client: string): Ring => ({
  args: ["--parallel=3", "--timeout=180000"],
  files:
    "tugtalk/host/__tests__/{archive,costs,events,interactive-tools,messages,prompts,sessions}.test.ts",
  env: { TUGTALK_TEST_CLIENT: client },
  limitMs: 600_000,
});

/** The products of `npm run build`. */
export const BUILT = [`${process.execPath} ${resolve("dist/cli.js")}`, resolve("dist/tugtalk")];

// The time limits are long: they end a test that hangs, not one on a busy machine.
export const RINGS: Record<string, Ring> = {
  unit: { args: ["--parallel=3", "--no-isolate", "--timeout=60000"], limitMs: 900_000 },
  // These tests start the real CLI, which is slow.
  real: {
    args: ["--parallel=3", "--timeout=180000"],
    files: "tugtalk/**/*.real.ts",
    limitMs: 1_200_000,
  },
  // Every fault in every state. Each file runs several cases at once, so the files run one by one.
  faults: {
    args: ["--timeout=180000"],
    files: "tugtalk/**/*.faults.ts",
    limitMs: 600_000,
    hasFigures: true,
  },
  // Many random sessions, and captures cut at every byte.
  long: {
    args: ["--parallel=3", "--timeout=180000"],
    files: "tugtalk/**/*.long.ts",
    limitMs: 900_000,
  },
  // The page in a real Chromium, with a real host, bridge and stand-in.
  browser: {
    args: ["--parallel=3", "--no-isolate", "--timeout=180000"],
    files: "tugtalk/**/*.browser.ts",
    limitMs: 900_000,
  },
  // Sessions on a machine behind a real `ssh`, which needs `sshd`.
  places: {
    args: ["--timeout=180000"],
    files: "tugtalk/**/*.places.ts",
    limitMs: 600_000,
  },
  // Hosts on a real PostgreSQL server, which each file starts for itself.
  postgres: {
    args: ["--parallel=3", "--timeout=180000"],
    files: "tugtalk/**/*.postgres.ts",
    limitMs: 600_000,
  },
  // The host over real sockets, with its sessions in PostgreSQL.
  hosts: {
    args: ["--parallel=3", "--timeout=180000"],
    files: "tugtalk/host/**/*.test.ts",
    having: /host-process\.ts"/,
    env: { TUGTALK_TEST_DATABASE: "postgres" },
    limitMs: 600_000,
  },
  // The examples in other languages need their compilers; the README's way installs from a clone.
  examples: {
    args: ["--timeout=180000"],
    files: "tugtalk/**/*.examples.ts",
    limitMs: 600_000,
  },
  "client-python": byClient("python"),
  "client-typescript": byClient("typescript"),
  // The package is packed and installed from the registry, and used on Node alone.
  package: {
    args: ["--timeout=180000"],
    files: "tugtalk/**/*.package.ts",
    limitMs: 600_000,
    hasFigures: true,
  },
  // The end-to-end tests on the products of `npm run build`.
  built: {
    // The first start of the binary reads 110 MB from disk.
    args: ["--timeout=60000"],
    files: "tugtalk/**/end-to-end.test.ts",
    underTest: BUILT,
    limitMs: 300_000,
  },
  // The everyday tests that start a bridge or a host as a process.
  processes: {
    args: ["--parallel=2", "--timeout=180000"],
    files: "tugtalk/**/*.test.ts",
    having:
      /(?:bridge-process|bridge-channels|bridge-states|silent-host|host-process|host-command)\.ts"/,
    underTest: BUILT,
    limitMs: 1_200_000,
  },
};

/** The rings with files of their own: no file is in two of them. */
const OF_FILES = [
  "unit",
  "real",
  "faults",
  "long",
  "browser",
  "places",
  "postgres",
  "examples",
  "package",
];

/** The test files of each ring whose path has this text. Everyday tests have no pattern of their own. */
export function filesWith(text: string): ReadonlyMap<string, readonly string[]> {
  const found = OF_FILES.map((name): [string, string[]] => {
    const files = [...new Bun.Glob(RINGS[name]?.files ?? "tugtalk/**/*.test.{ts,tsx}").scanSync()];
    return [name, files.filter((file) => file.includes(text)).sort()];
  });
  return new Map(found.filter(([, files]) => files.length > 0));
}
