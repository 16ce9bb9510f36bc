/** The text and the attachments that Claude gets for a prompt of the client. */
import { expect, test } from "bun:test";
import { promptContent } from "../prompt-content.ts";

test("texts, text resources and links are one text, in order and with their URIs; images are attachments", () => {
  const content = promptContent([
    { type: "text", text: "See" },
    { type: "resource", resource: { uri: "file:///a.txt", text: "alpha" } },
    { type: "image", data: "aW1n", mimeType: "image/png" },
    { type: "resource_link", uri: "file:///b%20c.txt", name: "b c.txt" },
    { type: "resource_link", uri: "https://example.com/x", name: "x", title: "The page" },
    { type: "resource", resource: { uri: "file:///d.png", blob: "aW1n", mimeType: "image/png" } },
  ]);
  expect(content.text).toBe(
    'See\n[a.txt](file:///a.txt)\n@/b c.txt\n[The page](https://example.com/x)\n<resource uri="file:///a.txt">\nalpha\n</resource>',
  );
  expect(content.attachments).toEqual([
    { filename: "image 3", content: "aW1n", media_type: "image/png" },
    { filename: "file:///d.png", content: "aW1n", media_type: "image/png" },
  ]);
});

test("a PDF is refused, and the error names its block and the blocks that are taken", () => {
  const resource = { uri: "file:///a.pdf", blob: "JVBERi0=", mimeType: "application/pdf" };
  expect(() => promptContent([{ type: "resource", resource }])).toThrow(
    expect.objectContaining({
      code: -32602,
      message: "prompt.0: a binary resource must be an image",
    }),
  );
});

test("a text resource is a link in its place, and its content is behind all that the person wrote", () => {
  const resource = { uri: "file:///work/notes%20a.md?x#L1", text: "of the file" };
  const { text } = promptContent([
    { type: "resource", resource },
    { type: "text", text: "what is it" },
    { type: "resource_link", uri: "https://example.com/", name: "page" },
  ]);
  expect(text.split("\n")).toEqual([
    "[notes%20a.md](file:///work/notes%20a.md?x#L1)",
    "what is it",
    "[page](https://example.com/)",
    '<resource uri="file:///work/notes%20a.md?x#L1">',
    "of the file",
    "</resource>",
  ]);
});
