/** The laws of the reducer over every captured conversation, cut at every place. */
import { expect, test } from "bun:test";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { stampedAck } from "../../../testing/captures/reduced-capture.ts";
import { brokenLaws } from "./broken-laws.ts";
import { reduced } from "./reduced.ts";

test.each(CAPTURES)("the laws of the reducer hold for %s", async (capture) => {
  const journal = [stampedAck(), ...(await playCapture(await readCapture(capture)))];
  expect(brokenLaws(journal, [...journal.keys()])).toEqual([]);
  const once = reduced(journal);
  expect(reduced(journal, once)).toBe(once);
});
