/** The line for Claude of a host message and its attachments. */
import { expect, test } from "bun:test";
import {
  MAX_ATTACHMENTS_BYTES,
  MAX_IMAGE_BASE64_BYTES,
} from "../../messages/attachment-rejection.ts";
import type { Attachment } from "../../messages/user-messages.ts";
import { buildContent, buildUserEnvelope } from "../user-message.ts";

const PNG = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
const BYTES = {
  png: PNG,
  jpeg: "\xff\xd8\xff\xe0\0\x10JFIF\0",
  gif87: "GIF87a\x01\0\x01\0\0\0",
  gif89: "GIF89a\x01\0\x01\0\0\0",
  webp: "RIFF\x24\0\0\0WEBPVP8 ",
  wav: "RIFF\x24\0\0\0WAVEfmt ",
  bmp: "BM\x9a\0\0\0\0\0\0\0\x36\0",
  pdf: "%PDF-1.7\n%abcd",
};

const image = (bytes: string, media_type: string): Attachment => ({
  filename: "a.bin",
  content: btoa(bytes),
  media_type,
});
const text = (content: string, media_type = "text/plain"): Attachment => ({
  filename: "a.txt",
  content,
  media_type,
});

test.each([
  ["image/png", BYTES.png],
  ["image/jpeg", BYTES.jpeg],
  ["image/gif", BYTES.gif87],
  ["image/gif", BYTES.gif89],
  ["image/webp", BYTES.webp],
])(
  "an accepted attachment that is %s by its first bytes becomes an image block with the same data",
  (media_type, bytes) => {
    expect(buildContent("look", [image(bytes, media_type)])).toEqual({
      blocks: [
        { type: "text", text: "look" },
        { type: "image", source: { type: "base64", media_type, data: btoa(bytes) } },
      ],
    });
  },
);

test.each(["text/plain", "text/markdown", "text/csv", "application/json"])(
  "an accepted attachment of type %s becomes a text block with the same text",
  (media_type) => {
    expect(buildContent("read", [text("not base64: ä\n", media_type)])).toEqual({
      blocks: [
        { type: "text", text: "read" },
        { type: "text", text: "not base64: ä\n" },
      ],
    });
  },
);

test("an accepted attachment that is an image may have exactly the largest size", () => {
  const content = padded(MAX_IMAGE_BASE64_BYTES);
  expect(buildContent("x", [{ ...image("", "image/png"), content }])).toHaveProperty("blocks");
});

test("an accepted attachment keeps its position among attachments of other types", () => {
  const content = buildContent("first", [
    text("second"),
    image(BYTES.png, "image/png"),
    text("fourth"),
    image(BYTES.gif89, "image/gif"),
  ]);
  const types = "blocks" in content ? content.blocks.map(({ type }) => type) : [];
  expect(types).toEqual(["text", "text", "image", "text", "image"]);
  expect(content).toMatchObject({
    blocks: [{ text: "first" }, { text: "second" }, {}, { text: "fourth" }, {}],
  });
});

test.each(["", " \n"])(
  "an accepted attachment with the blank message text %j is the only block",
  (words) => {
    const content = buildContent(words, [image(BYTES.png, "image/png")]);
    expect(content).toMatchObject({ blocks: [{ type: "image" }] });
    expect(content).toHaveProperty("blocks.length", 1);
  },
);

test("an accepted attachment may have exactly the largest total size, and one byte more is refused", () => {
  const large = text("x".repeat(MAX_ATTACHMENTS_BYTES - 1));
  expect(buildContent("read", [large, text("y")])).toHaveProperty("blocks");
  expect(buildContent("read", [large, text("yz")])).toMatchObject({
    rejected: expect.stringMatching(/33554433 bytes of attachments are more/),
  });
});

type Refused = readonly [name: string, attachment: Attachment, words: RegExp];

const REFUSED: readonly Refused[] = [
  ["a bitmap", image(BYTES.bmp, "image/bmp"), /image\/bmp is not supported/],
  ["a bitmap with the type of a png", image(BYTES.bmp, "image/png"), /not image\/png/],
  ["a pdf", image(BYTES.pdf, "application/pdf"), /application\/pdf is not supported/],
  ["an svg", image("<svg/>", "image/svg+xml"), /not supported/],
  ["a type that is a property of every object", image(BYTES.png, "constructor"), /not supported/],
  ["a png with the type of a jpeg", image(BYTES.png, "image/jpeg"), /not image\/jpeg/],
  ["a jpeg with the type of a png", image(BYTES.jpeg, "image/png"), /not image\/png/],
  ["a wav with the type of a webp", image(BYTES.wav, "image/webp"), /not image\/webp/],
  ["a png that is cut after two bytes", image("\x89P", "image/png"), /not image\/png/],
  ["an empty text", { ...text(""), filename: "a.bin" }, /the text is empty/],
  ["a text of spaces", { ...text(" \n\t"), filename: "a.bin" }, /the text is empty/],
  [
    "base64 in the URL alphabet",
    { ...image("", "image/png"), content: "iVBORw0K-_8=" },
    /not base64/,
  ],
  [
    "base64 without its padding",
    { ...image("", "image/png"), content: btoa(`${PNG}x`).replaceAll("=", "") },
    /not base64/,
  ],
  [
    "a data URL",
    { ...image("", "image/png"), content: `data:image/png;base64,${btoa(PNG)}` },
    /not base64/,
  ],
  ["an empty image", image("", "image/png"), /not base64/],
  ["text that is not base64", { ...image("", "image/png"), content: "!!!!" }, /not base64/],
  [
    "base64 with a newline",
    { ...image("", "image/png"), content: `${btoa(PNG).slice(0, -1)}\n` },
    /not base64/,
  ],
  [
    "base64 of the wrong length",
    { ...image("", "image/png"), content: btoa(PNG).slice(0, 13) },
    /not base64/,
  ],
  [
    "padding in the middle",
    { ...image("", "image/png"), content: `${btoa(PNG).slice(0, 12)}A==A` },
    /not base64/,
  ],
  [
    "an image over 5 MiB",
    { ...image("", "image/png"), content: padded(MAX_IMAGE_BASE64_BYTES + 4) },
    /more than the limit of 5242880/,
  ],
];

/** A png with this many characters of base64: the API counts them, not the bytes. */
function padded(length: number): string {
  const head = btoa(PNG.slice(0, 12));
  return head + "A".repeat(length - head.length);
}

test.each([...REFUSED])(
  "%s is refused, and the error names its file",
  (_name, attachment, words) => {
    const content = buildContent("look", [text("fine"), attachment, text("fine too")]);
    expect(content).not.toHaveProperty("blocks");
    const { rejected } = content as { rejected: string };
    expect(rejected).toMatch(/^a\.bin: /);
    expect(rejected).toMatch(words);
  },
);

test("the error of an attachment without a name has a placeholder for the name", () => {
  expect(buildContent("look", [{ ...text(""), filename: "" }])).toEqual({
    rejected: "an attachment without a name: the text is empty",
  });
});

test("the line for Claude has all fields, and the id of the message", () => {
  const blocks = [{ type: "text", text: "hi" }] as const;
  expect(buildUserEnvelope(blocks, "id-1")).toEqual({
    type: "user",
    session_id: "",
    message: { role: "user", content: blocks },
    parent_tool_use_id: null,
    uuid: "id-1",
  });
});
