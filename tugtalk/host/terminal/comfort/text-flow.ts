/**
 * Text that streams, as rows of a terminal: wrapped at words, and given out as soon as a row can
 * not change any more. However the text is cut into pieces, the rows are the same. Pure.
 */
import { isFence, settledPart, styleMarkdown } from "./markdown.ts";
import { cleanText, paintText, type Style } from "./terminal-text.ts";

/** How the text looks. Without colours Markdown is left as it is. */
export type FlowFormat = {
  readonly width: number;
  readonly indent: string;
  readonly style: Style;
  readonly hasColors: boolean;
};

/** What has come of the text and was not given out. */
export type TextFlow = {
  readonly format: FlowFormat;
  /** The unfinished line, whole. */
  readonly line: string;
  /** So many rows of it were given out. */
  readonly rowsShown: number;
  /** The line is within a block of code. */
  readonly isCode: boolean;
};

/** Rows that are final, and the flow from then on. */
export type Flowed = { readonly rows: readonly string[]; readonly flow: TextFlow };

/** A line without end is not wrapped again and again: it ends here. */
const MAX_LINE_CHARS = 4000;

/** Room for less is not worth wrapping for. */
const MIN_WRAP_COLUMNS = 10;

/** A flow of which nothing has come. */
export function newFlow(format: FlowFormat): TextFlow {
  return { format, line: "", rowsShown: 0, isCode: false };
}

/** Adds text. A new width counts from the next line on, since rows of this one were given out. */
export function addToFlow(flow: TextFlow, added: string, width: number): Flowed {
  const [first = "", ...others] = cleanText(added).split("\n");
  const rows: string[] = [];
  let current = { ...flow, line: flow.line + first };
  for (const text of others) {
    rows.push(...restRows(current));
    const isCode = current.isCode !== isFence(current.line);
    current = { format: { ...flow.format, width }, line: text, rowsShown: 0, isCode };
  }
  const settled = settledRows(current);
  rows.push(...settled.slice(current.rowsShown));
  const rowsShown = Math.max(current.rowsShown, settled.length);
  if (current.line.length <= MAX_LINE_CHARS) return { rows, flow: { ...current, rowsShown } };
  rows.push(...restRows({ ...current, rowsShown }));
  return { rows, flow: { ...current, line: "", rowsShown: 0 } };
}

/** What is left of the unfinished line, as rows. */
export function restRows(flow: TextFlow): string[] {
  return wrap(flow, flow.line).slice(flow.rowsShown);
}

/** The rows of the unfinished line that nothing can change: all but the last, which may grow. */
function settledRows(flow: TextFlow): string[] {
  if (flow.format.width === Number.POSITIVE_INFINITY) return [];
  return wrap(flow, settledWords(flow)).slice(0, -1);
}

/** Whole words only: the last one may still grow, and then stand on another row. */
function settledWords({ format, line }: TextFlow): string {
  let part = line;
  do {
    const words = part.slice(0, Math.max(0, part.lastIndexOf(" ")));
    part = format.hasColors ? settledPart(words) : words;
  } while (part !== "" && line[part.length] !== " ");
  return part;
}

function wrap({ format, isCode }: TextFlow, text: string): string[] {
  const { width, indent, style, hasColors } = format;
  const isMarkdown = hasColors && style === "plain";
  const styled = isMarkdown ? styleMarkdown(text, isCode) : paintText(text, style, hasColors);
  // The rows after the first begin where the text of the first does, as in a list.
  const [lead = ""] = /^\s*(?:[-*+] |\d+[.)] |> )?/.exec(text) ?? [];
  const columns = width - indent.length - lead.length;
  if (isCode || columns < MIN_WRAP_COLUMNS || columns === Infinity) return [indent + styled];
  const body = Bun.wrapAnsi(skipChars(styled, lead), columns, { hard: true });
  const rows = body.split("\n");
  return rows.map((row, index) => indent + (index === 0 ? lead : " ".repeat(lead.length)) + row);
}

/** The styled text without its lead, which styles never touch but by a code in front of it. */
function skipChars(styled: string, lead: string): string {
  const at = styled.indexOf(lead);
  return styled.slice(0, at) + styled.slice(at + lead.length);
}
