import { expect, test } from "bun:test";
import { openHostWriter } from "../../ipc.ts";
import { openHostLines, readHost } from "../host-lines.ts";

test("a failed read of the host's pipe ends the input after the bytes before it", async () => {
  const chunks = [new TextEncoder().encode("one\ntwo")];
  const read = async () => {
    const value = chunks.shift();
    if (value === undefined) throw new Error("EIO: i/o error, read");
    return { done: false, value };
  };
  const input = openHostLines({ read, cancel: async () => {} }, 1000);
  const texts: string[] = [];
  for (let lines = await input.read(); lines !== undefined; lines = await input.read())
    for (const line of lines) texts.push(line instanceof Uint8Array ? `${Buffer.from(line)}` : "");
  expect(texts).toEqual(["one", "two"]);
});

test("the next lines of the host are read when there is room for them", async () => {
  const events: string[] = [];
  const batches = ["one", "two"].map((text) => [Buffer.from(text)]);
  const read = async () => {
    events.push("read");
    return batches.shift();
  };
  let isFull = true;
  const makeRoom = async () => {
    events.push("room");
    isFull = false;
  };
  const receive = (line: unknown) => void events.push(String(line));
  const writer = openHostWriter({ write: () => {}, flush: () => {} }, () => {});
  const room = () => (isFull ? makeRoom() : undefined);
  await readHost({ read, cancel: async () => {} }, writer, { receive, room });
  expect(events).toEqual(["read", "one", "room", "read", "two", "read"]);
});
