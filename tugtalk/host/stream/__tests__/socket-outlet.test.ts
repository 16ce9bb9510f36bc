/** The back-pressure of one WebSocket, with a connection that takes as much as the test says. */
import { expect, test } from "bun:test";
import type { Frame } from "../../api/frame.ts";
import { SocketOutlet } from "../socket-outlet.ts";
import { FakeSocket } from "./support/fake-socket.ts";

const KIB = 1024;
const MIB = 1024 * KIB;

function frameOf(chars: number): Frame {
  return { session: "one", type: "text_delta", data: JSON.stringify("x".repeat(chars)) };
}

function openOutlet() {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  const send = (chars: number) => outlet.send([frameOf(chars)]);
  /** The client reads all waiting bytes. */
  const read = () => {
    socket.bufferedBytes = 0;
    outlet.resume();
  };
  return { socket, outlet, send, read };
}

test("there is room until 256 KiB wait, and again when they are read", () => {
  const { outlet, send, read } = openOutlet();
  expect(send(200 * KIB)).toBe(true);
  expect(send(200 * KIB)).toBe(false);
  let resumed = 0;
  outlet.onRoom(() => {
    resumed += 1;
  });
  outlet.resume();
  expect(resumed).toBe(0);
  read();
  read();
  expect(resumed).toBe(1);
});

test("of several that wait for room, each goes on in its turn, and those that have begun before those that wait to begin", () => {
  for (const [place, expected] of [
    ["last", "abcabc"],
    ["first", "aabbcc"],
  ] as const) {
    const { outlet, send, read } = openOutlet();
    let order = "";
    const sendTwice = (name: string, times = 2) => {
      order += name;
      send(300 * KIB);
      if (times > 1) outlet.onRoom(() => sendTwice(name, times - 1), place);
    };
    for (const name of ["a", "b", "c"]) outlet.onRoom(() => sendTwice(name));
    for (let reads = 0; reads < 6; reads++) read();
    expect(order).toBe(expected);
  }
});

test("a client to whom a frame was dropped is cut off, so that it has no hole", () => {
  const { socket, send } = openOutlet();
  send(10);
  expect(socket.isTerminated).toBe(false);
  socket.isDropping = true;
  send(10);
  expect(socket.isTerminated).toBe(true);
});

test("beside one message of any size, 8 MiB may wait, and more cuts the client off", () => {
  const { socket, send } = openOutlet();
  for (const mebibytes of [20, 5, 5]) send(mebibytes * MIB);
  expect(socket.isTerminated).toBe(false);
  send(MIB);
  expect(socket.isTerminated).toBe(true);
});

test("a large message that was read does not raise the limit for later ones", () => {
  const { socket, send } = openOutlet();
  send(40 * MIB);
  socket.bufferedBytes = 0;
  for (const mebibytes of [5, 5, 5]) send(mebibytes * MIB);
  expect(socket.isTerminated).toBe(false);
  send(MIB);
  expect(socket.isTerminated).toBe(true);
});
