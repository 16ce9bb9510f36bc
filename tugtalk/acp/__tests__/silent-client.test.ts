/** A client that does not read while Claude streams. */
import { expect, test } from "bun:test";
import { blockStart, messageStart, textDelta } from "../../simulator/stream-events.ts";
import { fieldsOf } from "../../src/base/json.ts";
import { AcpHarness } from "../../testing/acp/acp-harness.ts";
import { execute } from "../../testing/acp/random-client.ts";
import { chunkOf } from "../../testing/acp/update-laws.ts";
import { eventLine } from "../../testing/drivers/test-lines.ts";

const BATCHES = 100;
const piece = (batch: number) => `${batch} `.padEnd(1_000, "x");

test("a client that does not read loses nothing, and little waits for it", async () => {
  const harness = new AcpHarness();
  for (const does of ["begin", "work", "prompt", "work"] as const)
    await execute(harness, { does, session: 0, pick: 0 });
  const [process] = harness.alive;
  if (process === undefined) throw new Error("no Claude was started");
  const start = [messageStart("m"), blockStart(0, { type: "text", text: "" })];
  await harness.print(process, start.map(eventLine));

  harness.client.stopReading();
  const batches = Array.from({ length: BATCHES }, (_, at) => piece(at));
  for (const text of batches) {
    const lines = Array(100).fill(`${JSON.stringify(eventLine(textDelta(text, 0)))}\n`);
    void process.claude.print(Buffer.from(lines.join("")));
    await harness.settle();
  }
  // One batch was in flight when the pipe was full; the others wait in Claude's own pipe.
  const sizeOfBatch = 100 * (piece(0).length + 500);
  expect(harness.backlog).toBeLessThan(2 * sizeOfBatch);
  expect(process.claude.untaken()).toBeGreaterThanOrEqual(BATCHES - 2);

  harness.client.resumeReading();
  while (process.claude.untaken() > 0) await harness.settle();
  await harness.settle();
  const updates = harness.received.map(({ params }) => fieldsOf(params)["update"]);
  const text = updates.flatMap((update) => chunkOf(fieldsOf(update))).map((chunk) => chunk.text);
  expect(text.join("")).toBe(batches.map((one) => one.repeat(100)).join(""));
});
