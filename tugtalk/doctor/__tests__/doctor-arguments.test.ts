/** The command line of `tugtalk doctor`. */
import { expect, test } from "bun:test";
import { DOCTOR_USAGE, parseDoctorArguments } from "../doctor-arguments.ts";

const DEFAULTS = { claude: undefined, asJson: false, probe: false, timeoutMs: 30_000 };

const GOOD: readonly [string, object][] = [
  ["", {}],
  ["--json", { asJson: true }],
  ["--probe --json", { asJson: true, probe: true }],
  ["--claude x", { claude: "x" }],
  ["--claude=a=b --timeout-ms=5", { claude: "a=b", timeoutMs: 5 }],
];

test.each(GOOD)("the arguments `%s` are parsed", (words, chosen) => {
  const parsed: object = parseDoctorArguments(words.split(" ").filter((word) => word !== ""));
  expect(parsed).toEqual({ ...DEFAULTS, ...chosen });
});

const BAD: readonly [string[], string][] = [
  [["--nonsense"], "Unknown option '--nonsense'"],
  [["json"], "unknown word: json"],
  [["--claude"], "Option '--claude <value>' argument missing"],
  [["--claude="], "--claude: needs a value"],
  [
    ["--timeout-ms", "soon"],
    "--timeout-ms: expected a whole number from 1 on, of at most 9 digits",
  ],
  [["--timeout-ms=0"], "--timeout-ms: expected a whole number from 1 on, of at most 9 digits"],
];

test.each(BAD)("the arguments %j have a problem that is named", (words, problem) => {
  expect(parseDoctorArguments(words)).toEqual({ problem });
});

test("every flag of the usage text is accepted", () => {
  for (const flag of new Set(DOCTOR_USAGE.match(/--[a-z-]+/g))) {
    const parsed = parseDoctorArguments([`${flag}=1`]);
    const isWord = ["--json", "--probe", "--help"].includes(flag);
    if (isWord) expect(parsed).toHaveProperty("problem", expect.stringContaining("not take"));
    else expect(parsed).not.toHaveProperty("problem");
  }
});
