/** The time of a flush to the disk, for which each durable commit waits. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./findings.ts";

const WRITES = 50;
const PAGE = Buffer.alloc(8192);

/** The median of some flushes of a page, in ms, in the folder of temporary files. */
export function flushMs(): number {
  const folder = mkdtempSync(join(tmpdir(), "flush-"));
  const file = openSync(join(folder, "pages"), "w");
  try {
    return median(
      Array.from({ length: WRITES }, () => {
        const start = performance.now();
        writeSync(file, PAGE);
        fdatasyncSync(file);
        return performance.now() - start;
      }),
    );
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true });
  }
}
