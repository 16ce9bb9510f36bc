/**
 * The report behind `npm run rooms`: files, lines, longest file and imports of each room and folder, and
 * the totals of all code in git.
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

/** The purpose of a code file of git; undefined for other files. */
function kindOf(path: string): "generated" | "tests" | "product and tools" | undefined {
  if (!/\.(?:tsx?|css|[mc]?js|py|go|sh|grit)$/.test(path)) return undefined;
  if (path.includes(".generated.")) return "generated";
  return /\/(?:__tests__|testing)\//.test(path) ? "tests" : "product and tools";
}

const REPOSITORY = join(ROOT, "..");
const tracked = Bun.spawnSync(["git", "ls-files"], { cwd: REPOSITORY })
  .stdout.toString()
  .split("\n");
const totals = Map.groupBy(
  tracked.map((path) => join("..", path)),
  kindOf,
);
const source = (totals.get("product and tools") ?? []).filter((path) =>
  path.startsWith("../tugtalk/src/"),
);
console.log("");
for (const [kind, paths] of [...totals, ["of these in src", source] as const])
  if (kind !== undefined)
    console.log(
      `${kind.padEnd(18)}${String(paths.length).padStart(5)} files ${sumLines(paths)} lines`,
    );
