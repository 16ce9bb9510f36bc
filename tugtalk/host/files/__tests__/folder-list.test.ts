import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ApiError } from "../../api/api-error.ts";
import { listFolders } from "../folder-list.ts";
import { realDir } from "../real-dir.ts";

const FOLDER = realpathSync(mkdtempSync(join(tmpdir(), "folders-")));
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

for (const name of ["beta", "alpha", ".hidden"]) mkdirSync(join(FOLDER, name));
writeFileSync(join(FOLDER, "file"), "");
symlinkSync(join(FOLDER, "beta"), join(FOLDER, "link"));
symlinkSync(join(FOLDER, "nowhere"), join(FOLDER, "broken"));

test("the folders of a folder are listed by name, hidden ones last, with the way up", async () => {
  const list = await listFolders(FOLDER);
  expect(list).toEqual({
    path: FOLDER,
    parent: dirname(FOLDER),
    in_repository: false,
    dirs: ["alpha", "beta", "link", ".hidden"].map((name) => ({ name, path: join(FOLDER, name) })),
  });
});

test("the root has no way up", async () => {
  expect(await listFolders("/")).not.toHaveProperty("parent");
});

test("a folder is found through its links and from the home", async () => {
  expect(await realDir(join(FOLDER, "link"))).toBe(join(FOLDER, "beta"));
  expect(await realDir("~", FOLDER)).toBe(FOLDER);
  expect(await realDir("~/alpha", FOLDER)).toBe(join(FOLDER, "alpha"));
  expect(await realDir("~")).toBe(realpathSync(homedir()));
});

test.each([
  ["relative/path", "not_absolute"],
  ["", "not_absolute"],
  ["~someone/else", "not_absolute"],
  [join(FOLDER, "none"), "no_such_dir"],
  [join(FOLDER, "broken"), "no_such_dir"],
  [join(FOLDER, "file"), "not_a_dir"],
])("%p is refused as %s", async (path, code) => {
  const error = await listFolders(path).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(ApiError);
  expect(error).toMatchObject({ status: 400, code });
});
