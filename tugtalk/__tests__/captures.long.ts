/** The captured conversations, cut wherever bytes can be cut. `captures.test.ts` has a few of the cuts. */
import { describe, test } from "bun:test";
import {
  CAPTURES,
  expectSameInPieces,
  expectSameWhenCut,
  readCapture,
  SMALL_CAPTURES,
} from "../testing/captures/capture-files.ts";
import { smallMultibyte } from "../testing/captures/small-captures.ts";

describe("each captured conversation gives the same messages when its bytes come in pieces", () => {
  test.each(CAPTURES)("%s", async (capture) => {
    const conversation = await readCapture(capture);
    await expectSameInPieces(conversation, 1);
    await expectSameInPieces(conversation, 7);
  });
});

describe("a small captured conversation gives the same messages wherever it is cut", () => {
  test.each(SMALL_CAPTURES)("%s", async (capture) => {
    await expectSameWhenCut(smallMultibyte(await readCapture(capture)), 1);
  });
});
