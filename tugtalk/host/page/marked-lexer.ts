/**
 * marked is one file, in which its lexer comes before what makes HTML of it. The page makes no HTML, so
 * only the lexer is bundled.
 */
import type { BunPlugin } from "bun";

export const MARKED_LEXER: BunPlugin = {
  name: "the lexer of marked",
  setup(build) {
    build.onLoad({ filter: /[\\/]marked\.esm\.js$/ }, async ({ path }) => ({
      contents: lexerOf(await Bun.file(path).text()),
      loader: "js",
    }));
  },
};

/** Up to the only instance of the class that does all in one, which would keep the rest from being dropped. */
function lexerOf(source: string): string {
  const name = /\b(\w+) as Lexer\b/.exec(source)?.[1];
  const all = /\b(\w+) as Marked\b/.exec(source)?.[1];
  const end = source.lastIndexOf(`=new ${all};`);
  const start = source.lastIndexOf("var ", end);
  if (name === undefined || end === -1) throw new Error("marked has another shape than expected");
  return `${source.slice(0, start)}export{${name} as Lexer};`;
}
