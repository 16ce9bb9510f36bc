/** Which entries are marked when a person goes back to before a message. */
import { expect, test } from "bun:test";
import { prependEntries } from "../entry-pages.ts";
import { initialSession, reduceSession } from "../reduce-session.ts";
import type { ReducedSession } from "../reduced-session.ts";
import { markRewound } from "../rewound-entries.ts";
import type { TranscriptEntry } from "../transcript-models.ts";

/** A turn with messages of a person, the later ones steered into it. */
function turn(...ids: readonly string[]): TranscriptEntry {
  const items = ids.map((messageId) => {
    const said = { key: messageId, text: messageId, messageId };
    return { kind: "user", source: "host", ...said } as const;
  });
  const key = ids.join();
  const ended = { trigger: "user", status: "success", agents: {} } as const;
  return { kind: "turn", key, turnId: key, messageIds: ids, items, ...ended };
}

const ENTRIES = [turn("a"), turn("b", "steered"), turn("c")];
const MARKS = ["isForgotten", "isPutBack"] as const;
type Marks = readonly (typeof MARKS)[number][];

const keysOf = (entries: readonly TranscriptEntry[], mark: Marks[number]) =>
  entries.flatMap((entry) => (entry[mark] === true ? [entry.key] : []));

const FILES = { paths: ["/a"], insertions: 1, deletions: 0 };

/** The message, the marks of the rewind, and the entries that get them. */
const ROWS: readonly [string, Marks, string[]][] = [
  ["a", ["isForgotten"], ["a", "b,steered", "c"]],
  ["b", ["isForgotten"], ["b,steered", "c"]],
  ["b", ["isPutBack"], ["b,steered", "c"]],
  ["b", ["isForgotten", "isPutBack"], ["b,steered", "c"]],
  ["steered", ["isForgotten"], ["c"]],
  ["older", ["isForgotten"], ["a", "b,steered", "c"]],
];

test.each(ROWS)("back to before %s: %p is marked in %p", (messageId, marks, expected) => {
  const rewind = { kind: "rewind", messageId, text: "x" } as const;
  const files = marks.includes("isPutBack") && { files: FILES };
  const isForgotten = marks.includes("isForgotten");
  const marked = markRewound(ENTRIES, { ...rewind, isForgotten, ...files });
  for (const mark of MARKS)
    expect(keysOf(marked, mark)).toEqual(marks.includes(mark) ? expected : []);
});

const opened = (...entries: readonly TranscriptEntry[]): ReducedSession => ({
  ...initialSession,
  entries: entries.slice(0, -1),
  openEntries: entries.slice(-1),
});

const rewound = (message_id: string) =>
  ({ type: "session_rewound", message_id, message: "x", forgotten: true }) as const;

const allOf = ({ entries, openEntries }: ReducedSession) => [...entries, ...openEntries];

test("entries after the rewind are not marked, and a second rewind goes further back", () => {
  const once = reduceSession(opened(...ENTRIES), rewound("c"));
  expect(keysOf(allOf(once), "isForgotten")).toEqual(["c"]);
  expect(allOf(once).at(-1)?.items).toMatchObject([{ notice: { kind: "rewind", messageId: "c" } }]);
  const twice = reduceSession(
    { ...once, openEntries: [...once.openEntries, turn("d")] },
    rewound("b"),
  );
  const known = allOf(twice).filter(({ isForgotten }) => isForgotten !== true);
  expect(known.map(({ kind }) => kind)).toEqual(["turn", "interlude"]);
});

test("older entries are marked as they come, up to the message", () => {
  const later = reduceSession({ ...opened(turn("c")), before: "c" }, rewound("b"));
  const once = prependEntries(later, { entries: [turn("b2")], before: "b2" });
  expect(keysOf(allOf(once), "isForgotten")).toEqual(["b2", "c"]);
  const twice = prependEntries(once, { entries: [turn("a"), turn("b")], before: "a" });
  expect(keysOf(allOf(twice), "isForgotten")).toEqual(["b", "b2", "c"]);
  const thrice = prependEntries(twice, { entries: [turn("z")] });
  expect(keysOf(allOf(thrice), "isForgotten")).toEqual(["b", "b2", "c"]);
});
