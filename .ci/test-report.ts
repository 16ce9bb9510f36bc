/**
 * The result of a run of `bun test`, from its JUnit report and its output: the totals, and each failure
 * as text. Pure; `test.ts` runs the tests and prints.
 */

/** The totals of some tests. */
export type Count = { readonly passed: number; readonly failed: number };

/** One failed test, or an error that belongs to no test. */
export type Failure = { readonly title: string; readonly text: string };

/** The result of one run. */
export type RunResult = { readonly count: Count; readonly failures: readonly Failure[] };

/** The end of a run on disk. */
export type RunEnd = {
  /** The JUnit report; undefined if none was written. */
  readonly report: string | undefined;
  /** Everything that `bun test` printed, without colours. */
  readonly output: string;
  /** How the run ended, for example "exited with 1". */
  readonly ending: string;
  readonly isSuccess: boolean;
  /** Only tests with a name were to run: others are reported as skipped. */
  readonly isNamed?: boolean;
};

/** The most lines of a failure, and of an output that ends without a report, that are printed. */
const MAX_LINES = 60;

/** Reads the end of one run. A skipped test counts as failed: no test here is skipped on purpose. */
export function readRun({ report, output, ending, isSuccess, isNamed }: RunEnd): RunResult {
  if (report === undefined) return failedRun(`bun test ${ending} and wrote no report`, output);
  const all = casesOf(report);
  const cases = isNamed === true ? all.filter(({ inside }) => !/<skipped\b/.test(inside)) : all;
  const failures = [
    ...cases.flatMap((one) => caseFailures(one, output)),
    ...unhandledErrors(output),
  ];
  if (cases.length === 0 && failures.length === 0) return failedRun("no test ran", output);
  if (failures.length === 0 && !isSuccess)
    return failedRun(`no test failed, but bun test ${ending}`, output, cases.length);
  const passed = cases.filter(({ inside }) => !/<(?:failure|skipped)\b/.test(inside)).length;
  return { count: { passed, failed: failures.length }, failures };
}

/** A run that counts as one failure, with the end of its output. */
export function failedRun(title: string, output = "", passed = 0): RunResult {
  const text = output.trimEnd().split("\n").slice(-MAX_LINES).join("\n");
  return { count: { passed, failed: 1 }, failures: [{ title, text }] };
}

/** A failure as it is printed. */
export function formatFailure({ title, text }: Failure): string {
  const lines = text === "" ? [] : text.trimEnd().split("\n");
  const rest = lines.length - MAX_LINES;
  const shown = rest > 0 ? [...lines.slice(0, MAX_LINES), `… and ${rest} more lines`] : lines;
  return [`FAILED ${title}`, ...shown.map((line) => `    ${line}`.trimEnd()), ""].join("\n");
}

/** One test of a report: its attributes, and the XML inside its element. */
type Case = { readonly attributes: Readonly<Record<string, string>>; readonly inside: string };

function casesOf(report: string): Case[] {
  return [...report.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(
    ([, attributes = "", inside = ""]) => ({ attributes: attributesOf(attributes), inside }),
  );
}

function attributesOf(text: string): Record<string, string> {
  const found = [...text.matchAll(/([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(found.map(([, name = "", value = ""]) => [name, unescapeXml(value)]));
}

const FAILURE = /<failure ([^>]*?)(?:\/>|>([\s\S]*?)<\/failure>)/;

function caseFailures({ attributes, inside }: Case, output: string): Failure[] {
  const { name = "", classname = "", file = "", line = "", time = "0" } = attributes;
  const place = line === "" ? file : `${file}:${line}`;
  const title = [place, classname, name].filter((part) => part !== "").join(" > ");
  if (/<skipped\b/.test(inside)) return [{ title, text: "is skipped" }];
  const failure = FAILURE.exec(inside);
  if (failure === null) return [];
  const { message = "", type = "" } = attributesOf(failure[1] ?? "");
  const text = unescapeXml(failure[2] ?? "").trim() || `${type}: ${message}`;
  const reason = type === "TimeoutError" ? `${text} after ${Number(time)} s` : text;
  return [{ title, text: [reason, ...notesOf(name, outputOf(file, output))].join("\n") }];
}

/** Notes that only the output has: seeds, and the last lines of a crashed worker. */
function notesOf(name: string, printed: string): readonly string[] {
  if (name === "(worker crashed)") return [printed];
  return printed.split("\n").filter((line) => /: seed \d+$/.test(line));
}

/** The headers before the output of each file. */
const FILE_HEADER = /^(\S+\.ts):$/gm;

/** The output of a file. */
function outputOf(file: string, output: string): string {
  const headers = [...output.matchAll(FILE_HEADER)];
  return headers
    .map((header, at) =>
      header[1] === file ? output.slice(header.index, headers[at + 1]?.index).trim() : "",
    )
    .filter((text) => text !== "")
    .join("\n");
}

const UNHANDLED = /^# Unhandled error between tests\n-+\n([\s\S]*?)\n-{20,}$/gm;

/** A test file in the folder of the project, in the form of a stack. */
const TEST_FILE =
  /(?:^|[\s("'/])(tugtalk\/[^\s:"']*\.(?:test|real|faults|long|package|examples)\.ts)\b/;

/** The errors that no report has: files that do not load, and errors that are thrown between tests. */
function unhandledErrors(output: string): Failure[] {
  const headers = [...output.matchAll(FILE_HEADER)];
  return [...output.matchAll(UNHANDLED)].map(({ index, 1: text = "" }) => {
    // Files run side by side, so the header before an error may belong to another file.
    const before = headers.findLast((header) => header.index < index)?.[1];
    const file = TEST_FILE.exec(text)?.[1] ?? before ?? "unknown file";
    return { title: `${file} > outside of its tests`, text };
  });
}

const XML_NAMES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text from XML: replaces the five named entities and numbers, decimal or hexadecimal. */
export function unescapeXml(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    return XML_NAMES[name] ?? whole;
  });
}
