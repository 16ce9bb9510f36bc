/** Regenerates the checks of plain values from the schemas: `npm run plain`. */
import { join } from "node:path";
import { plainChecks } from "../tugtalk/schema/plain-checks.ts";

const ROOT = join(import.meta.dir, "..", "tugtalk");

for (const [path, text] of Object.entries(plainChecks())) await Bun.write(join(ROOT, path), text);
