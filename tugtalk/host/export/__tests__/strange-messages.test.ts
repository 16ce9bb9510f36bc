/**
 * Exports of messages that a place may send: of any shape, and with Markdown or terminal commands in their
 * texts.
 */
import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { marked } from "marked";
import { initialSession, reduceSession } from "../../../client/reduce-session.ts";
import type { SessionInput } from "../../../client/session-input.ts";
import type { TranscriptEntry, TranscriptItem } from "../../../client/transcript-models.ts";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { ACK } from "../../../testing/drivers/test-session.ts";
import { alteredJson } from "../../../testing/random/altered-json.ts";
import { turn } from "../../journal/__tests__/support/samples.ts";
import { exportPieces } from "../export-session.ts";
import { markdownEntry, markdownHead } from "../markdown.ts";
import { INFO, said, turnWith } from "./support/transcripts.ts";

/** Control characters, except tabs and line ends. */
const CONTROL = /[^\P{Cc}\n\t]/u;

async function exported(
  entries: readonly TranscriptEntry[],
  format: "md" | "json" = "md",
): Promise<string> {
  const state = { ...initialSession, entries };
  const snapshot = async () => ({ cursor: { epoch: 1, seq: 1 }, state });
  const source = { info: () => INFO, snapshot, turns: async () => ({ entries: [] }) };
  return (await Array.fromAsync(exportPieces(source, format))).join("");
}

async function journalOf(capture: string): Promise<readonly SessionInput[]> {
  return [ACK as SessionInput, ...(await playCapture(await readCapture(capture)))];
}

const JOURNALS = await Promise.all(CAPTURES.slice(0, 40).map(journalOf));
const ENTRIES = JOURNALS.flatMap((journal) => {
  const { entries, openEntries } = journal.reduce(reduceSession, initialSession);
  return [...entries, ...openEntries];
});

test("an entry of any shape costs no other entry of the export", async () => {
  expect(ENTRIES.length).toBeGreaterThan(40);
  return fc.assert(
    fc.asyncProperty(alteredJson(ENTRIES), async (altered) => {
      const text = await exported([turn("before"), altered as TranscriptEntry, turn("after")]);
      expect(text).toContain("**Note**: before");
      expect(text).toContain("**Note**: after");
      expect(text).not.toMatch(CONTROL);
    }),
    { numRuns: 2_000 },
  );
});

test("a message of any shape leaves a session that can be exported", async () => {
  const MESSAGES = JOURNALS.flat();
  return fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...JOURNALS),
      fc.array(alteredJson(MESSAGES), { minLength: 1, maxLength: 3 }),
      fc.nat(),
      async (journal, altered, at) => {
        const place = at % journal.length;
        const messages = [...journal.slice(0, place), ...altered, ...journal.slice(place)];
        const state = (messages as SessionInput[]).reduce(reduceSession, initialSession);
        const text = await exported([...state.entries, ...state.openEntries, turn("after")]);
        expect(text).toContain("**Note**: after");
      },
    ),
    { numRuns: 300 },
  );
});

const COMMANDS = "\u001b]0;owned\u0007\u001b[2J\u009b2J\u007f\rforged";

test.each(["md", "json"] as const)(
  "an export as %s has nothing that a terminal obeys",
  async (format) => {
    const notice = { kind: "error", code: COMMANDS, message: COMMANDS, recoverable: true } as const;
    const items: readonly TranscriptItem[] = [
      said(COMMANDS),
      { kind: "notice", key: "n", notice },
      { kind: "tool", key: "t", toolUseId: "t", name: COMMANDS, status: "done", input: {} },
    ];
    const out = await exported([turnWith(items)], format);
    expect(out).toContain("owned");
    expect(out).not.toMatch(CONTROL);
  },
);

const MARKUP = "*a* _b_ `c` [d](e) ![f](g) <img src=x> <!-- # | ~~h~~ &amp; \\* $i$\n# j\n- k";

/** The kinds of tokens within a text, at any depth. */
function kindsIn(markdown: string): readonly string[] {
  const kinds: string[] = [];
  marked.walkTokens(marked.lexer(markdown), ({ type }) => void kinds.push(type));
  return kinds;
}

const FOREIGN: readonly (readonly [name: string, text: string, kinds: readonly string[]])[] = [
  ["a title", markdownHead({ ...INFO, title: MARKUP }).split("\n")[0] ?? "", ["heading"]],
  ["a folder", markdownHead({ ...INFO, dir: MARKUP }).split("\n")[2] ?? "", ["list", "codespan"]],
  ["a notice", noticeWith(MARKUP), ["hr", "paragraph", "strong", "code", "em"]],
  ["a tool", toolWith(MARKUP), ["hr", "heading", "paragraph", "strong", "codespan", "code", "em"]],
];

function noticeWith(message: string): string {
  const notice = { kind: "error", code: "x", message, recoverable: true } as const;
  return markdownEntry(turnWith([{ kind: "notice", key: "n", notice }]));
}

function toolWith(name: string): string {
  const permission = { requestId: "r", outcome: "allow", by: name, reason: name } as const;
  const tool = { kind: "tool", key: "t", toolUseId: "t", status: "done", input: {} } as const;
  return markdownEntry(turnWith([{ ...tool, name, permission }]));
}

test.each(FOREIGN)("%s with Markdown in it stays words", async (_name, text, kinds) => {
  const PLAIN = ["text", "space", "escape", "list_item"];
  const found = kindsIn(text).filter((kind) => !PLAIN.includes(kind));
  expect([...new Set(found)].sort()).toEqual([...kinds].sort());
});

test.each([
  "```sh\nls",
  "~~~~\n```\nls",
  "<!-- hidden",
  "<script>",
  "  <PRE>",
  "```\na\n```\n<!--",
])("a text of Claude that begins %p does not swallow the texts after it", (text) => {
  const before = markdownEntry(turnWith([said(text)]));
  const next = markdownEntry(turnWith([said("# Next", "c")]));
  const tokens = marked.lexer(`${before}\n${next}`);
  const headings = tokens.flatMap((token) => (token.type === "heading" ? [token.text] : []));
  expect(headings).toEqual(["Claude", "Claude", "Next"]);
});

test("code in a text of Claude stays as it is", async () => {
  const text = "Look:\n\n```html\n<!-- a -->\n```\n\nand `<pre>` and\n\n1. *one*";
  expect(markdownEntry(turnWith([said(text)]))).toContain(text);
});
