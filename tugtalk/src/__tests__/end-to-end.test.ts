import { afterEach, expect, test } from "bun:test";
import { startBridge, type TestBridge } from "./support/bridge-process.ts";
import { observe } from "./support/observer.ts";

let bridge: TestBridge | undefined;
afterEach(() => bridge?.kill());

test("a message is answered, and closing stdin ends everything with exit code 0", async () => {
  bridge = startBridge();
  bridge.send({ type: "protocol_init", version: 2, id: "init" });
  await bridge.next("session_init");
  bridge.send({ type: "user_message", text: "héllo 👋", id: "m" });
  const text = await bridge.next((message) => message["status"] === "complete");
  expect(text["text"]).toBe("You said: héllo 👋");
  expect((await bridge.next("turn_complete"))["result"]).toBe("success");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expect(observe({ received: bridge.received, sentIds: bridge.sentIds, isOver: true })).toEqual([]);
});
