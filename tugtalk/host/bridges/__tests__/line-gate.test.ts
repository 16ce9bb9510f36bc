/** The lines that a host writes to bridges while it may soon count as gone. */
import { expect, test } from "bun:test";
import { LineGate } from "../line-gate.ts";

function openGate() {
  const clock = { now: 0 };
  const gate = new LineGate(() => clock.now);
  const written: string[] = [];
  const write = (text: string, { bridgeEndMs = 70, isEnd = false } = {}) =>
    gate.passFor(bridgeEndMs)({ write: () => void written.push(text), isEnd });
  return { clock, gate, written, write };
}

test("the last line is written so early that the bridge ends before its host is gone", () => {
  const { clock, gate, written, write } = openGate();
  gate.setGoneAt(76);
  clock.now = 6;
  write("in time");
  clock.now = 6.1;
  write("late");
  write("to one that ends sooner", { bridgeEndMs: 20 });
  expect(written).toEqual(["in time", "to one that ends sooner"]);
});

test("lines that wait are written in their order when the host has renewed its lease", () => {
  const { clock, gate, written, write } = openGate();
  gate.setGoneAt(76);
  clock.now = 10;
  write("one");
  write("end", { isEnd: true });
  write("two");
  gate.setGoneAt(79);
  expect(written).toEqual([]);
  gate.setGoneAt(86);
  expect(written).toEqual(["one", "end", "two"]);
});

test("a host that has lost its lease writes ends alone", () => {
  const { clock, gate, written, write } = openGate();
  gate.setGoneAt(76);
  clock.now = 10;
  write("waits");
  write("end of one that waits", { isEnd: true });
  gate.drop();
  write("end", { isEnd: true });
  gate.setGoneAt(200);
  write("of the next lease");
  expect(written).toEqual(["end of one that waits", "end", "of the next lease"]);
});

test("a host that shares no database writes whatever it is given", () => {
  const { clock, written, write } = openGate();
  clock.now = 1e12;
  write("line");
  expect(written).toEqual(["line"]);
});
