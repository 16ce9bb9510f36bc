/**
 * The report behind `npm run rooms`: files, lines, longest file and imports of each room and folder.
 * Tests are counted in one total.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILES, IMPORTS, ROOT, roomOf } from "../tugtalk/testing/drivers/import-graph.ts";

function linesOf(path: string): number {
  return readFileSync(join(ROOT, path), "utf8").split("\n").length - 1;
}

function sumLines(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + linesOf(path), 0);
}

function longestOf(paths: readonly string[]): string {
  const [longest = ""] = [...paths].sort((one, other) => linesOf(other) - linesOf(one));
  return `${linesOf(longest)} ${longest}`;
}

function importedBy(room: string): string {
  const rooms = IMPORTS.filter(({ from }) => roomOf(from) === room).map(({ to }) => roomOf(to));
  return [...new Set(rooms)]
    .filter((other) => other !== room)
    .sort()
    .join(" ");
}

function printRoom(room: string, paths: readonly string[]): void {
  const counts = `${String(paths.length).padStart(5)} ${String(sumLines(paths)).padStart(6)}`;
  console.log(`${room.padEnd(13)}${counts}  ${longestOf(paths).padEnd(48)} ${importedBy(room)}`);
}

console.log("room         files  lines  longest file                                     imports");
const rooms = Map.groupBy(FILES, roomOf);
for (const [room, paths] of [...rooms].sort()) printRoom(room, paths);

const source = FILES.filter((path) => path.startsWith("src/"));
console.log(`\nsrc without tests: ${source.length} files, ${sumLines(source)} lines`);
const all = [...new Bun.Glob("**/*.ts").scanSync(ROOT)].filter(
  (path) => !path.includes("/fixtures/"),
);
const tests = all.filter((path) => !FILES.includes(path));
console.log(`tests and testing: ${tests.length} files, ${sumLines(tests)} lines`);
