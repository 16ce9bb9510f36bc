/** The page stays small: the bytes that a browser loads, in the packed form in which they are sent. */
import { expect, test } from "bun:test";
import { buildPage } from "../../host/page/build-page.ts";
import type { PageFile } from "../../host/page/page-files.ts";
import { packed } from "../../host/server/headers.ts";
import { sum } from "../findings.ts";

const KB = 1000;

test("a page has at most 45 kB of script before the first block of code, and 75 kB with all languages", async () => {
  const { eager, colours } = measurePage((await buildPage()).files);
  expect(eager).toBeGreaterThan(30 * KB);
  expect(eager).toBeLessThanOrEqual(45 * KB);
  // The highlighter and its sixteen languages.
  expect(colours.length).toBeGreaterThan(16);
  expect(eager + sum(colours)).toBeLessThanOrEqual(75 * KB);
});

type PageSizes = {
  /** The bytes of the scripts that are loaded before anything is drawn. */
  readonly eager: number;
  /** The bytes of the scripts that colour code: the highlighter, and each of its languages. */
  readonly colours: readonly number[];
};

function measurePage(files: readonly PageFile[]): PageSizes {
  const scripts = new Map(
    files.filter(({ name }) => name.endsWith(".js")).map((file) => [file.name, file]),
  );
  const entry = [...scripts.keys()].filter((name) => name.startsWith("page-"));
  const eager = reached(scripts, entry, STATIC);
  const rest = new Map([...scripts].filter(([name]) => !eager.has(name)));
  const colouring = [...rest.values()].filter(({ text }) => text.includes("`hl-${"));
  const colours = reached(
    rest,
    colouring.map(({ name }) => name),
    ANY,
  );
  const sizes = (names: Iterable<string>) => {
    const wanted = new Set(names);
    return files.filter(({ name }) => wanted.has(name)).map((file) => packed(file).length);
  };
  return {
    eager: sum(sizes(eager)),
    colours: sizes(colours),
  };
}

const STATIC = /\b(?:from|import)\s*"\.\/([^"]+)"/g;
const ANY = /"\.\/([^"]+\.js)"/g;

/** These scripts, and the scripts that they import. */
function reached(
  scripts: ReadonlyMap<string, PageFile>,
  names: readonly string[],
  imported: RegExp,
): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    const script = scripts.get(name);
    if (script === undefined || found.has(name)) return;
    found.add(name);
    for (const [, other = ""] of script.text.matchAll(imported)) visit(other);
  };
  names.forEach(visit);
  return found;
}
