/** The folders and repositories that Claude reads beside a session's folder. */
import { expect, test } from "bun:test";
import { join } from "node:path";
import { readFolderConfig } from "../folder-config.ts";
import { findingsIn, folderWith, NOTHING } from "./support/config-folders.ts";

const ALLOWED = "---\nallowed-tools: Bash\n---\n";

test("in a repository, local settings of its root and all definitions up to it are found, and no others", async () => {
  const files = {
    ".claude/skills/outside/SKILL.md": ALLOWED,
    "sub/.git/HEAD": "",
    "sub/.claude/settings.local.json": { agent: "root" },
    "sub/.claude/settings.json": { agent: "not read" },
    "sub/.claude/commands/c.md": ALLOWED,
    "sub/sub/.claude/settings.json": { agent: "sub" },
  };
  const folder = folderWith(files);
  const { settings, permissions } = await readFolderConfig(join(folder, "sub/sub"));
  expect(settings.map(({ value }) => value)).toEqual(["sub", "root"]);
  expect(permissions.map(({ source }) => source)).toEqual([
    join(folder, "sub/.claude/commands/c.md"),
  ]);
});

test("in a linked working tree, the grants of the main one are found", async () => {
  const source = "main/.claude/settings.local.json";
  const found = await findingsIn(
    {
      "sub/.git": "gitdir: ../main/.git/worktrees/sub\n",
      "main/.git/worktrees/sub/commondir": "../..\n",
      [source]: { agent: "main" },
      "main/.claude/settings.json": { agent: "not read" },
      "main/.claude/skills/s/SKILL.md": ALLOWED,
    },
    "sub",
  );
  expect(found).toEqual({
    permissions: [
      { setting: "allowed-tools", value: "Bash", source: "main/.claude/skills/s/SKILL.md" },
    ],
    settings: [{ setting: "agent", value: "main", source }],
  });
});

test("outside of a repository, definitions in all folders above are found, except the user's", async () => {
  const source = ".claude/agents/a.md";
  const folder = folderWith({ "sub/x": "", [source]: ALLOWED, ".claude/settings.local.json": {} });
  const sub = join(folder, "sub");
  expect((await readFolderConfig(sub)).permissions).toMatchObject([
    { source: join(folder, source) },
  ]);
  expect(await readFolderConfig(sub, join(folder, ".claude"))).toEqual(NOTHING);
});
