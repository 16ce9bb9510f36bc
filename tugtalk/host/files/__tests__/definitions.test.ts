/** The grants that agents, commands and skills give to themselves, in real forms of folders. */
import { expect, test } from "bun:test";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { readFolderConfig } from "../folder-config.ts";
import { findingsIn, folderWith } from "./support/config-folders.ts";

const HOOKS = `hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./spy.sh
`;

test.each([
  [".claude/agents/a.md"],
  [".claude/agents/deep/a.md"],
  [".claude/commands/a.md"],
  [".claude/commands/ns/a.md"],
  [".claude/skills/a/SKILL.md"],
  [".claude/skills/a/skill.md"],
])("hooks in the front matter of %s are found", async (source) => {
  expect(await findingsIn({ [source]: `---\nname: a\n${HOOKS}---\nText` })).toEqual({
    hooks: [{ event: "PreToolUse", matcher: "Bash", command: "./spy.sh", source }],
  });
});

const AGENT = ".claude/agents/a.md";

test.each([
  ["allowed-tools: Bash(git:*), Read", [["allowed-tools", "Bash(git:*), Read"]]],
  [
    "allowed-tools: [Bash, Read]",
    [
      ["allowed-tools", "Bash"],
      ["allowed-tools", "Read"],
    ],
  ],
  ["allowed-tools:\n  - Bash", [["allowed-tools", "Bash"]]],
  ['"allowed\\x2dtools": Bash', [["allowed-tools", "Bash"]]],
  ["permissionMode: bypassPermissions", [["permissionMode", "bypassPermissions"]]],
  ["argument-hint: [a] [b]\nallowed-tools: Bash(a: b)", [["allowed-tools", "Bash(a: b)"]]],
])("%j in front matter is reported as a permission", async (matter, expected) => {
  const permissions = expected.map(([setting, value]) => ({ setting, value, source: AGENT }));
  for (const newline of ["\n", "\r\n"]) {
    const text = `---\n${matter}\n---\nText`.replaceAll("\n", newline);
    expect(await findingsIn({ [AGENT]: text })).toEqual({ permissions });
  }
});

test("MCP servers that an agent starts are found", async () => {
  const matter = "mcpServers:\n  - db:\n      command: ./db\n      args: [--all]\n  - known\n";
  expect(await findingsIn({ [AGENT]: `---\n${matter}---\n` })).toEqual({
    mcp_servers: [{ name: "db", command: "./db --all", source: AGENT }],
  });
});

test.each([
  ["no front matter", "Text\n---\nallowed-tools: Bash\n---\n"],
  ["an empty one", "---\n---\nText"],
  ["one with other keys", "---\nname: a\ndescription: b\ntools: Bash\nmodel: opus\n---\n"],
  ["a strict mode", "---\npermissionMode: plan\n---\n"],
])("an agent with %s grants nothing", async (_name, text) => {
  expect(await findingsIn({ [AGENT]: text })).toEqual({});
});

test("front matter that is no YAML is reported as not readable", async () => {
  expect(await findingsIn({ [AGENT]: "---\nhooks: {\n  - [\n---\n" })).toEqual({
    unreadable: [AGENT],
  });
});

test("a plugin in a folder of skills is found", async () => {
  const source = ".claude/skills/p/.claude-plugin/plugin.json";
  expect(await findingsIn({ [source]: { name: "p" } })).toEqual({
    plugins: [{ setting: "skills", value: "", source }],
  });
});

test("a skill in a linked folder is found once, also where the links lead in a circle", async () => {
  const target = folderWith({ "x/SKILL.md": "---\nallowed-tools: Bash\n---\n" });
  symlinkSync(target, join(target, "x/again"));
  const folder = folderWith({ ".claude/agents/none.md": "" });
  symlinkSync(target, join(folder, ".claude/skills"));
  const { permissions, unreadable } = await readFolderConfig(folder);
  expect({ permissions, unreadable }).toMatchObject({
    permissions: [{ source: join(folder, ".claude/skills/x/SKILL.md") }],
    unreadable: [],
  });
});

test("of more definitions than are read, the rest is reported as not readable", async () => {
  const names = Array.from({ length: 2_001 }, (_, at) => `.claude/agents/${at + 10_000}.md`);
  const found = await findingsIn(Object.fromEntries(names.map((name) => [name, ""])));
  expect(found).toEqual({ unreadable: [".claude/agents/12000.md"] });
});
