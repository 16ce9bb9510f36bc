/** Makes the tables of PROTOCOL.md anew from `schema.json`: `npm run protocol`. */
import { join } from "node:path";
import { type Definitions, withTables } from "./protocol-tables.ts";

const FOLDER = join(import.meta.dir, "..", "tugtalk");

/** Rewrites the document if its tables are stale. */
async function main(): Promise<void> {
  const path = join(FOLDER, "PROTOCOL.md");
  const schema: { readonly $defs: Definitions } = await Bun.file(
    join(FOLDER, "schema.json"),
  ).json();
  const document = await Bun.file(path).text();
  await Bun.write(path, withTables(document, schema.$defs));
}

await main();
