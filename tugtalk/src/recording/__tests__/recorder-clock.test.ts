/** The clock of a recorded bridge: the time that the bridge reads, and the timers that are recorded. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VirtualClock } from "../../../replay/virtual-clock.ts";
import type { ConnectionPorts } from "../../edge/host-connection.ts";
import { startRecording } from "../recorder.ts";
import { RecordingEntry } from "../recording.ts";

const START = 1_000_000;

const newPath = () => join(mkdtempSync(join(tmpdir(), "recorded-clock-")), "recording.jsonl");

function entriesOf(path: string): RecordingEntry[] {
  const [, ...lines] = readFileSync(path, "utf8").trimEnd().split("\n");
  return lines.map((line) => RecordingEntry.parse(JSON.parse(line)));
}

/** Records a bridge that has only these ports. */
function record(path: string, ports: Partial<ConnectionPorts>) {
  const unused = { input: {}, output: {}, past: {}, lastSession: {}, transcript: {} };
  const whole = { ...unused, onEof: "drain", ...ports } as ConnectionPorts;
  return startRecording(path, () => whole);
}

test("a timer is recorded with its delay before it runs, and a cleared timer is not recorded", async () => {
  const path = newPath();
  const clock = new VirtualClock(START);
  const recording = await record(path, { clock, newId: () => "id" });
  const { clock: recorded, newId } = recording.ports;
  recorded.clearTimer(recorded.setTimer(() => {}, 5));
  recorded.setTimer(() => void newId(), 30);
  clock.fire(30);
  await recording.close();
  const [timer, id] = entriesOf(path);
  expect(timer).toMatchObject({ dir: "timer", msg: 30 });
  expect(id).toMatchObject({ dir: "id" });
  expect(entriesOf(path)).toHaveLength(3);
});

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
  expect(entriesOf(path)[0]).toMatchObject({ t: 7, dir: "host" });
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
  clock.fire(1);
  taken.resolve();
  await flushed;
  await recording.close();
  const events = entriesOf(path).map(({ dir }) => dir);
  expect(events).toEqual(["emit", "timer", "host_drained", "ended"]);
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
  const events = entriesOf(path).map(({ dir }) => dir);
  expect(events).toEqual(["host", "id", "host", "ended"]);
});
