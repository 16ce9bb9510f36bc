/** How much of the page a browser loads, as it is sent: packed. */
import type { PageFile } from "../host/page/page-files.ts";
import { packed } from "../host/server/headers.ts";

export type PageSizes = {
  /** What is loaded before anything is drawn. */
  readonly eager: number;
  /** What colours code: the highlighter, and each of its languages. */
  readonly colours: readonly number[];
  /** The parts that are loaded when they are needed, largest first. */
  readonly lazy: readonly number[];
  readonly styles: number;
};

export function measurePage(files: readonly PageFile[]): PageSizes {
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
  const lazy = rest.keys();
  const sizes = (names: Iterable<string>) => {
    const wanted = new Set(names);
    return files.filter(({ name }) => wanted.has(name)).map((file) => packed(file).length);
  };
  return {
    eager: sum(sizes(eager)),
    colours: sizes(colours),
    lazy: sizes(lazy).toSorted((one, other) => other - one),
    styles: sum(
      files.filter(({ name }) => name.endsWith(".css")).map((file) => packed(file).length),
    ),
  };
}

const STATIC = /\b(?:from|import)\s*"\.\/([^"]+)"/g;
const ANY = /"\.\/([^"]+\.js)"/g;

/** These scripts, and those that they import. */
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

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
