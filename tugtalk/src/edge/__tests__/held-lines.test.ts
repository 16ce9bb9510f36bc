/** Lines of the host that wait for files to be written, and how much of them is held. */
import { expect, test } from "bun:test";
import { HeldLines } from "../held-lines.ts";
import type { InboundLine } from "../inbound-line.ts";

const init: InboundLine = { message: { type: "protocol_init", version: 2 } };
const said = (text: string): InboundLine => ({ message: { type: "user_message", text } });

/** The lines of a host whose files are being written until `written` is called. */
function whileWriting() {
  const taken: InboundLine[] = [];
  const { promise, resolve: written } = Promise.withResolvers<void>();
  let writing: Promise<void> | undefined = promise.then(() => {
    writing = undefined;
  });
  const lines = new HeldLines(
    (line) => taken.push(line),
    () => writing,
  );
  return { lines, taken, written };
}

test("lines behind one that may resume a conversation wait with it, and keep their order", async () => {
  const { lines, taken, written } = whileWriting();
  const all = [said("before"), init, said("after")];
  for (const line of all) lines.receive(line);
  expect(taken).toEqual(all.slice(0, 1));
  written();
  await lines.settled();
  expect(taken).toEqual(all);
});

test("there is no room while more than 8 Mi characters are held", async () => {
  const { lines, taken, written } = whileWriting();
  const long = said("x".repeat(4 * 1024 * 1024));
  for (const line of [init, long]) lines.receive(line);
  expect(lines.room).toBeUndefined();
  lines.receive(long);
  const { room } = lines;
  expect(room).toBeInstanceOf(Promise);
  written();
  await room;
  expect(lines.room).toBeUndefined();
  expect(taken).toEqual([init, long, long]);
});
