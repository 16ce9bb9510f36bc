/** The laws of the reducer over every captured conversation. */
import { describe, expect, test } from "bun:test";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { ACK } from "../../../testing/drivers/emitted-messages.ts";
import type { SessionInput } from "../../session-input.ts";
import { entriesOf, reduced, stored } from "./reduced.ts";

async function journalOf(capture: string): Promise<readonly SessionInput[]> {
  return [ACK as SessionInput, ...(await playCapture(await readCapture(capture)))];
}

const JOURNALS = new Map(
  await Promise.all(CAPTURES.map(async (name) => [name, await journalOf(name)] as const)),
);

describe("the same journal applied twice changes nothing the second time", () => {
  test.each([...JOURNALS])("%s", (_name, journal) => {
    const once = reduced(journal);
    expect(reduced(journal, once)).toBe(once);
  });
});

describe("a state is plain JSON", () => {
  test.each([...JOURNALS])("%s", (_name, journal) => {
    const state = reduced(journal);
    expect(stored(state)).toStrictEqual(state);
  });
});

describe("a stored state and the rest of the journal give the whole state, at every cut", () => {
  test.each([...JOURNALS])("%s", (_name, journal) => {
    const whole = reduced(journal);
    for (let cut = 0; cut < journal.length; cut += 1) {
      const rest = reduced(journal.slice(cut), stored(reduced(journal.slice(0, cut))));
      if (!Bun.deepEquals(rest, whole, true)) expect(rest).toStrictEqual(whole);
    }
  });
});

describe("nothing stays open after the last process has ended", () => {
  test.each([...JOURNALS])("%s", (_name, journal) => {
    const state = reduced(journal);
    if (state.status !== "exited") return;
    expect(state.prompts).toEqual([]);
    expect(JSON.stringify(entriesOf(state))).not.toMatch(/"status":"(streaming|running|waiting)"/);
  });
});
