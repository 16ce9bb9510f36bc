/**
 * An edited recording stands for a bridge that behaves differently: each change is reported as one difference
 * at its position.
 */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../src/base/json.ts";
import { END_OF_PIPE, type RecordingEntry } from "../../src/recording/recording.ts";
import { NotARecording, parseRecording, type Recorded } from "../recording-text.ts";
import { formatReplay, isAsItWas } from "../replay-report.ts";
import { expectAsItWas, playKept } from "./support/replayed.ts";

const TEXT = readFileSync(
  join(import.meta.dir, "recordings", "claude-2-1-38-subagent.jsonl"),
  "utf8",
);
const RECORDED = parseRecording(TEXT);

const isEmitted = (type: string) => (entry: RecordingEntry) =>
  entry.dir === "emit" && fieldsOf(entry.msg)["type"] === type;

/** The recording with the first matching entry replaced. */
function altered(
  fits: (entry: RecordingEntry) => boolean,
  others: (entry: RecordingEntry) => readonly RecordingEntry[],
): Recorded {
  const at = RECORDED.entries.findIndex(fits);
  const entry = RECORDED.entries[at];
  if (entry === undefined) throw new Error("no entry fits");
  return { ...RECORDED, entries: RECORDED.entries.toSpliced(at, 1, ...others(entry)) };
}

const withFields = (entry: RecordingEntry, fields: object): RecordingEntry =>
  ({ ...entry, msg: { ...fieldsOf(entry.msg), ...fields } }) as RecordingEntry;

describe("changed message to the host", () => {
  test("a changed message to the host with another field is one difference with the recorded and the replayed value", async () => {
    const replay = await playKept(
      altered(isEmitted("tool_use"), (entry) => [withFields(entry, { tool_name: "Bush" })]),
    );
    expect(replay.differences).toMatchObject([
      { was: { tool_name: "Bush" }, is: { type: "tool_use" } },
    ]);
    expect(isAsItWas(replay)).toBe(false);
    expect(formatReplay(replay)).toContain('tool_use: tool_name was "Bush", is "');
  });

  test("a changed message to the host with a field of asterisks is a difference, although it looks like a mask", async () => {
    const replay = await playKept(
      altered(isEmitted("tool_use"), (entry) => [withFields(entry, { tool_name: "****" })]),
    );
    expect(formatReplay(replay)).toContain('tool_use: tool_name was "****", is "Task"');
  });

  test("a changed message to the host that is added or missing is one difference", async () => {
    const more = await playKept(altered(isEmitted("turn_started"), () => []));
    expect(more.differences).toMatchObject([{ is: { type: "turn_started" } }]);
    expect(formatReplay(more)).toContain('new: {"type":"turn_started"');
    const less = await playKept(
      altered(isEmitted("turn_started"), (entry) => [
        withFields(entry, { type: "fanfare" }),
        entry,
      ]),
    );
    expect(less.differences).toMatchObject([{ was: { type: "fanfare" } }]);
    expect(formatReplay(less)).toContain('missing: {"type":"fanfare"');
  });

  test("a changed message to the host is no difference when only the version and the capabilities of tugtalk differ", async () => {
    const fields = { tugtalk_version: "99.0.0", capabilities: { inbound: [] }, seq: 7 };
    const replay = await playKept(
      altered(isEmitted("protocol_ack"), (entry) => [withFields(entry, fields)]),
    );
    expectAsItWas(replay);
  });
});

describe("changed output to Claude or end of the bridge", () => {
  test("a changed output to Claude or end of the bridge is a difference when it is the arguments, the end of stdin or the exit code", async () => {
    const start = await playKept(
      altered(
        ({ dir }) => dir === "spawn",
        (entry) => [withFields(entry, { args: [] })],
      ),
    );
    expect(start.differences).toMatchObject([{ was: { dir: "spawn", msg: { args: [] } } }]);
    const written = await playKept(
      altered(
        ({ dir, msg }) => dir === "in" && msg === END_OF_PIPE,
        () => [],
      ),
    );
    expect(written.differences).toEqual([{ is: { dir: "in", run: 1, msg: END_OF_PIPE } }]);
    const end = await playKept(
      altered(
        ({ dir }) => dir === "ended",
        ({ t }) => [{ t, dir: "ended", msg: 1 }],
      ),
    );
    expect(end.differences).toEqual([
      { was: { dir: "ended", msg: 1 }, is: { dir: "ended", msg: 0 } },
    ]);
  });

  test("a changed output to Claude or end of the bridge is a difference when the bridge does not end", async () => {
    const replay = await playKept(
      altered(
        ({ dir, msg }) => dir === "host" && msg === END_OF_PIPE,
        () => [],
      ),
    );
    expect(replay.differences).toContainEqual({ was: { dir: "ended", msg: 0 } });
  });
});

test("a recording that is cut after any entry replays without differences", async () => {
  for (let length = 0; length < RECORDED.entries.length; length += 1) {
    const entries = RECORDED.entries.slice(0, length);
    expectAsItWas(await playKept({ ...RECORDED, entries, isCut: true }));
  }
});

describe("text of a recording", () => {
  test("the text of a recording may end in the middle of an entry, and that entry is left out", () => {
    for (const cut of [1, 10, 20]) {
      const parsed = parseRecording(TEXT.trimEnd().slice(0, -cut));
      expect(parsed).toEqual({ ...RECORDED, entries: RECORDED.entries.slice(0, -1), isCut: true });
    }
  });

  test.each([
    ["an empty text", "", "line 1 is not the header"],
    ["another file", "{}\n{}\n", "line 1 is not the header"],
    [
      "a recording of a later format",
      TEXT.replace('"tugtalk_recording":4', '"tugtalk_recording":5'),
      "line 1",
    ],
    ["a recording with an unknown entry", TEXT.replace("\n", "\n{}\n"), "line 2 is not an entry"],
  ])("%s is refused", (_name, text, problem) => {
    expect(() => parseRecording(text)).toThrow(NotARecording);
    expect(() => parseRecording(text)).toThrow(problem);
  });

  test("the text of a recording may have unknown fields", () => {
    const later = TEXT.replaceAll('{"t":', '{"mood":"fine","t":');
    expect(parseRecording(later)).toEqual(RECORDED);
  });
});
