/** The end of a bridge whose host closes stdin. */
import { expect } from "bun:test";
import { observe } from "../observer/observer.ts";
import type { TestBridge } from "./bridge-process.ts";

/** Closes the bridge's input; the bridge ends with code 0 and has kept every guarantee. */
export async function endCleanly(bridge: TestBridge): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  const { received, sentIds } = bridge;
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
}
