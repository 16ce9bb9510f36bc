/** Paths from the folder of a session. */
import { expect, test } from "bun:test";
import { pathIn } from "../path-in.ts";

test.each([
  ["/work/project", "/work/project/src/a.ts", "src/a.ts"],
  ["/work/project", "/work/project", "."],
  ["/", "/etc/hosts", "etc/hosts"],
  ["/work/project", "/work/project-2/a.ts", undefined],
  ["/work/project", "/work/project/../a.ts", undefined],
  ["/work/project", "/etc/hosts", undefined],
  ["", "/etc/hosts", undefined],
] as const)("in the folder %p, %s is %s", (folder, path, shown) => {
  expect(pathIn(folder, path)).toBe(shown);
});
