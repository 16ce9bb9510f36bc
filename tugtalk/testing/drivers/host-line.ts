/** One raw line of the host, and everything that answers it. */
import type { Received, TestBridge } from "./bridge-process.ts";

let fences = 0;

/** Sends one line, and a second one right after it. Returns the messages before the answer to the second. */
export async function answersTo(
  bridge: TestBridge,
  line: string | Uint8Array,
): Promise<readonly Received[]> {
  const before = bridge.received.length;
  const id = `fence-${fences++}`;
  bridge.sendRaw(line);
  bridge.sendRaw(`\n${JSON.stringify({ type: "no such type", id })}\n`);
  await bridge.next(({ in_reply_to }) => in_reply_to === id);
  const fence = bridge.received.findIndex(({ in_reply_to }) => in_reply_to === id);
  return bridge.received.slice(before, fence);
}
