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
import { KindTable } from "../testing/captures/kind-table.ts";
import { smallMultibyte } from "../testing/captures/small-captures.ts";

/** Guarantees of the recordings beside the registry's rule. */
const BESIDE_THE_RULE = [
  // Claude repeats a line of history that tugtalk never writes, without the id that every answer has.
  "assistant/text led to unknown_event",
  // An empty text gets no whole block, so the end of its message ends it.
  "stream_event/message_stop led to assistant_text",
];

const kinds = new KindTable();

const CUT_STEP = 50;

describe("a captured conversation is told whole, with one end for each turn", () => {
  test.each(CAPTURES)("%s", async (capture) => {
    const conversation = await readCapture(capture);
    const emitted = await playCapture(conversation, "lines", (line, because) =>
      kinds.record(line, because),
    );
    expect(checkCapture(conversation, emitted)).toEqual([...expectedFaults(capture)]);
  });

  test("every kind of line in them is known and handled as the registry says", () => {
    expect(kinds.faults).toEqual(BESIDE_THE_RULE);
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
