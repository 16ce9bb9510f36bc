/** The pages about the wire, by their paths in the repository. */
import { join } from "node:path";
import type { Sources } from "./protocol-tables.ts";

const ROOT = join(import.meta.dir, "..");

/** The guide, for reading from its beginning. */
export const GUIDE = "tugtalk/PROTOCOL.md";

/** The folder of the reference, one page a topic. */
export const REFERENCE = "tugtalk/protocol";

/** All pages. */
export const PROTOCOL_PAGES: readonly string[] = [
  GUIDE,
  ...[...new Bun.Glob(`${REFERENCE}/*.md`).scanSync({ cwd: ROOT })].sort(),
];

/** Reads the sources of all generated parts. */
export async function readSources(): Promise<Sources> {
  const read = (path: string) => Bun.file(join(ROOT, path));
  return {
    definitions: (await read("tugtalk/schema.json").json()).$defs,
    performance: await read("roadmap/performance.md").text(),
    comparison: await read("roadmap/acp.md").text(),
  };
}
