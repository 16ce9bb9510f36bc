/** The back-pressure of one WebSocket, with a connection that takes as much as the test says. */
import { expect, test } from "bun:test";
import type { Frame } from "../frame.ts";
import { type FrameSocket, SocketOutlet } from "../socket-outlet.ts";

const KIB = 1024;

/** A connection whose client reads nothing until `bufferedBytes` is set back. */
class FakeSocket implements FrameSocket {
  bufferedBytes = 0;
  isTerminated = false;
  /** As Bun answers when its own limit is reached, or the connection closed. */
  isDropping = false;
  readonly sent: string[] = [];

  sendText(text: string): number {
    if (this.isDropping) return 0;
    this.sent.push(text);
    this.bufferedBytes += text.length;
    return -1;
  }

  getBufferedAmount(): number {
    return this.bufferedBytes;
  }

  cork<Result>(write: (socket: never) => Result): Result {
    return write(undefined as never);
  }

  terminate(): void {
    this.isTerminated = true;
  }
}

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

test("a client to whom a frame was dropped is cut off, so that it has no hole", () => {
  const socket = new FakeSocket();
  const outlet = new SocketOutlet(socket);
  outlet.send([frameOf(10)]);
  expect(socket.isTerminated).toBe(false);
  socket.isDropping = true;
  outlet.send([frameOf(10)]);
  expect(socket.isTerminated).toBe(true);
});
