/** The command line of the bridge: accepted and refused arguments. */
import { expect, test } from "bun:test";
import { MAX_LINE_BYTES } from "../../base/lines.ts";
import { type BridgeArguments, parseArguments, USAGE } from "../arguments.ts";

const DEFAULTS: BridgeArguments = {
  dir: "/here",
  claude: undefined,
  maxLineBytes: MAX_LINE_BYTES,
  onEof: "interrupt",
  idleExit: undefined,
  logLevel: "warn",
  stateDir: undefined,
  record: undefined,
  maxChannels: undefined,
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
  ["--idle-exit 60", { idleExit: 60 }],
  ["--state-dir /state", { stateDir: "/state" }],
  ["--record session.jsonl", { record: "session.jsonl" }],
  ["--multiplex", { maxChannels: 64 }],
  ["--multiplex --max-channels 3", { maxChannels: 3 }],
  ["--log-level silent", { logLevel: "silent" }],
  ["--log-level=debug --on-eof drain", { logLevel: "debug", onEof: "drain" }],
];

test.each([...TAKEN])("the arguments %p are accepted", (words, changed) => {
  expect(parse(words)).toEqual({ run: { ...DEFAULTS, ...changed } });
});

const COUNT = "expected a whole number from 1 on, of at most 15 digits";
const REFUSED: readonly (readonly [words: string, problem: string])[] = [
  ...["start", "toString", "constructor", "__proto__"].map((word): [string, string] => [
    `${word} x`,
    `unknown word: ${word}`,
  ]),
  ["- x", "Unexpected argument '-'. This command does not take positional arguments"],
  ["-- x", "Unexpected argument 'x'. This command does not take positional arguments"],
  ["--directory /there", "Unknown option '--directory'"],
  ["--toString=x", "Unknown option '--toString'"],
  ["--__proto__", "Unknown option '--__proto__'"],
  ["-d /there", "Unknown option '-d'"],
  ["--help --nonsense", "Unknown option '--nonsense'"],
  ["--dir", "Option '--dir <value>' argument missing"],
  ["--claude", "Option '--claude <value>' argument missing"],
  ["--on-eof drain --log-level", "Option '--log-level <value>' argument missing"],
  ["--version=2", "Option '-v, --version' does not take an argument"],
  ["--dir=", "--dir: needs a value"],
  ["--on-eof later", '--on-eof: Invalid option: expected one of "interrupt"|"drain"'],
  ["--max-line-bytes=", "--max-line-bytes: needs a value"],
  ["--max-channels 3", "--max-channels: only with --multiplex"],
  [
    "--multiplex --max-channels 0",
    "--max-channels: expected a whole number from 1 on, of at most 6 digits",
  ],
  ["--multiplex --record a.jsonl", "--record: a recording is of one session, without --multiplex"],
  ...["0", "-1", "1.5", "1e6", "64M", "0x10", "1000000000000000"].map(
    (bytes): readonly [string, string] => [
      `--max-line-bytes=${bytes}`,
      `--max-line-bytes: ${COUNT}`,
    ],
  ),
];

test.each([...REFUSED])("the arguments %p are refused", (words, problem) => {
  expect(parse(words)).toEqual({ problem });
});

test.each([
  ["--help", "help"],
  ["-h", "help"],
  ["--dir /there --help", "help"],
  ["--version", "version"],
  ["-v", "version"],
  ["--help --version", "help"],
] as const)("the arguments %p print help or the version and start nothing", (words, print) => {
  expect(parse(words)).toEqual({ print });
});

test("a flag in place of a value and an unknown level are refused with a hint", () => {
  expect(parse("--dir --help")).toMatchObject({ problem: expect.stringContaining("--dir=-XYZ") });
  expect(parse("--log-level loud")).toMatchObject({ problem: expect.stringContaining('"silent"') });
});

test("--claude overrides TUGTALK_CLAUDE, and an empty TUGTALK_CLAUDE is ignored", () => {
  const env = { TUGTALK_CLAUDE: "/from/env" };
  expect(parse("", env)).toEqual({ run: { ...DEFAULTS, claude: "/from/env" } });
  expect(parse("--claude=/named", env)).toEqual({ run: { ...DEFAULTS, claude: "/named" } });
  expect(parse("", { TUGTALK_CLAUDE: "" })).toEqual({ run: DEFAULTS });
});

test("every accepted flag is in the usage", () => {
  const flags = TAKEN.flatMap(([words]) => words.match(/--[a-z-]+/g) ?? []);
  for (const flag of flags) expect(USAGE).toContain(`  ${flag} <`.replace(/ <$/, " "));
});
