/** The clock of a bridge that is recorded: what it tells the bridge, and what is noted of it. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "../../replay/virtual-clock.ts";
import type { BridgePorts } from "../bridge.ts";
import { RecordedClock } from "../recorded-clock.ts";
import { startRecording } from "../recorder.ts";
import type { Note } from "../recording-notes.ts";

const START = 1_000_000;

function open() {
  const own = new VirtualClock(START);
  const noted: Note[] = [];
  const clock = new RecordedClock(own, (note) => {
    noted.push(note);
    clock.moveTo(own.now());
  });
  return { own, clock, noted };
}

test("a timer is noted with its number and its delay before it runs, one that is cleared never", () => {
  const { own, clock, noted } = open();
  clock.clearTimer(clock.setTimer(() => {}, 5));
  let before: readonly Note[] = [];
  clock.setTimer(() => {
    before = [...noted];
  }, 30);
  while (own.runNext(START + 100));
  expect(before).toEqual([{ event: "timer", number: 2, delay_ms: 30 }]);
  expect(noted).toEqual([...before]);
  expect(clock.fired).toBe(1);
});

test("it stands still until something comes in", () => {
  const { own, clock, noted } = open();
  own.moveTo(START + 40);
  expect(clock.now()).toBe(START);
  clock.moveTo(START + 40);
  expect(clock.now()).toBe(START + 40);
  expect(noted).toEqual([]);
});

test("a bridge that is at work for long reads how late it is, and the reading is noted", () => {
  const { own, clock, noted } = open();
  clock.now();
  own.moveTo(START + 500);
  expect([clock.now(), clock.now()]).toEqual([START + 500, START + 500]);
  expect(noted).toEqual([{ event: "read_clock", reading: 2 }]);
});

test("that a host does not read is noted, however short it is, when a timer runs meanwhile", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "recorded-clock-")), "recording.jsonl");
  const clock = new VirtualClock(START);
  const taken = Promise.withResolvers<void>();
  const output = { write: () => {}, flush: () => taken.promise };
  const ports: Partial<BridgePorts> = { clock, output, maxLineBytes: 100, onEof: "drain" };
  const recording = await startRecording(path, () => ({ ...UNUSED, ...ports }) as BridgePorts);
  const { output: recorded, clock: told } = recording.ports;
  recorded.queued?.("{}\n");
  const flushed = recorded.flush();
  told.setTimer(() => {}, 1);
  clock.runNext(START + 1);
  taken.resolve();
  await flushed;
  await recording.close();
  const [, ...entries] = readFileSync(path, "utf8").trimEnd().split("\n");
  const events = entries.map((line) => JSON.parse(line).event);
  expect(events).toEqual(["told", "timer", "host_took", "ended"]);
});

/** What a recording wraps, and this one has nothing of. */
const UNUSED = { input: {}, past: {}, lastSession: {} };
