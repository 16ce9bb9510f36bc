/** Preloaded by a process of a test: when it ends, it writes which modules it has loaded to the file `LOADED_MODULES`. */
import { writeFileSync } from "node:fs";

const path = process.env["LOADED_MODULES"];

if (path !== undefined)
  process.on("exit", () => writeFileSync(path, Object.keys(require.cache).join("\n")));
