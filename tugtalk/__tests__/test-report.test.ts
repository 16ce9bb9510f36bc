/** What the test runner reads from the report and the output of `bun test`. The samples are of Bun 1.4.5. */
import { describe, expect, test } from "bun:test";
import { failedRun, formatFailure, readRun, unescapeXml } from "../../.ci/test-report.ts";

const PASSED = '<testcase name="passes" classname="" time="0.1" file="a.test.ts" line="2" />';
const FAILED = `<testcase name="fails &lt;so&gt;" classname="a group" time="0.1" file="a.test.ts" line="3">
  <failure type="AssertionError" message="expected&#10;1">AssertionError: expected&#10;1&#10;      at a.test.ts:3:121&#10;</failure>
</testcase>`;
const LATE = `<testcase name="hangs" classname="" time="0.3" file="a.test.ts" line="5">
  <failure type="TimeoutError" message="test timed out" />
</testcase>`;
const SKIPPED = `<testcase name="is left out" classname="" time="0" file="a.test.ts" line="9">
  <skipped />
</testcase>`;
const CRASHED = `<testcase name="(worker crashed)" classname="" time="0" file="b.test.ts">
  <failure type="Error" message="worker process crashed before reporting results" />
</testcase>`;

const OUTPUT = `
a.test.ts:
(pass) passes [0.03ms]

c.test.ts:

# Unhandled error between tests
-------------------------------
2 | const x = ;
error: Unexpected ;
    at c.test.ts:2:11
-------------------------------

b.test.ts:
printed before
✗ b.test.ts (worker crashed: SIGKILL)

 1 pass
`;

const HEALTHY = "\na.test.ts:\n(pass) passes [0.03ms]\n";

/** Reads a run with these tests in its report. */
function read(cases: readonly string[], output = HEALTHY, isSuccess = false) {
  const report = `<testsuites name="bun test">${cases.join("\n")}</testsuites>`;
  return readRun({ report, output, ending: "exited with 1", isSuccess });
}

describe("a run of bun test", () => {
  test("without a failure has its number of tests and nothing to print", () => {
    expect(read([PASSED, PASSED], HEALTHY, true)).toEqual({
      count: { passed: 2, failed: 0 },
      failures: [],
    });
  });

  test("has each failed test with its place, its groups and its whole message", () => {
    expect(read([PASSED, FAILED])).toEqual({
      count: { passed: 1, failed: 1 },
      failures: [
        {
          title: "a.test.ts:3 > a group > fails <so>",
          text: "AssertionError: expected\n1\n      at a.test.ts:3:121",
        },
      ],
    });
  });

  test("has a test that hangs with the time after which it was ended", () => {
    expect(read([LATE]).failures).toEqual([
      { title: "a.test.ts:5 > hangs", text: "TimeoutError: test timed out after 0.3 s" },
    ]);
  });

  test("has the seeds that the file of a failed test has printed", () => {
    const output = "\na.test.ts:\nany bytes: seed 12\n(fail) fails\n\nb.test.ts:\nothers: seed 3\n";
    expect(read([FAILED], output).failures[0]?.text).toEndWith(
      "at a.test.ts:3:121\nany bytes: seed 12",
    );
  });

  test("counts a skipped test as failed", () => {
    expect(read([PASSED, SKIPPED], HEALTHY, true)).toEqual({
      count: { passed: 1, failed: 1 },
      failures: [{ title: "a.test.ts:9 > is left out", text: "is skipped" }],
    });
  });

  test("an error is of the test file that it names, whatever the header before it", () => {
    const output = OUTPUT.replace("at c.test.ts:2:11", "at /home/me/tugtalk/d.test.ts:2:11");
    const [failure] = read([PASSED], output).failures;
    expect(failure?.title).toBe("tugtalk/d.test.ts > outside of its tests");
  });

  test("counts a file that does not load as one failure, with its error", () => {
    expect(read([PASSED], OUTPUT)).toEqual({
      count: { passed: 1, failed: 1 },
      failures: [
        {
          title: "c.test.ts > outside of its tests",
          text: "2 | const x = ;\nerror: Unexpected ;\n    at c.test.ts:2:11",
        },
      ],
    });
  });

  test("has a crashed worker with what its file has printed", () => {
    const [crash] = read([CRASHED], OUTPUT).failures;
    expect(crash?.title).toBe("b.test.ts > (worker crashed)");
    expect(crash?.text).toContain("printed before\n✗ b.test.ts (worker crashed: SIGKILL)");
    expect(crash?.text).not.toContain("Unexpected");
  });

  test("that wrote no report counts as one failure, with the end of its output", () => {
    const long = Array.from({ length: 500 }, (_, at) => `line ${at}`).join("\n");
    const { count, failures } = readRun({
      report: undefined,
      output: long,
      ending: "was ended by SIGKILL",
      isSuccess: false,
    });
    expect(count).toEqual({ passed: 0, failed: 1 });
    expect(failures[0]?.title).toBe("bun test was ended by SIGKILL and wrote no report");
    expect(failures[0]?.text).toEndWith("line 498\nline 499");
    expect(failures[0]?.text).not.toContain("line 3\n");
  });

  test("that ends with an error and has no failed test counts as one failure", () => {
    expect(read([PASSED]).count).toEqual({ passed: 1, failed: 1 });
    expect(read([PASSED]).failures[0]?.title).toBe("no test failed, but bun test exited with 1");
  });

  test("without any test counts as one failure", () => {
    expect(read([], "", true)).toEqual(failedRun("no test ran"));
  });
});

test("a failure is printed with its title first and its text below, up to a limit", () => {
  expect(formatFailure({ title: "a > b", text: "one\n\ntwo\n" })).toBe(
    "FAILED a > b\n    one\n\n    two\n",
  );
  const text = Array.from({ length: 125 }, (_, at) => `line ${at}`).join("\n");
  expect(formatFailure({ title: "a", text })).toEndWith("    line 59\n    … and 65 more lines\n");
});

test.each([
  ["&lt;a&gt; &amp; &quot;b&quot; &apos;", '<a> & "b" \''],
  ["one&#10;two&#x1F600;", "one\ntwo😀"],
  ["&amp;lt; stays escaped once", "&lt; stays escaped once"],
  ["&unknown; stays", "&unknown; stays"],
])("the XML text %j is %j", (xml, text) => {
  expect(unescapeXml(xml)).toBe(text);
});
