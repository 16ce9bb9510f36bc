import { expect, test } from "bun:test";
import { openHostLines } from "../host-lines.ts";

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
