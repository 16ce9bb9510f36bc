/** A Claude that writes faster than the journal stores. */
import { expect, test } from "bun:test";
import type { Commit, Journal } from "../../journal/journal.ts";
import { openJournal } from "../../journal/sqlite-journal.ts";
import { said, turnComplete } from "./support/bridge-words.ts";
import { entriesOf, openInTurn, settled } from "./support/session-harness.ts";

/** A journal that keeps commits waiting. */
function slowJournal() {
  const journal = openJournal(":memory:");
  let gate = Promise.resolve();
  const commit = async (id: string, change: Commit) => {
    await gate;
    return journal.commit(id, change);
  };
  const slow = new Proxy<Journal>(journal, {
    get: (_, name) => {
      if (name === "commit") return commit;
      const found: unknown = Reflect.get(journal, name);
      return typeof found === "function" ? found.bind(journal) : found;
    },
  });
  const close = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return resolve;
  };
  return { journal: slow, close };
}

const MESSAGES = 5_000;
const texts = Array.from({ length: MESSAGES }, (_, at) => `${at} `);

test.each([
  ["few characters", "", 512],
  ["many characters", "so ".repeat(21_000), 17],
])(
  "of messages with %s, no more are held than fit, and none is lost when the journal takes them",
  async (_, padding, most) => {
    const count = padding === "" ? MESSAGES : 100;
    const { journal, close } = slowJournal();
    const { harness, session } = await openInTurn(journal);
    const open = close();
    const told = texts.slice(0, count).map((text) => text + padding);
    harness.bridge.say(...told.map((text) => said("t1", text)));
    await settled();
    expect(harness.bridge.unread).toBeGreaterThanOrEqual(count - most);
    open();
    while (harness.bridge.unread > 0) await settled();
    await harness.say(turnComplete());
    const entries = (await entriesOf(session)).filter(({ type }) => type === "assistant_text");
    expect(entries.map(({ data }) => JSON.parse(data).text)).toEqual(told);
  },
);

test("a journal that is quick is given all that has come at once in one commit", async () => {
  const { harness, session } = await openInTurn();
  const before = (await entriesOf(session)).length;
  let commits = 0;
  session.listen(() => {
    commits += 1;
  });
  await harness.say(...texts.slice(0, 500).map((text) => said("t1", text)));
  expect((await entriesOf(session)).length - before).toBe(500);
  expect(commits).toBe(1);
});
