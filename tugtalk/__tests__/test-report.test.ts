/** Reports and outputs of `bun test` that no small project shows, as the test runner reads them. */
import { describe, expect, test } from "bun:test";
import { failedRun, formatFailure, readRun, unescapeXml } from "../../.ci/test-report.ts";

const PASSED = '<testcase name="passes" classname="" time="0.1" file="a.test.ts" line="2" />';
const FAILED = `<testcase name="fails &lt;so&gt;" classname="a group" time="0.1" file="a.test.ts" line="3">
  <failure type="AssertionError" message="expected&#10;1">AssertionError: expected&#10;1&#10;      at a.test.ts:3:121&#10;</failure>
</testcase>`;
const SKIPPED = `<testcase name="is left out" classname="" time="0" file="a.test.ts" line="9">
  <skipped />
</testcase>`;
const UNHANDLED = `
c.test.ts:

# Unhandled error between tests
-------------------------------
error: Unexpected ;
    at /home/me/tugtalk/d.test.ts:2:11
-------------------------------
`;

const HEALTHY = "\na.test.ts:\n(pass) passes [0.03ms]\n";

/** Reads a run with these tests in its report. */
function read(cases: readonly string[], output = HEALTHY, isSuccess = false) {
  const report = `<testsuites name="bun test">${cases.join("\n")}</testsuites>`;
  return readRun({ report, output, ending: "exited with 1", isSuccess });
}

describe("a run of bun test", () => {
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
    const [failure] = read([PASSED], UNHANDLED).failures;
    expect(failure?.title).toBe("tugtalk/d.test.ts > outside of its tests");
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
