/** The clock of a bridge that is recorded: what it tells the bridge, and what is noted of it. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "../../../replay/virtual-clock.ts";
import type { ConnectionPorts } from "../../edge/host-connection.ts";
import { RecordedClock } from "../recorded-clock.ts";
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
  own.fire(1, 30);
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

/** Records a bridge that has only these ports. */
function record(path: string, ports: Partial<ConnectionPorts>) {
  const unused = { input: {}, output: {}, past: {}, lastSession: {} };
  const whole = { ...unused, onEof: "drain", ...ports } as ConnectionPorts;
  return startRecording(path, () => whole);
}

test("what comes in moves it on to the time that is noted", async () => {
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
  expect(entriesOf(path)[0]).toMatchObject({ ms: 7, event: "host_said" });
});

test("that a host does not read is noted, however short it is, when a timer runs meanwhile", async () => {
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
  expect(events).toEqual(["told", "timer", "host_took", "ended"]);
});
