import { expect, test } from "bun:test";
import type { SessionInfo } from "../../../client/host-api.ts";
import { initialSession } from "../../../client/reduce-session.ts";
import type { TranscriptEntry } from "../../../client/transcript-models.ts";
import type { ReadableSession } from "../../api/host-session.ts";
import { turn } from "../../journal/__tests__/support/samples.ts";
import { exportPieces } from "../export-session.ts";
import { INFO } from "./support/transcripts.ts";

/** A session with its last two entries in memory, and the size of the largest page that was read. */
class LongSession implements ReadableSession {
  readonly #entries: readonly TranscriptEntry[];
  largestPage = 0;

  constructor(count: number) {
    this.#entries = Array.from({ length: count }, (_, index) => turn(`t${index}`));
  }

  info(): SessionInfo {
    return INFO;
  }

  async snapshot() {
    const entries = this.#entries.slice(-2, -1);
    const openEntries = this.#entries.slice(-1);
    const before = this.#entries.length > 2 ? entries[0]?.key : undefined;
    const state = { ...initialSession, entries, openEntries };
    return { cursor: { epoch: 1, seq: 1 }, state, ...(before !== undefined && { before }) };
  }

  async turns(before: string | undefined, limit: number) {
    const end = this.#entries.findIndex(({ key }) => key === before);
    const start = Math.max(end - limit, 0);
    const entries = this.#entries.slice(start, end);
    this.largestPage = Math.max(this.largestPage, entries.length);
    return { entries, ...(start > 0 && { before: entries[0]?.key ?? "" }) };
  }
}

test.each([0, 1, 2, 3, 52, 53, 217])(
  "an export as JSON has all of %d entries, oldest first",
  async (count) => {
    const source = new LongSession(count);
    const text = (await Array.fromAsync(exportPieces(source, "json"))).join("");
    const { version, session, entries } = JSON.parse(text);
    expect({ version, session }).toEqual({ version: 1, session: INFO });
    expect(entries).toEqual(Array.from({ length: count }, (_, index) => turn(`t${index}`)));
    expect(source.largestPage).toBeLessThanOrEqual(50);
  },
);

test("an export as Markdown has the head and then each entry", async () => {
  const text = (await Array.fromAsync(exportPieces(new LongSession(120), "md"))).join("");
  expect(text).toStartWith("# Title\n\n- Folder: `/work`\n");
  const told = [...text.matchAll(/\*\*Note\*\*: (t\d+)/g)].map(([, key]) => key);
  expect(told).toEqual(Array.from({ length: 120 }, (_, index) => `t${index}`));
});
