/** Which paths a session is refused for. */
import { expect, test } from "bun:test";
import { checkFolder } from "../session-folder.ts";

test.each([
  ["the path of a folder", import.meta.dir, undefined],
  ["a path with a slash at its end", `${import.meta.dir}/`, undefined],
  ["the path of a file", import.meta.path, "cwd: is no folder"],
  ["a path below a file", `${import.meta.path}/x`, "cwd: there is no such folder"],
  ["a path that does not exist", "/no/such/folder", "cwd: there is no such folder"],
  ["a path with a NUL", "/tmp\0/x", "cwd: there is no such folder"],
  ["a name that is too long", `/${"a".repeat(300)}`, "cwd: there is no such folder"],
  ["a path that is too long", "/a".repeat(4000), "cwd: there is no such folder"],
])("of %s the check says what is wrong", async (_name, path, problem) => {
  const said = await checkFolder(path).catch(({ message }) => message);
  expect(said).toBe(problem);
});
