/** Fails a test during which a bridge has emitted a message that its schema does not allow. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { uncheckedFile } from "./emitted-faults.ts";

/** Throws the faults that were found since the last call. Checks the output that was not checked before. */
export async function failOnFaults(path: string): Promise<void> {
  await checkText(uncheckedFile(path));
  if (!existsSync(path)) return;
  const faults = readFileSync(path, "utf8");
  rmSync(path);
  throw new Error(`the bridge has emitted what its schema does not allow:\n${faults}`);
}

/** How far each file was checked. A bridge may be writing to the file, so its content stays. */
const checkedBytes = new Map<string, number>();

async function checkText(path: string): Promise<void> {
  const start = checkedBytes.get(path) ?? 0;
  const file = Bun.file(path);
  if (!existsSync(path) || file.size === start) return;
  const bytes = await file.slice(start).bytes();
  checkedBytes.set(path, start + bytes.length);
  // The schemas take a quarter of a second to load, and most files of tests need none.
  const { parseEmittedText } = await import("./emitted-lines.ts");
  parseEmittedText(new TextDecoder().decode(bytes));
}
