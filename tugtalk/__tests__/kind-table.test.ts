/** Over the recorded conversations: every kind of line that Claude printed, and what became of it. */
import { expect, test } from "bun:test";
import { dirname, join } from "node:path";
import { Glob } from "bun";
import { parseConversation } from "../simulator/conversation.ts";
import { playCapture } from "../testing/captures/capture-run.ts";
import { KindTable } from "../testing/captures/kind-table.ts";

const FOLDER = join(import.meta.dir, "..", "testing", "fixtures", "captures");

/** What the recordings hold beside the rule. */
const EXCEPTIONS: readonly string[] = [
  // Claude repeats a line of history that tugtalk never writes, without the id that every answer has.
  "assistant/text led to unknown_event",
  // An empty text gets no whole block, so the end of its message ends it.
  "stream_event/message_stop led to assistant_text",
];

test("every kind of line in the captures is known and handled as the registry says", async () => {
  const table = new KindTable();
  for (const path of new Glob("*/*.jsonl").scanSync(FOLDER)) {
    const conversation = parseConversation(await Bun.file(join(FOLDER, path)).text());
    await playCapture(conversation, "lines", (line, emitted) =>
      table.record(dirname(path), line, emitted),
    );
  }
  console.log(table.format());
  expect(table.faults).toEqual([...EXCEPTIONS]);
});
