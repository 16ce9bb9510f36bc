/** The end of a bridge whose host has no more to say. */
import { expect } from "bun:test";
import { observe } from "../observer/observer.ts";
import type { TestBridge } from "./bridge-process.ts";

/** Closes the bridge's input: it ends well, and has kept every guarantee. */
export async function endCleanly(bridge: TestBridge): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  const { received, sentIds } = bridge;
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
}
