/**
 * The first list of tests with a real `claude`: one process, one session, one turn after the other. All
 * versions run the same list; their differences are in real-expected.ts.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { isAlive } from "../../src/process/process-signals.ts";
import type { Received } from "../drivers/bridge-process.ts";
import { expectContractKept } from "./real-end.ts";
import type { Expected } from "./real-expected.ts";
import { ofType, type RealSession, startedProcesses, startRealSession } from "./real-session.ts";
import { REAL_TIMEOUT_MS, sharedSession } from "./real-shared-session.ts";
import { listPrompts, listResults } from "./real-tools.ts";
import { listEndings, listMessages, listSettings, listText } from "./real-turns.ts";

/** How long an idle bridge may take to end, in ms. */
const IDLE_END_MS = 2_000;

/** Declares the tests of one version. */
export function realList(version: string, expected: Expected): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`claude ${version}`, () => {
    const at = sharedSession(version, (place) => startRealSession(place));

    listText(at);
    listPrompts(at);
    listResults(at, expected);
    listEndings(at, expected);
    listMessages(at);
    listSettings(at, expected);
    listEnd(at, version);
  });
}

/** The end of a session with one process, and the checks of all its messages. */
export function listEnd(at: () => RealSession, version: string): void {
  test("closing stdin while nothing runs ends both processes at once", async () => {
    const { bridge } = at();
    const [pid = 0, ...others] = startedProcesses(bridge);
    expect(others).toEqual([]);
    expect(isAlive(pid)).toBe(true);

    const closedAt = performance.now();
    bridge.closeInput();
    expect(await bridge.exited).toBe(0);
    expect(performance.now() - closedAt).toBeLessThan(IDLE_END_MS);
    expect(isAlive(pid)).toBe(false);
    expect(ofType(bridge.received, "process_exit")).toMatchObject([{ pid, expected: true }]);
  });

  test("the whole session kept the contract", () => {
    const { bridge, place } = at();
    const { received, sentIds } = bridge;
    expectContractKept(bridge);
    expect(sentIds.filter((id) => answersTo(received, id) !== 1)).toEqual([]);
    const versions = ofType(received, "system_metadata").map((init) => init["claude_code_version"]);
    expect(new Set(versions)).toEqual(new Set([version]));
    expect(place.api.requests.filter(({ answer }) => answer === "unscripted")).toEqual([]);
  });
}

function answersTo(messages: readonly Received[], id: string): number {
  return messages.filter((message) => message["in_reply_to"] === id).length;
}
