/**
 * marked is one file, whose first part is the lexer and whose second part makes HTML. The page makes no HTML,
 * and writes Markdown as GitHub does, so only the parts of the lexer for that are bundled.
 */
import type { BunPlugin } from "bun";

export const MARKED_LEXER: BunPlugin = {
  name: "the lexer of marked",
  setup(build) {
    build.onLoad({ filter: /[\\/]marked\.esm\.js$/ }, async ({ path }) => ({
      contents: gfmOnly(lexerOf(await Bun.file(path).text())),
      loader: "js",
    }));
  },
};

/**
 * The source up to the only instance of the class that does everything, which would keep unused code in the
 * bundle.
 */
function lexerOf(source: string): string {
  const name = /\b(\w+) as Lexer\b/.exec(source)?.[1];
  const all = /\b(\w+) as Marked\b/.exec(source)?.[1];
  const end = source.lastIndexOf(`=new ${all};`);
  const start = source.lastIndexOf("var ", end);
  if (name === undefined || end === -1) throw otherShape();
  return `${source.slice(0, start)}export{${name} as Lexer};`;
}

/** The rules for other options, by the names in the lexer's tables. */
const OTHER_RULES = /,(?:pedantic|breaks):(\w+)(?=[,}])/g;

/**
 * The code of unneeded parts, and its replacement: other options, extensions, hooks, the lexing of a whole
 * text.
 */
const CUTS: readonly (readonly [RegExp, string])[] = [
  [OTHER_RULES, ""],
  [/this\.options\.(?:pedantic|breaks|silent)/g, "false"],
  [/this\.options\.gfm/g, "true"],
  [/this\.options\.extensions\?\.start(?:Block|Inline)/g, "false"],
  [/this\.options\.extensions\?\.(?:block|inline)\?\.some\(/g, "false&&("],
  [/this\.options\.hooks\?\.emStrongMask\?\.call\(\{lexer:this\},(\w+)\)\?\?\1/g, "$1"],
  [/this\.options\.hooks\?\.emStrongMask/g, "false"],
  [/\{async:!1[^}]*\}/, "{}"],
  [/static get rules\(\).*?this\.tokens\}(?=blockTokens\()/s, ""],
  [/,pedanticHrefTitle:\/.*?\/(?=,)/, ""],
  [/,pedanticHeadingBeginRegex:.*?(?=,\w+:)/, ""],
];

/** The lexer with `gfm` and no other option. */
function gfmOnly(source: string): string {
  const rules = [...source.matchAll(OTHER_RULES)];
  if (rules.length !== 3 || CUTS.some(([pattern]) => source.search(pattern) === -1))
    throw otherShape();
  const gfm = rules.reduce((rest, [, name = ""]) => withoutObject(rest, name), source);
  return CUTS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), gfm);
}

/**
 * The source without the declaration `,name={…}`. The braces within it are in pairs, even in its patterns.
 */
function withoutObject(source: string, name: string): string {
  const start = source.indexOf(`,${name}={`);
  if (start === -1) throw otherShape();
  let end = source.indexOf("{", start) + 1;
  for (let depth = 1; depth > 0; end += 1) {
    if (end >= source.length) throw otherShape();
    if (source[end] === "{") depth += 1;
    if (source[end] === "}") depth -= 1;
  }
  return source.slice(0, start) + source.slice(end);
}

function otherShape(): Error {
  return new Error("marked has another shape than expected");
}
