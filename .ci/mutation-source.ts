/** The place of a fault of the mutation table. */
import type { Mutation } from "./mutation-table.ts";

/** The one file of a pattern, relative to the folder. Throws if there is none, or more than one. */
export function findFile(folder: string, pattern: string): string {
  const [path, ...others] = new Bun.Glob(pattern).scanSync(folder);
  if (path === undefined || others.length > 0)
    throw new Error(`${path === undefined ? "no file is" : "more than one file is"} ${pattern}`);
  return path;
}

/**
 * The path of a mutation's source. Sources of the bridge are named alone, others by their path from
 * `tugtalk`.
 */
export function sourceOf(folder: string, { file }: Mutation): string {
  return findFile(folder, file.includes("/") ? `tugtalk/${file}` : `tugtalk/src/**/${file}`);
}

/** Throws when the text to replace is not in the source exactly once, or the result is not TypeScript. */
export function mutate(source: string, { file, text, replacement }: Mutation): string {
  const [before = "", after, ...others] = source.split(text);
  if (after === undefined || others.length > 0)
    throw new Error(`${file} does not have this text exactly once: ${text}`);
  const mutated = before + replacement + after;
  new Bun.Transpiler({ loader: "ts" }).transformSync(mutated);
  return mutated;
}
