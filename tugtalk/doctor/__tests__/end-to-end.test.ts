/** `tugtalk doctor` as a process, with the simulator as the CLI. The ring `built` tests the build in the same way. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { isRunning } from "../../src/base/processes.ts";
import { claudeThat, isGone, STAND_IN } from "../../testing/drivers/claudes.ts";
import { judgeFeatures } from "../features.ts";
import { formatReport } from "../report-text.ts";
import { reportOf, startDoctor, writeClaude, writeExecutable } from "./support/doctor-process.ts";

test("the doctor reports what it found, what it offers and what works, and leaves no files", async () => {
  const { report, exitCode, leftFiles } = await reportOf([`--claude=${STAND_IN}`]);
  expect([exitCode, report.usable, leftFiles]).toEqual([0, true, []]);
  expect(report.claude).toMatchObject({
    command: [expect.any(String), STAND_IN],
    found_by: "flag",
    version: "2.1.330",
  });
  expect(report.capabilities?.models).toContain("default");
  expect(report.capabilities?.permission_modes).toContain("plan");
  const features = judgeFeatures({ requests: new Map() });
  expect(report.features.map(({ name }) => name)).toEqual(features.map(({ name }) => name));
  const works = Object.fromEntries(report.features.map(({ name, works }) => [name, works]));
  const states = { stop_task: "yes", clear: "yes", list_models: "yes", interrupt_receipt: "yes" };
  expect(works).toMatchObject(states);
  const asked = report.features.filter(({ known_by }) => known_by === "claude");
  expect(asked.map(({ name }) => name)).toContain("stop_task");
});

/** Each version with the end of its line in the report. */
const SUPPORT = [
  ["2.1.37", "older", "older than any measured; run --probe"],
  ["2.1.197", "measured", "measured"],
  ["2.1.250", "between", "not measured, but 2.1.197 and 2.1.330 are; run --probe"],
  ["2.1.331", "newer", "newer than any measured; run --probe"],
  ["9.0.0", "newer", "newer than any measured; run --probe"],
] as const;

test.each(SUPPORT)(
  "the doctor says of Claude %s whether it was measured: %s",
  async (version, support, words) => {
    const path = writeExecutable(
      `#!/bin/sh\nif [ "$1" = --version ]; then echo "${version} (Claude Code)"; exit; fi\nexec "${STAND_IN}" "$@"\n`,
    );
    const { report } = await reportOf([`--claude=${path}`]);
    expect(report.claude).toMatchObject({ version, version_support: support });
    expect(report.measured_versions).toEqual(["2.1.38", "2.1.197", "2.1.330"]);
    const text = formatReport(report);
    expect(text).toContain(`version   ${version} (${words})\n`);
    expect(text).toContain("measured  2.1.38, 2.1.197, 2.1.330\n");
    expect(text.includes("; the rest as measured\n")).toBe(support === "measured");
  },
);

test("a CLI that fails the self-test is not usable, and each failed check has a reason", async () => {
  // The simulator echoes; it calls no API.
  const { report, exitCode, leftFiles } = await reportOf([`--claude=${STAND_IN}`, "--probe"]);
  expect([exitCode, report.usable, leftFiles]).toEqual([1, false, []]);
  const [start, text, ...rest] = report.probe ?? [];
  expect(start).toMatchObject({ name: "start", ok: true });
  expect(text?.reason).toBe(
    'the answer is "You said: hello", not "The self-test of tugtalk says hello."',
  );
  expect(rest.map(({ name }) => name)).toEqual(["permission", "interrupt", "end", "resume", "acp"]);
  for (const { reason } of rest) expect(reason).toBe("not tried: text failed");
});

/** Commands that are no usable Claude, each with the code and the words of the doctor's problem. */
const UNUSABLE: Readonly<Record<string, readonly [() => string, string, string]>> = {
  "a command that does not exist": [
    () => "/nowhere/claude",
    "claude_not_found",
    "cannot start /nowhere/claude: no such executable",
  ],
  "another program": [() => "/bin/echo", "not_claude", "/bin/echo is not Claude Code"],
  "a program that fails at once, with its stderr": [
    () => claudeThat("says-no"),
    "not_claude",
    "the flux is not capacitated",
  ],
  "a claude that hangs before it prints anything": [
    () => claudeThat("ignores-everything"),
    "claude_unresponsive",
    "no end of `claude --version` in 300 ms",
  ],
  "a claude that prints its version and then does not start, with its stderr": [
    () => writeClaude("echo 'error: unknown option --verbose' >&2; exit 1").path,
    "claude_start_failed",
    "unknown option --verbose",
  ],
  "a claude that is built for a missing C library": [
    () => writeExecutable("\x7fELF\0/lib/ld-musl-nowhere.so.1\0"),
    "claude_start_failed",
    "built for musl: its loader /lib/ld-musl-nowhere.so.1 is not here",
  ],
  "a claude that does not speak the protocol": [
    () => writeClaude("echo null; echo '[1]'; echo hello; exit 0").path,
    "claude_start_failed",
    "",
  ],
};

describe("the doctor reports as not usable", () => {
  test.each(Object.entries(UNUSABLE))("%s", async (_name, [claude, code, words]) => {
    const timeout = code === "claude_unresponsive" ? ["--timeout-ms=300"] : [];
    const { report, exitCode, leftFiles } = await reportOf([`--claude=${claude()}`, ...timeout]);
    expect(report.problem).toMatchObject({ code, message: expect.stringContaining(words) });
    expect([exitCode, report.usable, leftFiles]).toEqual([1, false, []]);
    expect(report.claude === undefined).toBe(code === "claude_not_found");
  });

  test("a claude that prints its version and then hangs, and kills it", async () => {
    const { path, pidFile } = writeClaude("exec sleep 600");
    // Long enough for its version and its id also on a busy machine.
    const { report, leftFiles } = await reportOf([`--claude=${path}`, "--timeout-ms=3000"]);
    expect(report.problem?.code).toBe("claude_unresponsive");
    expect(report.problem?.message).toContain("no answer to initialize in 3000 ms");
    expect([isRunning(Number(readFileSync(pidFile, "utf8"))), leftFiles]).toEqual([false, []]);
  });
});

test("a signal ends the doctor and its Claude, and removes the temporary home", async () => {
  const { path, pidFile } = writeClaude("exec sleep 600");
  const doctor = startDoctor([`--claude=${path}`]);
  let pid = 0;
  while (pid === 0) {
    await Bun.sleep(5);
    pid = Number(
      await Bun.file(pidFile)
        .text()
        .catch(() => "0"),
    );
  }
  doctor.kill("SIGTERM");
  const { exitCode, leftFiles } = await doctor.ended;
  expect([exitCode, leftFiles]).toEqual([1, []]);
  await isGone(pid);
});

describe("the doctor reports that it found the CLI", () => {
  test("by the environment", async () => {
    const { report } = await reportOf([], { TUGTALK_CLAUDE: STAND_IN });
    expect(report.claude?.found_by).toBe("environment");
  });

  test("on PATH", async () => {
    const { path } = writeClaude("exit 1");
    const { report } = await reportOf([], {
      PATH: `${dirname(path)}:${process.env["PATH"] ?? ""}`,
    });
    expect(report.claude).toMatchObject({ command: [path], found_by: "path", version: "2.1.330" });
  });
});

test("the doctor names login variables and never their values", async () => {
  const secret = "a-value-that-nobody-may-see";
  const env = { ANTHROPIC_API_KEY: secret, CLAUDE_CODE_OAUTH_TOKEN: secret };
  const { report, out, errors } = await reportOf([`--claude=${STAND_IN}`], env);
  const names = report.login_variables.map(({ name }) => name);
  expect(names).toEqual(["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"]);
  expect(report.warnings.join(" ")).toContain("use_api_key");
  expect(out + errors).not.toContain(secret);
});

test("without --json the doctor prints text for people, and its last line is the verdict", async () => {
  const { out, exitCode } = await startDoctor([`--claude=${STAND_IN}`]).ended;
  expect(exitCode).toBe(0);
  expect(out).toContain("version   2.1.330");
  expect(out).toContain("(named by --claude)");
  expect(out.trimEnd().split("\n").at(-1)).toBe("Usable: yes");
});

test("bad arguments end the doctor with exit code 2 and the usage text", async () => {
  const { exitCode, out, errors } = await startDoctor(["--nonsense"]).ended;
  expect([exitCode, out]).toEqual([2, ""]);
  expect(errors).toStartWith("Unknown option '--nonsense'\n\ntugtalk doctor:");
});

test("--help prints the usage text of the doctor", async () => {
  const { exitCode, out } = await startDoctor(["--help"]).ended;
  expect([exitCode, out.split("\n")[2]]).toEqual([0, "usage: tugtalk doctor [options]"]);
});
