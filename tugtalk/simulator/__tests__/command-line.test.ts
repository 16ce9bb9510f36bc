import { expect, test } from "bun:test";
import { describeUnknownSession, parseCommandLine } from "../command-line.ts";
import type { ImitatedVersion } from "../imitated-version.ts";

const STREAM = ["--output-format", "stream-json", "--input-format=stream-json", "--verbose"];
const ID = "11111111-2222-4333-8444-555555555555";

function check(
  version: ImitatedVersion,
  args: readonly string[],
  known?: readonly string[],
): string {
  const verdict = parseCommandLine(version, args, known);
  return verdict.ok ? "ok" : verdict.stderr;
}

type Row = [name: string, version: ImitatedVersion, args: readonly string[], said: string];

const rows: readonly Row[] = [
  ["the golden set", "2.1.330", STREAM, "ok"],
  ["a bound empty value", "2.1.330", [...STREAM, "--setting-sources="], "ok"],
  ["a value that looks like a flag", "2.1.330", [...STREAM, "--model=--x"], "ok"],
  ["many values", "2.1.330", [...STREAM, "--allowedTools", "Read", "Edit"], "ok"],
  ["a positional prompt", "2.1.330", [...STREAM, "hello"], "ok"],
  ["default on V330", "2.1.330", [...STREAM, "--permission-mode", "default"], "ok"],
  [
    "an unknown flag",
    "2.1.330",
    [...STREAM, "--no-such-flag"],
    "error: unknown option '--no-such-flag'",
  ],
  ["an unknown flag with a value", "2.1.330", [...STREAM, "--x=1"], "error: unknown option '--x'"],
  [
    "hook events on V38",
    "2.1.38",
    [...STREAM, "--include-hook-events"],
    "error: unknown option '--include-hook-events'",
  ],
  [
    "subagent text on V197",
    "2.1.197",
    [...STREAM, "--forward-subagent-text"],
    "error: unknown option '--forward-subagent-text'",
  ],
  [
    "a stream without --verbose",
    "2.1.197",
    STREAM.slice(0, 3),
    "Error: When using --print, --output-format=stream-json requires --verbose",
  ],
  [
    "input without output",
    "2.1.330",
    ["--input-format", "stream-json"],
    "Error: --input-format=stream-json requires output-format=stream-json.",
  ],
  [
    "an unknown mode",
    "2.1.197",
    [...STREAM, "--permission-mode", "bogus"],
    "error: option '--permission-mode <mode>' argument 'bogus' is invalid. Allowed choices are acceptEdits, auto, bypassPermissions, default, dontAsk, plan.",
  ],
  [
    "an unknown format",
    "2.1.38",
    ["--output-format", "bogus"],
    "error: option '--output-format <format>' argument 'bogus' is invalid. Allowed choices are text, json, stream-json.",
  ],
  [
    "a session id that is no uuid",
    "2.1.38",
    [...STREAM, "--session-id", "abc"],
    "Error: Invalid session ID. Must be a valid UUID.",
  ],
  [
    "a session id with resume",
    "2.1.330",
    [...STREAM, "--session-id", ID, "--resume", ID],
    "Error: --session-id with --continue or --resume also needs --fork-session.",
  ],
];

test.each(rows)(
  "the command line with %s is judged as %s judges it",
  (_name, version, args, said) => {
    expect(check(version, args)).toBe(said);
  },
);

test("an existing session id cannot be used again", () => {
  const args = [...STREAM, "--session-id", ID];
  expect(check("2.1.330", args, [ID])).toBe(`Error: Session ID ${ID} is already in use.`);
});

test("what the stand-in needs is read from both spellings", () => {
  const verdict = parseCommandLine(
    "2.1.330",
    [...STREAM, "-r", ID, "--model=m", "--fork-session"],
    [],
  );
  expect(verdict).toMatchObject({
    ok: true,
    commandLine: { resume: ID, model: "m", forkSession: true },
  });
});

test("a session that is not known cannot be resumed", () => {
  expect(describeUnknownSession("2.1.330", ID, [ID])).toBeUndefined();
  expect(describeUnknownSession("2.1.330", ID, undefined)).toBeUndefined();
  expect(describeUnknownSession("2.1.330", ID, [])).toBe(
    `No conversation found with session ID: ${ID}`,
  );
  expect(describeUnknownSession("2.1.197", "x", [])).toContain('Provided value "x" is not a UUID');
});
