/** The questions to a person before a session moves, and the notes without a question. */
import { expect, test } from "bun:test";
import { CommandError } from "../../../client/transports/transport.ts";
import { type Agreed, StartRun } from "../start-run.ts";

/** A run whose command is refused with these codes, one after the other, and then done. */
function refusing(...codes: readonly string[]) {
  const run = new StartRun();
  const given: Agreed[] = [];
  const started = run.start(async (agreed) => {
    const code = codes[given.push(agreed) - 1];
    if (code !== undefined) throw new CommandError(409, { code, error: `why ${code}` });
  });
  return { run, given, started };
}

test("a session whose Claude is at work is moved by force only once a person has agreed", async () => {
  const { run, given, started } = refusing("at_work");
  await started;
  expect(run.question.value).toEqual({ kind: "at-work" });
  expect(given).toEqual([{}]);
  await run.agree();
  expect(given).toEqual([{}, { force: true }]);
  expect([run.question.value, run.failure.value]).toEqual([undefined, undefined]);
});

test("a missing part of the conversation is named before the session moves without it", async () => {
  const { run, given, started } = refusing("untrusted_dir", "mirror_incomplete");
  await started;
  await run.agree();
  expect(run.question.value).toEqual({ kind: "incomplete", reason: "why mirror_incomplete" });
  await run.agree();
  expect(given.at(-1)).toEqual({ trust: true, force: true });
});

test.each(["at_work", "mirror_incomplete"])(
  "a session that does not move by force either is not asked about again: %s",
  async (code) => {
    const { run, started } = refusing(code, code);
    await started;
    await run.agree();
    expect(run.question.value).toBeUndefined();
    expect(run.failure.value).toBe(`why ${code}`);
  },
);

test("a command that is given anew has no earlier consent", async () => {
  const { run, started } = refusing("at_work");
  await started;
  await run.agree();
  const given: Agreed[] = [];
  await run.start(async (agreed) => void given.push(agreed));
  expect(given).toEqual([{}]);
});

test.each([
  ...["unknown_place", "no_such_dir", "no_claude", "place_unreachable"],
  ...["already_there", "not_mirrored", "restore_refused", "archived"],
])("%s is said in the words of the host, and nothing is asked", async (code) => {
  const { run, started } = refusing(code);
  await started;
  expect(run.question.value).toBeUndefined();
  expect(run.failure.value).toBe(`why ${code}`);
});
