/** How commits of many sessions gather for few statements. */
import { expect, test } from "bun:test";
import { failureOf } from "../../../../testing/drivers/failure.ts";
import { UnreachableJournalError } from "../../journal-error.ts";
import {
  bringsEntriesAlone,
  type EntryCommit,
  gatherEntryCommits,
  type PlacedHead,
} from "../entry-commits.ts";

type SessionHead = PlacedHead & { readonly id: string };

function commitOf(id: string, chars = 1): EntryCommit {
  return { id, fence: 1, commits: 0, entries: [{ type: "t", data: "x".repeat(chars) }] };
}

/** A database that answers a statement when the test says so. */
class Statements {
  readonly sent: (readonly string[])[] = [];
  #answers: ((error?: Error) => void)[] = [];
  #onSent = Promise.withResolvers<void>();

  readonly commits = gatherEntryCommits((commits) => {
    this.sent.push(commits.map(({ id }) => id));
    const { promise, resolve, reject } = Promise.withResolvers<readonly SessionHead[]>();
    this.#answers.push((error) => {
      if (error !== undefined) reject(error);
      else resolve(commits.map(({ id }, at) => ({ id, place: at + 1, epoch: 1, kept: 1 })));
    });
    this.#onSent.resolve();
    this.#onSent = Promise.withResolvers();
    return promise;
  });

  async untilSent(count: number): Promise<void> {
    while (this.sent.length < count) await this.#onSent.promise;
  }

  answer(error?: Error): void {
    this.#answers.shift()?.(error);
  }
}

test("commits of one turn of the loop go in one statement", async () => {
  const statements = new Statements();
  const written = ["a", "b", "c"].map((id) => statements.commits.add(commitOf(id)));
  await statements.untilSent(1);
  statements.answer();
  expect(await Promise.all(written)).toMatchObject([{ id: "a" }, { id: "b" }, { id: "c" }]);
  expect(statements.sent).toEqual([["a", "b", "c"]]);
});

test("while a statement is on its way, further commits collect, and go in the next one", async () => {
  const statements = new Statements();
  const first = statements.commits.add(commitOf("a"));
  await statements.untilSent(1);
  const later = ["b", "c"].map((id) => statements.commits.add(commitOf(id)));
  await new Promise(setImmediate);
  expect(statements.sent).toEqual([["a"]]);
  statements.answer();
  await statements.untilSent(2);
  statements.answer();
  await Promise.all([first, ...later]);
  expect(statements.sent).toEqual([["a"], ["b", "c"]]);
});

test("where a statement fails by the data of one session, each is written by itself", async () => {
  const statements = new Statements();
  const [bad, good] = [
    statements.commits.add(commitOf("bad")),
    statements.commits.add(commitOf("good")),
  ];
  await statements.untilSent(1);
  statements.answer(new Error("no such text"));
  await statements.untilSent(2);
  statements.answer(new Error("no such text"));
  expect(await failureOf(bad)).toEqual(new Error("no such text"));
  await statements.untilSent(3);
  statements.answer();
  expect(await good).toMatchObject({ id: "good" });
});

test("where the database cannot be reached, each commit of a statement fails", async () => {
  const statements = new Statements();
  const failures = ["a", "b"].map((id) => failureOf(statements.commits.add(commitOf(id))));
  await statements.untilSent(1);
  const away = new UnreachableJournalError("away");
  statements.answer(away);
  expect(await Promise.all(failures)).toEqual([away, away]);
  expect(statements.sent).toHaveLength(1);
});

test("a statement takes some megabytes, and at least one commit", async () => {
  const statements = new Statements();
  const written = ["a", "b", "c"].map((id) => statements.commits.add(commitOf(id, 3_000_000)));
  for (let count = 1; count <= written.length; count += 1) {
    await statements.untilSent(count);
    statements.answer();
  }
  await Promise.all(written);
  expect(statements.sent).toEqual([["a"], ["b"], ["c"]]);
});

test("a commit with anything but entries goes by itself", () => {
  const entries = [{ type: "t", data: "{}" }];
  const empty = { turns: [], replies: [], attached: new Map(), indexesState: false };
  expect(bringsEntriesAlone({ entries, ...empty })).toBe(true);
  expect(bringsEntriesAlone({ entries: [] })).toBe(false);
  expect(bringsEntriesAlone({ entries, detached: ["m"] })).toBe(false);
  expect(bringsEntriesAlone({ entries, cost: { at: 1, usd: 0 } })).toBe(false);
  expect(bringsEntriesAlone({ entries, attached: new Map([["m", []]]) })).toBe(false);
  expect(bringsEntriesAlone({ entries, indexesState: true })).toBe(false);
});
