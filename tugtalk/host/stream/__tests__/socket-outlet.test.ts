/** The back-pressure of one WebSocket, with a connection that takes as much as the test says. */
import { expect, test } from "bun:test";
import type { Frame } from "../../api/frame.ts";
import { SocketOutlet } from "../socket-outlet.ts";
import { FakeSocket } from "./support/fake-socket.ts";

const KIB = 1024;

function frameOf(chars: number): Frame {
  return { session: "one", type: "text_delta", data: JSON.stringify("x".repeat(chars)) };
}

test("there is room until 256 KiB wait, and again when they are read", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  expect(outlet.send([frameOf(200 * KIB)])).toBe(true);
  expect(outlet.send([frameOf(200 * KIB)])).toBe(false);
  let resumed = 0;
  outlet.onRoom(() => {
    resumed += 1;
  });
  outlet.resume();
  expect(resumed).toBe(0);
  socket.bufferedBytes = 0;
  outlet.resume();
  outlet.resume();
  expect(resumed).toBe(1);
});

test("of several that wait for room, each goes on in its turn", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  const order: string[] = [];
  const send = (name: string) => {
    order.push(name);
    if (!outlet.send([frameOf(300 * KIB)])) outlet.onRoom(() => send(name));
  };
  for (const name of ["a", "b", "c"]) outlet.onRoom(() => send(name));
  for (let drains = 0; drains < 6; drains++) {
    socket.bufferedBytes = 0;
    outlet.resume();
  }
  expect(order).toEqual(["a", "b", "c", "a", "b", "c"]);
});

test("what has begun goes on before what waits to begin", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  const order: string[] = [];
  const send = (name: string, times: number) => {
    order.push(name);
    outlet.send([frameOf(300 * KIB)]);
    if (times > 1) outlet.onRoom(() => send(name, times - 1), "first");
  };
  for (const name of ["a", "b"]) outlet.onRoom(() => send(name, 3));
  for (let drains = 0; drains < 6; drains++) {
    socket.bufferedBytes = 0;
    outlet.resume();
  }
  expect(order).toEqual(["a", "a", "a", "b", "b", "b"]);
});

test("a client to whom a frame was dropped is cut off, so that it has no hole", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  outlet.send([frameOf(10)]);
  expect(socket.isTerminated).toBe(false);
  socket.isDropping = true;
  outlet.send([frameOf(10)]);
  expect(socket.isTerminated).toBe(true);
});

test("beside one message of any size, 8 MiB may wait, and what is more cuts the client off", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  const send = (mebibytes: number) => outlet.send([frameOf(mebibytes * 1024 * KIB)]);
  for (const mebibytes of [20, 5, 5]) send(mebibytes);
  expect(socket.isTerminated).toBe(false);
  send(1);
  expect(socket.isTerminated).toBe(true);
});

test("a large message that was read is no excuse for what waits later", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  const send = (mebibytes: number) => outlet.send([frameOf(mebibytes * 1024 * KIB)]);
  send(40);
  socket.bufferedBytes = 0;
  for (const mebibytes of [5, 5, 5]) send(mebibytes);
  expect(socket.isTerminated).toBe(false);
  send(1);
  expect(socket.isTerminated).toBe(true);
});
