/** Regenerates the generated parts of the pages about the wire: `npm run protocol`. */
import { join } from "node:path";
import { PROTOCOL_PAGES, readSources } from "./protocol-pages.ts";
import { withTables } from "./protocol-tables.ts";

const ROOT = join(import.meta.dir, "..");

const sources = await readSources();
for (const page of PROTOCOL_PAGES) {
  const path = join(ROOT, page);
  await Bun.write(path, withTables(await Bun.file(path).text(), sources));
}
