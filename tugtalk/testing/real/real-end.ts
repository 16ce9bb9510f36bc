/** The end of a bridge with a real `claude`, and the checks of all its messages. */
import { expect } from "bun:test";
import { isAlive } from "../../src/process/process-signals.ts";
import type { TestBridge } from "../drivers/bridge-process.ts";
import { observe } from "../observer/observer.ts";
import { ofType, type RealSession, startedProcesses } from "./real-session.ts";

/** Closes stdin, waits for the end, and checks that no process is left and every guarantee was kept. */
export async function expectEnd({ bridge }: RealSession, processes = 1): Promise<void> {
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
  expectGone(bridge, processes);
  expectContractKept(bridge);
}

/** Expects this many started processes, and that all of them have exited. */
export function expectGone(bridge: TestBridge, processes = 1): void {
  const started = startedProcesses(bridge);
  expect(started).toHaveLength(processes);
  expect(started.filter(isAlive)).toEqual([]);
  expect(isAlive(bridge.pid)).toBe(false);
}

/** Expects that the bridge has kept every guarantee and knew every line. */
export function expectContractKept({ received, sentIds }: TestBridge): void {
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
  expect(ofType(received, "unknown_event")).toEqual([]);
}
