/** The drafts that stay in the storage of a browser. */
import { expect, test } from "bun:test";
import type { HostFrame } from "../../../client/session-input.ts";
import { DRAFT_KEY, Drafts, TabStorage } from "../drafts.ts";
import { removeGone } from "../gone-drafts.ts";
import { memoryStorage } from "./support/memory-storage.ts";

/** The host's list of sessions; those whose drafts stay. */
const ROWS: readonly [Pick<HostFrame, "t" | "d">, string[]][] = [
  [{ t: "session_deleted", d: { id: "a" } }, ["b", "c"]],
  [{ t: "sessions", d: { sessions: [{ id: "b" }], pending: [] } }, ["b"]],
  [{ t: "sessions", d: { sessions: [], pending: [] } }, []],
  [{ t: "session_changed", d: { id: "a" } }, ["a", "b", "c"]],
];

test.each(ROWS)("after %j something stays of %j", (frame, kept) => {
  const storages = [memoryStorage(), memoryStorage()] as const;
  const drafts = new Drafts(new TabStorage(...storages));
  for (const id of ["a", "b", "c"]) drafts.of(id).text.value = "typed";
  for (const storage of storages) storage.setItem("tugtalk.preferences", "{}");
  removeGone(storages, DRAFT_KEY, { i: 1, ...frame } as HostFrame);
  for (const storage of storages) {
    const read = new Drafts(new TabStorage(storage, memoryStorage()));
    expect(["a", "b", "c"].filter((id) => read.of(id).text.value !== "")).toEqual(kept);
    expect(storage.getItem("tugtalk.preferences")).toBe("{}");
  }
  expect(drafts.of("a").text.value).toBe("typed");
});
