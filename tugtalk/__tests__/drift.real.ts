/** The published declarations against the kinds that are known here. Needs the npm registry, or its cached package. */
import { expect, test } from "bun:test";
import { IGNORED_KINDS } from "../replay/ignored-kinds.ts";
import { declarationsOf, drift, newestVersion, PINNED } from "../testing/captures/drift.ts";

/** Counted by hand: a reader that finds fewer has a fault. */
const COUNTS = { messages: 48, requests: 41 };

test(`every kind that ${PINNED} declares is known`, async () => {
  const declared = await declarationsOf(PINNED);
  const { messages, requests } = declared;
  console.log(
    `${PINNED} declares ${messages.length} kinds of message and ${requests.length} control requests; ${Object.keys(IGNORED_KINDS).length} kinds of line mean nothing to a host`,
  );
  expect({ messages: messages.length, requests: requests.length }).toEqual(COUNTS);
  expect(drift(declared)).toEqual([]);
});

test("the newest published version declares no kind that is not known", async () => {
  const version = await newestVersion();
  const unknown = drift(await declarationsOf(version));
  expect({ version, unknown }).toEqual({ version, unknown: [] });
});
