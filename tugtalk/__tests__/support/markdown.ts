/** The parts of documents that tests read: sections, tables, blocks of code, links and pictures. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { PROTOCOL_PAGES } from "../../../.ci/protocol-pages.ts";

export const ROOT = join(import.meta.dir, "..", "..", "..");

const NOT_OURS = /(^|\/)(node_modules|\.git|\.cache|dist)\/|\.tmp$/;

/** The paths of the files of the repository. */
export function repositoryFiles(): string[] {
  const paths = [...new Bun.Glob("**/*").scanSync({ cwd: ROOT, dot: true })];
  return paths.filter((path) => !NOT_OURS.test(path));
}

/** The paths of its documents. */
export function documentPaths(): string[] {
  return repositoryFiles().filter((path) => path.endsWith(".md"));
}

/** The text of a file of the repository. */
export function document(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** A page of the reference of the wire, by its name. */
export function referencePage(name: string): string {
  return document(`tugtalk/protocol/${name}.md`);
}

/** The example lines of all pages about the wire. */
export function protocolExamples(): ExampleLine[] {
  return PROTOCOL_PAGES.flatMap((path) => exampleLines(document(path)));
}

/** The text under a heading, up to the next one of the same or a higher rank. */
export function section(text: string, heading: string): string {
  const rank = heading.indexOf(" ");
  const [, rest = ""] = `\n${text}`.split(`\n${heading}\n`);
  return rest.split(new RegExp(`\n#{1,${rank}} `))[0] ?? "";
}

/** The names in backticks that headings consist of. */
export function headedNames(text: string): string[] {
  return [...text.matchAll(/^#{2,4} `(\w+)`$/gm)].map(([, name = ""]) => name);
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

/** The relative links of a document that lead to no file, or to no heading of a document. */
export function brokenLinks(path: string): string[] {
  const links = [...document(path).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)];
  return links.flatMap(([link, target = "", anchor]) => {
    const to = target === "" ? path : join(dirname(path), target);
    if (!existsSync(join(ROOT, to))) return [link];
    return anchor === undefined || anchorsOf(document(to)).includes(anchor) ? [] : [link];
  });
}

function anchorsOf(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title));
}

/** The anchor that renderers of Markdown give a heading. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(" ", "-");
}
