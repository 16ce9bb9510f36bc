/** The kind of a file, by its first bytes. */
import { expect, test } from "bun:test";
import { imageTypeOf, readAttachment, textIn } from "../read-attachment.ts";

function bytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

test.each([
  ["\x89PNG\r\n\x1a\n", "image/png"],
  ["\xff\xd8\xff\xe0", "image/jpeg"],
  ["GIF89a", "image/gif"],
  ["RIFF\x10\0\0\0WEBPVP8 ", "image/webp"],
  ["<svg/>", undefined],
  ["", undefined],
])("the first bytes %p are of the type %p", (start, type) => {
  expect(imageTypeOf(bytes(start))).toBe(type);
});

test("a text is valid UTF-8 without a zero byte", () => {
  expect(textIn(new TextEncoder().encode("naïve ✓"))).toBe("naïve ✓");
  expect(textIn(bytes("a\0b"))).toBeUndefined();
  expect(textIn(bytes("\xff\xfe"))).toBeUndefined();
});

test("a text has its name in front, an empty file is refused, and a long one is to be named instead", async () => {
  expect(await readAttachment(new File(["Hi"], "a.md"))).toEqual({
    attachment: { filename: "a.md", content: "a.md:\n\nHi", media_type: "text/plain" },
    isScaled: false,
  });
  expect(await readAttachment(new File([], "none"))).toEqual({ problem: "none is empty." });
  const long = new File(["x".repeat(1024 * 1024 + 1)], "long.log");
  expect(await readAttachment(long)).toMatchObject({
    problem: expect.stringContaining("long.log is larger than 1 MiB"),
  });
});

test("a folder, a file that is gone and one that is too large are refused with the reason", async () => {
  const folder = new File(["x"], "src");
  folder.arrayBuffer = () => Promise.reject(new DOMException("gone", "NotFoundError"));
  expect(await readAttachment(folder)).toEqual({
    problem: "src cannot be read. Type @ to name a folder or a file.",
  });
  const film = new File(["x"], "film.mp4");
  Object.defineProperty(film, "size", { value: 64 * 1024 * 1024 + 1 });
  expect(await readAttachment(film)).toEqual({ problem: "film.mp4 is larger than 64 MiB." });
});
