import { expect, test } from "bun:test";
import { describeUnknownSession, parseCommandLine } from "../command-line.ts";

const STREAM = ["--output-format", "stream-json", "--input-format=stream-json", "--verbose"];
const ID = "11111111-2222-4333-8444-555555555555";

function check(args: readonly string[], known?: readonly string[]): string {
  const verdict = parseCommandLine(args, known);
  return verdict.ok ? "ok" : verdict.stderr;
}

type Row = [name: string, args: readonly string[], said: string];

const rows: readonly Row[] = [
  ["the golden set", STREAM, "ok"],
  ["a bound empty value", [...STREAM, "--setting-sources="], "ok"],
  ["a value that looks like a flag", [...STREAM, "--model=--x"], "ok"],
  ["many values", [...STREAM, "--allowedTools", "Read", "Edit"], "ok"],
  ["a positional prompt", [...STREAM, "hello"], "ok"],
  ["the mode default", [...STREAM, "--permission-mode", "default"], "ok"],
  ["an unknown flag", [...STREAM, "--no-such-flag"], "error: unknown option '--no-such-flag'"],
  ["an unknown flag with a value", [...STREAM, "--x=1"], "error: unknown option '--x'"],
  [
    "a session id that is no uuid",
    [...STREAM, "--session-id", "abc"],
    "Error: Invalid session ID. Must be a valid UUID.",
  ],
  [
    "a session id with resume",
    [...STREAM, "--session-id", ID, "--resume", ID],
    "Error: --session-id with --continue or --resume also needs --fork-session.",
  ],
];

test.each(rows)("the command line with %s is judged as the real CLI does", (_name, args, said) => {
  expect(check(args)).toBe(said);
});

test("an existing session id cannot be used again", () => {
  const args = [...STREAM, "--session-id", ID];
  expect(check(args, [ID])).toBe(`Error: Session ID ${ID} is already in use.`);
});

test("the needed flags are read in both spellings", () => {
  const verdict = parseCommandLine([...STREAM, "-r", ID, "--model=m", "--fork-session"], []);
  expect(verdict).toMatchObject({
    ok: true,
    commandLine: { resume: ID, model: "m", forkSession: true },
  });
});

test("a session that is not known cannot be resumed", () => {
  expect(describeUnknownSession(ID, [ID])).toBeUndefined();
  expect(describeUnknownSession(ID, undefined)).toBeUndefined();
  expect(describeUnknownSession(ID, [])).toBe(`No conversation found with session ID: ${ID}`);
  expect(describeUnknownSession("x", [])).toContain('Provided value "x" is not a UUID');
});
