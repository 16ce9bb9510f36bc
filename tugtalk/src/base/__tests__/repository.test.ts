/** The folder of a worktree of Claude's own, as the measured CLIs place it. */
import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { git } from "../../../testing/drivers/git.ts";
import { worktreeFolder } from "../repository.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "worktrees-")));
afterAll(() => rmSync(root, { recursive: true }));

const main = join(root, "main");
mkdirSync(join(main, "sub"), { recursive: true });
git(main, "init", "--quiet");
git(main, "commit", "--quiet", "--allow-empty", "--message=first");
git(main, "worktree", "add", "--quiet", join(root, "linked"));
symlinkSync(join(main, "sub"), join(root, "link"));

test.each(["main", "main/sub", "linked", "link"])(
  "the worktree of %s is in the main working tree",
  async (folder) => {
    const path = join(main, ".claude", "worktrees", "name");
    expect(await worktreeFolder(join(root, folder), "name")).toBe(path);
  },
);

test("a folder in no repository has no worktrees, nor has one that is not there", async () => {
  expect(await worktreeFolder(root, "name")).toBeUndefined();
  expect(await worktreeFolder(join(root, "gone"), "name")).toBeUndefined();
});
