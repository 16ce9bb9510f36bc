/** How a turn that was captured is answered. */
import { expect, test } from "bun:test";
import type { OutboundDraft } from "../../src/types.ts";
import { readCapture } from "../../testing/captures/capture-files.ts";
import { playCapture } from "../../testing/captures/capture-run.ts";
import { stopReasonOf } from "../prompt-answers.ts";

async function answersTo(capture: string) {
  const messages = (await playCapture(await readCapture(capture))) as readonly OutboundDraft[];
  return messages.flatMap((message) =>
    message.type === "turn_complete" ? [stopReasonOf(message, undefined)] : [],
  );
}

const ANSWERS = [
  ["2.1.330/text", "end_turn"],
  ["2.1.330/max_turns", "max_turn_requests"],
  // Claude has gone on by itself.
  ["2.1.330/api_max_tokens", "end_turn"],
  ["2.1.330/api_refusal", "end_turn"],
] as const;

test.each([...ANSWERS])("the first turn of %s is answered with %s", async (capture, expected) => {
  const [first] = await answersTo(capture);
  expect(first).toBe(expected);
});

test("a turn that the model has refused is an error", async () => {
  expect(await answersTo("2.1.197/api_refusal")).toMatchObject([{ code: -32603 }]);
});
