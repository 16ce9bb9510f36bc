import { expect, test } from "bun:test";
import { initialSession } from "../../../client/reduce-session.ts";
import type { TranscriptEntry } from "../../../client/transcript-models.ts";
import { newTexts, timedTexts } from "../session-texts.ts";
import { turn } from "./support/samples.ts";

const ITEM = { kind: "text", key: "i1", msgId: "m1", blockIndex: 0, status: "complete" } as const;

test("a text that can be searched has no character that PostgreSQL refuses, and no half of one", () => {
  const text = "bina\0ry \ud83d";
  expect(timedTexts([{ ...turn("t1"), items: [{ ...ITEM, text }] }], 5)).toEqual([
    { at: 5, entry: "t1", item: "i1", kind: "text", text: "bina ry \ufffd" },
  ]);
});

test("the text of a piece is indexed without a look at the finished entries", () => {
  let looks = 0;
  const entries: readonly TranscriptEntry[] = new Proxy([turn("t1")], {
    get: (all, name) => {
      looks += 1;
      return Reflect.get(all, name);
    },
  });
  const session = { ...initialSession, entries };
  const before = { ...session, openEntries: [turn("t2")] };
  const after = { ...session, openEntries: [{ ...turn("t2"), items: [{ ...ITEM, text: "a" }] }] };
  const found = { entry: "t2", item: "i1", kind: "text", text: "a" } as const;
  expect(newTexts(before, after)).toEqual([found]);
  expect(looks).toBe(0);
});
