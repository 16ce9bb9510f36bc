/** Playing a recording. */
import { describe, expect, test } from "bun:test";
import { HostConnection } from "../../src/edge/host-connection.ts";
import type { RecordingEntry } from "../../src/recording/recording.ts";
import { parseRecording, type Recorded } from "../recording-text.ts";
import { formatReplay, isAsItWas } from "../replay-report.ts";
import { play } from "./support/replayed.ts";

const { header } = parseRecording(
  JSON.stringify({
    dir: "note",
    msg: {
      tugtalk_recording: 4,
      tugtalk_version: "0.1.0",
      started_at: "2026-01-01T00:00:00.000Z",
      on_eof: "drain",
    },
  }),
);

const INIT: RecordingEntry = { t: 0, dir: "host", msg: { type: "protocol_init", version: 2 } };
const SPAWN: RecordingEntry = { t: 0, dir: "spawn", run: 1, msg: { pid: 1, args: [] } };

/** A host that sends this many invalid lines, one per entry. */
function noise(lines: number): readonly RecordingEntry[] {
  return Array.from({ length: lines }, (_, index) => ({
    t: index * 150,
    dir: "host",
    msg: "x",
  }));
}

const uuid = (digit: number) => `${String(digit).repeat(8)}-0000-4000-8000-000000000000`;

const asking = (session_id: string) => ({ type: "session_history", session_id });

const PAGE = {
  type: "session_history_result",
  session_id: uuid(1),
  messages: [],
  skipped_lines: 0,
};

const recorded = (entries: readonly RecordingEntry[]): Recorded => ({
  header,
  entries,
  isCut: true,
});

test("the number of reads of an entry does not grow with the recording", async () => {
  const looksAtEach = async (lines: number) => {
    let looks = 0;
    const watched = noise(lines).map(
      (entry) =>
        new Proxy(entry, {
          get(of, key) {
            looks += 1;
            return Reflect.get(of, key);
          },
        }),
    );
    expect((await play(recorded(watched))).emitted).toHaveLength(lines);
    return looks / lines;
  };
  expect(await looksAtEach(100)).toBeLessThan(2 * (await looksAtEach(10)));
});

test("a seq that is skipped or repeated is a difference", async () => {
  const others: Readonly<Record<string, string>> = {
    '"seq":2,': '"seq":3,',
    '"seq":5,': '"seq":4,',
  };
  const replay = await play(recorded(noise(6)), {
    openBridge: (ports) => {
      const queued = (line: string) =>
        ports.output.queued?.(line.replace(/"seq":\d+,/, (seq) => others[seq] ?? seq));
      return new HostConnection({ ...ports, output: { ...ports.output, queued } });
    },
  });
  expect(replay.emitted.map(({ seq }) => seq)).toEqual([1, 3, 3, 4, 4, 6]);
  expect(replay.differences).toEqual([
    { was: { dir: "seq", seq: 2 }, is: { dir: "seq", seq: 3 } },
    { was: { dir: "seq", seq: 4 }, is: { dir: "seq", seq: 3 } },
    { was: { dir: "seq", seq: 5 }, is: { dir: "seq", seq: 4 } },
    { was: { dir: "seq", seq: 5 }, is: { dir: "seq", seq: 6 } },
  ]);
});

describe("lookup of the bridge", () => {
  const [then, now] = [uuid(1), uuid(2)];

  /** The differences when the host requests `now` and the recorded lookup has these arguments. */
  const differences = async (about: unknown[]) => {
    const replay = await play(
      recorded([
        INIT,
        { t: 0, dir: "host", msg: asking(now) },
        SPAWN,
        { t: 1, dir: "found", msg: { what: "past", about, value: PAGE } },
      ]),
    );
    expect(replay.emitted.at(-1)).toMatchObject(PAGE);
    return replay.differences.filter(({ was }) => was?.["dir"] === "lookup");
  };

  test("a lookup of the bridge is no difference when its arguments are the same", async () => {
    expect(await differences([asking(now)])).toEqual([]);
  });

  test("a lookup of the bridge is a difference when its arguments differ", async () => {
    const lookup = { dir: "lookup", what: "past" };
    expect(await differences([asking(then)])).toMatchObject([
      { was: { ...lookup, about: [asking(then)] }, is: { ...lookup, about: [asking(now)] } },
    ]);
  });
});

describe("ids of a replayed bridge", () => {
  const init = (ids: readonly string[]): readonly RecordingEntry[] => [
    INIT,
    ...ids.map((msg) => ({ t: 0, dir: "id", msg }) as const),
  ];

  const madeWith = async (ids: readonly string[]) => {
    const { emitted } = await play(recorded(init(ids)));
    return emitted.find(({ type }) => type === "protocol_ack");
  };

  test("the ids of a replayed bridge are those of the recording", async () => {
    const [session_id, instance_id] = [uuid(1), uuid(2)];
    expect(await madeWith([session_id, instance_id])).toMatchObject({ session_id, instance_id });
  });

  test("the ids of a replayed bridge are the same generated ids in each replay when the recording has no more", async () => {
    const [one, other] = [await madeWith([uuid(1)]), await madeWith([uuid(1)])];
    expect(one).toMatchObject({ session_id: uuid(1), instance_id: expect.any(String) });
    expect(other).toEqual(one);
  });
});

describe("report of a replay", () => {
  const lost = { type: "result", subtype: "success", is_error: false, result: "done" };

  test("the report of a replay ends with LOST when a line of Claude was lost", async () => {
    const replay = await play(recorded([INIT, SPAWN]));
    const unlisted = new Map([["assistant", 1]]);
    const whole = { ...replay, differences: [] };
    expect(formatReplay(whole)).toEndWith("all is as it was");
    const silent = { ...replay.silent, unlisted };
    expect(isAsItWas({ ...whole, silent })).toBe(false);
    expect(formatReplay({ ...whole, silent })).toEndWith(
      "LOST: 1 × assistant gave no message and is not on the list",
    );
  });

  test("the report of a replay ignores lines of Claude after the host has closed its pipe", async () => {
    const entries: readonly RecordingEntry[] = [
      INIT,
      SPAWN,
      { t: 1, dir: "host_gone", msg: 3 },
      { t: 2, dir: "out", run: 1, msg: { type: "fanfare" } },
      { t: 2, dir: "out", run: 1, msg: lost },
    ];
    const { silent, claudeLines } = await play(recorded(entries));
    expect(claudeLines).toBe(2);
    expect([...silent.listed, ...silent.unlisted]).toEqual([]);
  });
});
