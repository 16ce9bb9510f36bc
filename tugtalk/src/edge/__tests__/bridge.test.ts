/** Internal errors of a bridge. */

import { expect, test } from "bun:test";
import { STUMBLING } from "../../../testing/drivers/bridge-process.ts";
import { bringTo } from "../../../testing/drivers/bridge-states.ts";
import { parseEmittedText } from "../../../testing/drivers/emitted-lines.ts";
import { fakeClaude, fakeClock } from "../../../testing/drivers/fake-claude.ts";
import { observe } from "../../../testing/observer/observer.ts";
import type { Fields } from "../../base/json.ts";
import { isRunning } from "../../base/processes.ts";
import { type ConnectionPorts, HostConnection } from "../host-connection.ts";

const unasked = () => {
  throw new Error("nobody asked for it");
};

/** Gives a bridge these lines and then the end of its input. Returns the messages of the bridge. */
async function heard(
  ports: Partial<ConnectionPorts>,
  ...lines: readonly Fields[]
): Promise<Fields[]> {
  const claude = fakeClaude();
  const batches = lines.map((line) => [Buffer.from(JSON.stringify(line))]);
  const said: string[] = [];
  const connection = new HostConnection({
    input: { read: async () => batches.shift(), cancel: async () => {} },
    output: { write: (text) => void said.push(text), flush: () => {} },
    clock: fakeClock(),
    newId: () => crypto.randomUUID(),
    writeSecretFile: unasked,
    spawn: () => ({ ...claude.process, closeInput: () => void claude.exit() }),
    configure: () => {},
    past: {
      newestSessionId: unasked,
      findResumePoint: unasked,
      hasBranched: unasked,
      isUnbegun: unasked,
    },
    lastSession: { read: async () => undefined, keep: () => {}, settled: async () => {} },
    readPast: unasked,
    transcript: { next: unasked, dropRestore: async () => {} },
    log: () => {},
    onFatal: () => {},
    onEof: "interrupt",
    ...ports,
  });
  await connection.run();
  return parseEmittedText(said.join(""));
}

test("an internal error at a line of the host loses that line only", async () => {
  let ids = 0;
  const newId = () => {
    ids += 1;
    // The first three ids are for the session, the instance and the first request to Claude.
    if (ids === 4) throw new Error("no more ids");
    return `00000000-0000-4000-8000-00000000000${ids}`;
  };
  const received = await heard(
    { newId },
    { type: "protocol_init", version: 2 },
    { type: "user_message", text: "lost" },
    { type: "user_message", text: "heard", id: "next" },
  );
  expect(received.filter(({ type }) => type === "error")).toMatchObject([
    { code: "internal", message: "no more ids", recoverable: true, source: "host" },
  ]);
  expect(received.find(({ in_reply_to }) => in_reply_to === "next")).toMatchObject({
    type: "message_status",
    status: "queued",
  });
  expect(observe({ received, sentIds: ["next"], isOver: true })).toEqual([]);
});

test("an uncaught error is emitted, and ends Claude and the bridge in order", async () => {
  const bridge = await bringTo("streaming", { env: STUMBLING });
  bridge.kill("SIGUSR2");
  expect(await bridge.next("error")).toMatchObject({
    code: "internal",
    message: "a fault of ours",
    recoverable: false,
  });
  expect((await bridge.next("turn_complete"))["result"]).toBe("cancelled");
  const { pid, expected } = await bridge.next("process_exit");
  expect(expected).toBe(true);
  expect(isRunning(Number(pid))).toBe(false);
  expect(await bridge.exited).toBe(1);
  expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
});
