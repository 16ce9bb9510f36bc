/** The hits of searches, as a table that each journal has to meet. */
import { expect, test } from "bun:test";
import type { SearchHit } from "../../../../client/host-api.ts";
import type { Journal } from "../../journal.ts";
import type { TimedText } from "../../session-texts.ts";
import { sessionRow } from "./samples.ts";

type Row = {
  readonly name: string;
  /** The texts of one session, oldest first. */
  readonly texts: readonly string[];
  readonly query: string;
  /** The hits, latest first, with the marked words in brackets. */
  readonly found: readonly string[];
};

const ROWS: readonly Row[] = [
  {
    name: "a word, wherever it stands, whatever its case",
    texts: ["The journal is written.", "Nothing.", "one JOURNAL"],
    query: "Journal",
    found: ["one [JOURNAL]", "The [journal] is written."],
  },
  {
    name: "words by their beginnings, and in any order",
    texts: ["sessions of a host", "hosts", "a host"],
    query: "ho sess",
    found: ["[sess]ions of a [ho]st"],
  },
  {
    name: "no word in the middle of another one",
    texts: ["a classroom"],
    query: "room",
    found: [],
  },
  {
    name: "one letter as a word only",
    texts: ["a C compiler", "a cat"],
    query: "c",
    found: ["a [C] compiler"],
  },
  {
    name: "words in quotes as they follow each other, and whole",
    texts: ["too long a text", "a too long text", "too longing"],
    query: '"too long"',
    found: ["a [too long] text", "[too long] a text"],
  },
  {
    name: "a path by a part of it",
    texts: ["edit host/journal/session-row.ts now", "the row of a session"],
    query: "journal/session-ro",
    found: ["edit host/[journal/session-ro]w.ts now"],
  },
  {
    name: "a name by each of its parts",
    texts: ["call getUserName()", "HTTPServer", "snake_case_name"],
    query: "name",
    found: ["snake_case_[name]", "call getUser[Name]()"],
  },
  {
    name: "a part of a name that begins with capitals",
    texts: ["HTTPServer"],
    query: "server",
    found: ["HTTP[Server]"],
  },
  {
    name: "Korean within a word, of two syllables",
    texts: ["재검색하기", "색검"],
    query: "검색",
    found: ["재[검색]하기"],
  },
  {
    name: "Korean in decomposed letters",
    texts: ["파일을 읽는다"],
    query: "파일".normalize("NFD"),
    found: ["[파일]을 읽는다"],
  },
  {
    name: "Chinese and Japanese without spaces",
    texts: ["全文検索を実装する", "全文"],
    query: "検索",
    found: ["全文[検索]を実装する"],
  },
  {
    name: "a single character of such a script",
    texts: ["中文搜索"],
    query: "搜",
    found: ["中文[搜]索"],
  },
  {
    name: "words of scripts with marks of their own",
    texts: ["हिन्दी में खोज", "مرحبا بالعالم", "naïve Straße"],
    query: "हिन्दी",
    found: ["[हिन्दी] में खोज"],
  },
  {
    name: "words from right to left",
    texts: ["مرحبا بالعالم"],
    query: "بالعا",
    found: ["مرحبا [بالعا]لم"],
  },
  {
    name: "an emoji, also beside a word",
    texts: ["shipped🎉today", "shipped"],
    query: "🎉",
    found: ["shipped[🎉]today"],
  },
  {
    name: "words across other characters between them in the text",
    texts: ["first line\n\tsecond   line"],
    query: '"line second"',
    found: ["first [line second] line"],
  },
  {
    name: "a word of many characters by its beginning",
    texts: [`x ${"deadbeef".repeat(40)} y`],
    query: "deadbeef".repeat(9),
    found: [`x [${"deadbeef".repeat(8)}]${"deadbeef".repeat(17).slice(0, -2)}`],
  },
  {
    name: "words of Markdown without its signs",
    texts: ["# Done\n\n- **two** `files`, see the [guide](https://example.com/a)"],
    query: "two file",
    found: ["Done [two] [file]s, see the guide"],
  },
  {
    name: "a word in the address of a link, with its signs",
    texts: ["**See** the [guide](https://example.com/a)"],
    query: "example",
    found: ["**See** the [guide](https://[example].com/a)"],
  },
  { name: "nothing for nothing", texts: ["a text"], query: "", found: [] },
  { name: "nothing for signs alone", texts: ["=> { } !"], query: '=> " * ( ^ -', found: [] },
];

/** Texts that people type: none of them is read as an operator, and none fails. */
const STRANGE = [
  '"',
  '""',
  'needle"',
  "needle AND",
  "NOT needle",
  "needle OR (",
  "NEAR(needle, 2)",
  "words:needle",
  "{words} : needle",
  "^needle",
  "needle*",
  "-needle +needle",
  "needle\0needle",
  "needle\ud800",
  "' OR 1=1 --",
  "%needle%",
  "\\",
  "needle ".repeat(1_400),
  "가".repeat(5_000),
];

/** Declares the tests of the search for a kind of journal. */
export function searchTests(open: () => Promise<Journal>): void {
  test.each(ROWS)("a search finds $name", async ({ texts, query, found }) => {
    const journal = await journalWith(open, texts);
    const { hits } = await journal.search({ text: query, limit: 10 });
    expect(hits.map(marked)).toEqual([...found]);
    journal.close();
  });

  test.each(STRANGE.map((query) => [query.slice(0, 30), query]))(
    "a search takes %j as words",
    async (_name, query) => {
      const journal = await journalWith(open, ["a needle", "hay"]);
      const { hits } = await journal.search({ text: query, limit: 10 });
      for (const hit of hits) expect(marked(hit)).toBe("a [needle]");
      journal.close();
    },
  );
}

export const ID = "session";

/** A text of a session, said at this time. */
export function saidAt(at: number, text: string): TimedText {
  return { entry: `t${at}`, item: `i${at}`, kind: "text", at, text };
}

async function journalWith(
  open: () => Promise<Journal>,
  texts: readonly string[],
): Promise<Journal> {
  const journal = await open();
  await journal.create(sessionRow(ID));
  for (const [index, text] of texts.entries())
    await journal.commit(ID, { texts: [saidAt(1_000 + index, text.normalize("NFC"))] });
  return journal;
}

export function marked({ snippet, marks }: Pick<SearchHit, "snippet" | "marks">): string {
  return marks
    .toReversed()
    .reduce(
      (text, { start, end }) =>
        `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`,
      snippet,
    );
}
