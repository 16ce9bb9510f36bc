/** Makes the checks of plain values anew from the schemas: `npm run plain`. */
import { join } from "node:path";
import { plainChecks } from "../tugtalk/schema/plain-checks.ts";

const SOURCE = join(import.meta.dir, "..", "tugtalk", "src");

for (const [path, text] of Object.entries(plainChecks())) await Bun.write(join(SOURCE, path), text);
