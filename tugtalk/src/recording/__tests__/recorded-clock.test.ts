/** The clock of a recorded bridge: the time that the bridge reads, and the timers that are recorded. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "../../../replay/virtual-clock.ts";
import type { ConnectionPorts } from "../../edge/host-connection.ts";
import { recordClock } from "../recorded-clock.ts";
import { startRecording } from "../recorder.ts";
import { RecordingEntry } from "../recording.ts";
import type { Note } from "../recording-notes.ts";

const START = 1_000_000;

const newPath = () => join(mkdtempSync(join(tmpdir(), "recorded-clock-")), "recording.jsonl");

function entriesOf(path: string): RecordingEntry[] {
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => RecordingEntry.parse(JSON.parse(line)));
}

function open() {
  const real = new VirtualClock(START);
  const noted: Note[] = [];
  const notes = { lastInput: START, add: (note: Note) => void noted.push(note) };
  return { real, noted, notes, clock: recordClock(real, notes) };
}

test("a timer is recorded with its number and its delay before it runs, and a cleared timer is not recorded", () => {
  const { real, clock, noted } = open();
  clock.clearTimer(clock.setTimer(() => {}, 5));
  let before: readonly Note[] = [];
  clock.setTimer(() => {
    before = [...noted];
  }, 30);
  real.fire(1, 30);
  expect(before).toEqual([{ event: "timer", number: 2, delay_ms: 30 }]);
  expect(noted).toEqual([...before]);
  expect(clock.fired()).toBe(1);
});

test("the clock shows the time of the last input", () => {
  const { real, notes, clock } = open();
  real.moveTo(START + 40);
  expect(clock.now()).toBe(START);
  notes.lastInput = START + 40;
  expect(clock.now()).toBe(START + 40);
});

/** Records a bridge that has only these ports. */
function record(path: string, ports: Partial<ConnectionPorts>) {
  const unused = { input: {}, output: {}, past: {}, lastSession: {} };
  const whole = { ...unused, onEof: "drain", ...ports } as ConnectionPorts;
  return startRecording(path, () => whole);
}

test("an input sets the clock to the time of its entry", async () => {
  const path = newPath();
  const clock = new VirtualClock(START);
  const input = {
    read: async () => [Buffer.from("{}")],
    cancel: async () => {},
  };
  const recording = await record(path, { clock, input });
  clock.moveTo(START + 7);
  expect(recording.ports.clock.now()).toBe(START);
  await recording.ports.input.read();
  expect(recording.ports.clock.now()).toBe(START + 7);
  await recording.close();
  expect(entriesOf(path)[0]).toMatchObject({ ms: 7, event: "host_lines" });
});

test("a delayed read of the host is recorded when a timer runs before it", async () => {
  const path = newPath();
  const clock = new VirtualClock(START);
  const taken = Promise.withResolvers<void>();
  const output = { write: () => {}, flush: () => taken.promise };
  const recording = await record(path, { clock, output });
  const { output: recorded, clock: emitted } = recording.ports;
  recorded.queued?.("{}\n");
  const flushed = recorded.flush();
  emitted.setTimer(() => {}, 1);
  clock.fire(1, 1);
  taken.resolve();
  await flushed;
  await recording.close();
  const events = entriesOf(path).map(({ event }) => event);
  expect(events).toEqual(["emitted", "timer", "host_drained", "ended"]);
});

test("the promises of the bridge settle before the next lines are recorded", async () => {
  const path = newPath();
  const input = { read: async () => [Buffer.from("{}")], cancel: async () => {} };
  const newId = () => crypto.randomUUID();
  const recording = await record(path, { clock: new VirtualClock(START), input, newId });
  await recording.ports.input.read();
  const next = recording.ports.input.read();
  for (let hop = 0; hop < 20; hop += 1) await Promise.resolve();
  recording.ports.newId();
  await next;
  await recording.close();
  const events = entriesOf(path).map(({ event }) => event);
  expect(events).toEqual(["host_lines", "new_id", "host_lines", "ended"]);
});
