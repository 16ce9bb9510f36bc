/** Which hits of a search are shown. */
import { expect, test } from "bun:test";
import { effect, signal } from "@preact/signals";
import { testTransport } from "../../store/__tests__/support/test-transport.ts";
import { TextSearch } from "../text-search.ts";

test("hits in a deleted session are neither shown nor counted", async () => {
  const sessions = signal(["a", "b"]);
  const hits = ["a", "b", "a"].map((session, at) => ({ session, at }));
  const { transport } = testTransport(async () => ({ hits }));
  const isThere = (id: string) => sessions.value.includes(id);
  const search = new TextSearch(transport, signal("word"), isThere);
  const leave = search.follow();
  await new Promise<void>((resolve) => {
    effect(() => {
      if (search.hits.length > 0) resolve();
    });
  });
  expect(search.status).toBe("3 found.");
  sessions.value = ["b"];
  expect(search.hits.map(({ session }) => session)).toEqual(["b"]);
  expect(search.status).toBe("1 found.");
  leave();
});
