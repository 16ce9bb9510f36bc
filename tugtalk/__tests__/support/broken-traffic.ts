/** Declares tests of the observer: each row is traffic that breaks a guarantee, and the fault to be found. */
import { describe, expect, test } from "bun:test";
import { type Draft, faultsOf, type Life } from "./sample-traffic.ts";

/** The messages that the host receives in place of the good ones, or another life; and the faults found in them. */
export type Row = readonly [broken: readonly Draft[] | Life, fault: string];

/** Declares a test for each row, under the name of its fault. */
export function testFaults(guarantee: string, rows: Readonly<Record<string, Row>>): void {
  describe(`guarantee ${guarantee}`, () => {
    test.each(Object.entries(rows))("finds %s", (_name, [broken, fault]) => {
      const life = "length" in broken ? { received: broken } : broken;
      expect(faultsOf(life).join("\n")).toContain(fault);
    });
  });
}
