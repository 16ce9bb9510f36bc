/** Commits that bring entries alone, such as pieces of text. Commits of many sessions go in one statement. */
import type { SQL } from "bun";
import type { Commit } from "../journal.ts";
import { entryBytes } from "../rows.ts";
import { columnsOf } from "./columns.ts";
import { Gathered } from "./gathered.ts";

export type EntryCommit = {
  readonly id: string;
  readonly fence: number;
  /** The number of the commit before this one. */
  readonly commits: number;
  readonly entries: NonNullable<Commit["entries"]>;
};

/** The head of a session after a commit. */
export type WrittenHead = {
  readonly epoch: number;
  /** How many of its bytes count for the limit of the session. */
  readonly kept: number;
};

export type EntryCommits = Gathered<EntryCommit, WrittenHead | undefined>;

/** The head after a commit, and the place of that commit in its statement, from 1 on. */
export type PlacedHead = WrittenHead & { readonly place: number };

/**
 * `write` gives the heads of the sessions that it has written. A session with another fence or another latest
 * commit gets none.
 */
export function gatherEntryCommits(
  write: (commits: readonly EntryCommit[]) => Promise<readonly PlacedHead[]>,
): EntryCommits {
  return new Gathered<EntryCommit, WrittenHead | undefined>({
    charsOf: ({ entries }) => entries.reduce((sum, { data }) => sum + data.length, 0),
    send: async (commits) => {
      const places = new Map((await write(commits)).map((head) => [head.place, head]));
      // A session comes twice if this host has lost it and taken it again.
      const heads = new Map(commits.map((one, at) => [one, places.get(at + 1)]));
      return (one) => heads.get(one);
    },
  });
}

/** Whether a commit can share a statement with commits of other sessions. */
export function bringsEntriesAlone({ entries = [], ...others }: Commit): boolean {
  return entries.length > 0 && Object.values(others).every(isNothing);
}

function isNothing(part: unknown): boolean {
  if (Array.isArray(part)) return part.length === 0;
  return part instanceof Map ? part.size === 0 : part === undefined || part === false;
}

/** The values of `COMMIT_ENTRIES`. */
export function entryCommitValues(sql: SQL, commits: readonly EntryCommit[]): readonly unknown[] {
  const { texts, numbers } = columnsOf(sql);
  const pieces = commits.map(addedBy);
  const added = pieces.flat();
  return [
    texts(commits.map(({ id }) => id)),
    numbers(commits.map(({ fence }) => fence)),
    numbers(commits.map((commit) => commit.commits)),
    numbers(commits.map(({ entries }) => entries.length)),
    numbers(pieces.map((piece) => piece.at(-1)?.total ?? 0)),
    numbers(added.map(({ commit }) => commit)),
    numbers(added.map(({ place }) => place)),
    texts(added.map(({ type }) => type)),
    texts(added.map(({ data }) => data)),
    numbers(added.map(({ total }) => total)),
  ];
}

/** `at` is the place of the commit in its statement. */
function addedBy({ entries }: EntryCommit, at: number) {
  let total = 0;
  return entries.map((entry, index) => {
    total += entryBytes(entry);
    return { ...entry, commit: at + 1, place: index + 1, total };
  });
}
