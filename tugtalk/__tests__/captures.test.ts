/** Plays each captured conversation. `captures.long.ts` cuts their bytes in many more places. */
import { describe, expect, test } from "bun:test";
import { checkCapture } from "../testing/captures/capture-check.ts";
import { expectedFaults } from "../testing/captures/capture-exceptions.ts";
import {
  CAPTURES,
  expectSameInPieces,
  expectSameWhenCut,
  readCapture,
  SMALL_CAPTURES,
} from "../testing/captures/capture-files.ts";
import { playCapture } from "../testing/captures/capture-run.ts";
import { smallMultibyte } from "../testing/captures/small-captures.ts";

/** A prime, so that the cuts fall into different parts of the lines. */
const CUT_STEP = 199;

describe("a captured conversation is told whole, with one end for each turn", () => {
  test.each(CAPTURES)("%s", async (capture) => {
    const conversation = await readCapture(capture);
    expect(checkCapture(conversation, await playCapture(conversation))).toEqual([
      ...expectedFaults(capture),
    ]);
  });
});

describe("a captured conversation gives the same messages when its bytes come in pieces", () => {
  test.each(SMALL_CAPTURES)("%s", async (capture) => {
    const conversation = smallMultibyte(await readCapture(capture));
    await expectSameInPieces(conversation, 1);
    await expectSameInPieces(conversation, 7);
    await expectSameWhenCut(conversation, CUT_STEP);
  });
});
