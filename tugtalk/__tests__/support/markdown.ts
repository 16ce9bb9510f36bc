/** What tests read from documents: sections, tables, blocks of code, links and pictures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export const ROOT = join(import.meta.dir, "..", "..", "..");

/** The text of a file of the repository. */
export function document(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** What is under a heading, up to the next one of the same or a higher rank. */
export function section(text: string, heading: string): string {
  const rank = heading.indexOf(" ");
  const [, rest = ""] = `\n${text}`.split(`\n${heading}\n`);
  return rest.split(new RegExp(`\n#{1,${rank}} `))[0] ?? "";
}

/** The names in backticks that headings consist of. */
export function headedNames(text: string): string[] {
  return [...text.matchAll(/^#{3,4} `(\w+)`$/gm)].map(([, name = ""]) => name);
}

/** The names in backticks that begin the rows of tables. */
export function rowNames(text: string): string[] {
  return [...text.matchAll(/^\| `([^`]+)` *\|/gm)].map(([, name = ""]) => name);
}

/** The blocks of code in this language. */
export function codeBlocks(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, "gms");
  return [...text.matchAll(fence)].map(([, code = ""]) => code);
}

/** A line of an example: written by the host (`→`), or read by it (`←`). */
type ExampleLine = { readonly isInbound: boolean; readonly message: ExampleMessage };
export type ExampleMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** The example lines of a text, in order. Throws at a line that is not JSON. */
export function exampleLines(text: string): ExampleLine[] {
  return (text.match(/^[→←] .*$/gm) ?? []).map((line) => ({
    isInbound: line.startsWith("→"),
    message: JSON.parse(line.slice(2)),
  }));
}

/** The links within a document that lead to no heading of it. */
export function brokenLinks(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title));
  const links = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = ""]) => anchor);
  return links.filter((anchor) => !headings.includes(anchor));
}

/** The anchor that renderers of Markdown give a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}
