/** Streamed text as rows: the same however it is cut, whole, and no wider than the terminal. */
import { expect, test } from "bun:test";
import { addToFlow, newFlow, restRows } from "../comfort/text-flow.ts";

const TEXT = `# A heading of some length

Some **bold words that go on and on over rows** and \`code with blanks\`, 2 * 3 ** 4 and a \`.
- an item whose text is longer than one row of it
  1. and one within, which is long as well, as may be
> a quote
日本語の文章 そして 長い言葉 wordswordswordswordswordswordswordswordswordswords end.

\`\`\`ts
const unwrapped = "this line of code is longer than any terminal here";
\`\`\`
after **unclosed bold text that goes on and on`;

/** All rows of a text that comes in these pieces. */
function rowsOf(pieces: readonly string[], width: number, hasColors = true): string[] {
  let flow = newFlow({ width, indent: "  ", style: "plain", hasColors });
  const rows: string[] = [];
  for (const piece of pieces) {
    const flowed = addToFlow(flow, piece, width);
    rows.push(...flowed.rows);
    flow = flowed.flow;
  }
  return [...rows, ...restRows(flow)];
}

for (const hasColors of [true, false]) {
  test(`a text gives the same rows however it is cut, ${hasColors ? "with" : "without"} colours`, () => {
    const whole = rowsOf([TEXT], 30, hasColors);
    for (let cut = 0; cut <= TEXT.length; cut += 1) {
      expect(rowsOf([TEXT.slice(0, cut), TEXT.slice(cut)], 30, hasColors)).toEqual(whole);
    }
    expect(rowsOf([...TEXT], 30, hasColors)).toEqual(whole);
  });
}

test("no row is wider than the terminal, except code, which is left whole", () => {
  for (const width of [20, 30, 47]) {
    const wide = rowsOf([TEXT], width).filter((row) => Bun.stringWidth(row) > width);
    expect(wide.every((row) => row.includes("const unwrapped"))).toBe(true);
  }
});

test("without colours no word and no mark is lost", () => {
  const words = (text: string) => text.replace(/\s+/g, "");
  expect(words(rowsOf([TEXT], 30, false).join(" "))).toBe(words(TEXT));
});

test("with colours only the marks that were understood are gone", () => {
  const words = (text: string) => text.replace(/\s+/g, "");
  const expected = TEXT.replace("# A", "A").replace(/\*\*(bold.*?)\*\*/, "$1");
  const shown = Bun.stripANSI(rowsOf([TEXT], 30).join(" "));
  expect(words(shown)).toBe(words(expected.replace("`code with blanks`", "code with blanks")));
});

test("headings and bold text are bold, and code has a colour of its own", () => {
  expect(rowsOf(["# Title"], 40)).toEqual(["  \u001b[1mTitle\u001b[22m"]);
  expect(rowsOf(["a **b** `c`"], 40)).toEqual(["  a \u001b[1mb\u001b[22m \u001b[36mc\u001b[39m"]);
});

test("a change of the width within a line loses no word of it", () => {
  const text = "one two three four five six seven eight nine ten eleven twelve thirteen";
  for (const [before, after] of [
    [20, 60],
    [60, 20],
  ] as const) {
    const first = addToFlow(
      newFlow({ width: before, indent: "", style: "plain", hasColors: true }),
      text.slice(0, 40),
      before,
    );
    const second = addToFlow(first.flow, text.slice(40), after);
    const rows = [...first.rows, ...second.rows, ...restRows(second.flow)];
    expect(rows.join(" ")).toBe(text);
  }
});

test("a very long line is given out before its end", () => {
  const flow = newFlow({ width: 40, indent: "", style: "plain", hasColors: true });
  const { rows, flow: rest } = addToFlow(flow, "word ".repeat(10_000), 40);
  expect(rows.length).toBeGreaterThan(1000);
  expect(restRows(rest).join("")).toBe("");
});
