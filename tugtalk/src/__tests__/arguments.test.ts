/** The command line of the bridge: what is taken, and what is not. */
import { expect, test } from "bun:test";
import { type BridgeArguments, parseArguments, USAGE } from "../arguments.ts";
import { MAX_LINE_BYTES } from "../lines.ts";

const DEFAULTS: BridgeArguments = {
  dir: "/here",
  claude: undefined,
  maxLineBytes: MAX_LINE_BYTES,
  onEof: "interrupt",
  logLevel: "warn",
  stateDir: undefined,
  record: undefined,
};

const parse = (words: string, env: Readonly<Record<string, string>> = {}) =>
  parseArguments(words === "" ? [] : words.split(" "), env, "/here");

const TAKEN: readonly (readonly [words: string, changed: Partial<BridgeArguments>])[] = [
  ["", {}],
  ["--dir /there", { dir: "/there" }],
  ["--dir=/there", { dir: "/there" }],
  ["--dir=a=b", { dir: "a=b" }],
  ["--dir a=b", { dir: "a=b" }],
  ["--dir one --dir two", { dir: "two" }],
  ["--claude /opt/claude", { claude: "/opt/claude" }],
  ["--claude=cli.js", { claude: "cli.js" }],
  ["--max-line-bytes 1", { maxLineBytes: 1 }],
  ["--max-line-bytes=1048576", { maxLineBytes: 1_048_576 }],
  ["--on-eof drain", { onEof: "drain" }],
  ["--on-eof=interrupt", { onEof: "interrupt" }],
  ["--state-dir /state", { stateDir: "/state" }],
  ["--record session.jsonl", { record: "session.jsonl" }],
  ["--log-level silent", { logLevel: "silent" }],
  ["--log-level=debug --on-eof drain", { logLevel: "debug", onEof: "drain" }],
];

test.each([...TAKEN])("%p is taken", (words, changed) => {
  expect(parse(words)).toEqual({ run: { ...DEFAULTS, ...changed } });
});

const REFUSED: readonly (readonly [words: string, problem: string])[] = [
  ["start", "unknown argument: start"],
  ["--directory /there", "unknown argument: --directory"],
  ["-d /there", "unknown argument: -d"],
  ["--", "unknown argument: --"],
  ["toString x", "unknown argument: toString"],
  ["constructor x", "unknown argument: constructor"],
  ["__proto__ x", "unknown argument: __proto__"],
  ["--dir", "--dir needs a value"],
  ["--dir=", "--dir needs a value"],
  ["--claude", "--claude needs a value"],
  ["--on-eof drain --log-level", "--log-level needs a value"],
  ["--on-eof later", "--on-eof: not a valid value: later"],
  ["--log-level loud", "--log-level: not a valid value: loud"],
  ...["0", "-1", "1.5", "1e6", "64M", "0x10", "1000000000000000"].map(
    (bytes): readonly [string, string] => [
      `--max-line-bytes=${bytes}`,
      `--max-line-bytes: not a valid value: ${bytes}`,
    ],
  ),
];

test.each([...REFUSED])("%p is refused", (words, problem) => {
  expect(parse(words)).toEqual({ problem });
});

test.each([
  ["--help", "help"],
  ["-h", "help"],
  ["--dir /there --help", "help"],
  ["--version", "version"],
  ["-v", "version"],
  ["--help --nonsense", "help"],
] as const)("%p prints", (words, print) => {
  expect(parse(words)).toEqual({ print });
});

test("the flag wins over TUGTALK_CLAUDE, and an empty one is none", () => {
  const env = { TUGTALK_CLAUDE: "/from/env" };
  expect(parse("", env)).toEqual({ run: { ...DEFAULTS, claude: "/from/env" } });
  expect(parse("--claude=/named", env)).toEqual({ run: { ...DEFAULTS, claude: "/named" } });
  expect(parse("", { TUGTALK_CLAUDE: "" })).toEqual({ run: DEFAULTS });
});

test("every flag that is taken is in the usage", () => {
  const flags = TAKEN.flatMap(([words]) => words.match(/--[a-z-]+/g) ?? []);
  for (const flag of flags) expect(USAGE).toContain(`  ${flag} <`.replace(/ <$/, " "));
});
