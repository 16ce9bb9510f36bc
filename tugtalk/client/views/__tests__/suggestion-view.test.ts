/**
 * Permission suggestions in words: each kind × behaviour × destination. The rows under "captured" are
 * from recordings of the real CLI; the others are made up, as no recording has them.
 */
import { expect, test } from "bun:test";
import { viewSuggestion } from "../suggestion-view.ts";

type Fields = Readonly<Record<string, unknown>>;
type Row = readonly [suggestion: Fields, text: string, revoke: string, file?: string];

const LOCAL = ".claude/settings.local.json";
const NOTHING_SAVED = "It ends with this session, and nothing is saved.";

function allow(destination: string, ...rules: readonly (readonly [string, string?])[]): Fields {
  const listed = rules.map(([toolName, ruleContent]) => ({
    toolName,
    ...(ruleContent !== undefined && { ruleContent }),
  }));
  return { type: "addRules", behavior: "allow", destination, rules: listed };
}

const CAPTURED: readonly Row[] = [
  [
    allow("localSettings", ["Bash", "touch out.txt"]),
    `Allow the Bash command \`touch out.txt\` in this project, saved in ${LOCAL} for you`,
    `Remove \`Bash(touch out.txt)\` from permissions.allow in ${LOCAL}.`,
    LOCAL,
  ],
  [
    allow(
      "localSettings",
      ["Bash", "touch a.txt"],
      ["Bash", "npm install *"],
      ["Bash", "git push *"],
    ),
    `Allow the Bash command \`touch a.txt\`, Bash commands that match \`npm install *\` and Bash commands that match \`git push *\` in this project, saved in ${LOCAL} for you`,
    `Remove \`Bash(touch a.txt)\`, \`Bash(npm install *)\` and \`Bash(git push *)\` from permissions.allow in ${LOCAL}.`,
    LOCAL,
  ],
  [
    allow("session", ["Read", "//etc/**"]),
    "Allow Read of files that match `/etc/**` for this session",
    NOTHING_SAVED,
  ],
  [
    allow("localSettings", ["WebFetch", "domain:example.com"]),
    `Allow WebFetch of pages of example.com in this project, saved in ${LOCAL} for you`,
    `Remove \`WebFetch(domain:example.com)\` from permissions.allow in ${LOCAL}.`,
    LOCAL,
  ],
  [
    allow("localSettings", ["WebSearch"]),
    `Allow every use of WebSearch in this project, saved in ${LOCAL} for you`,
    `Remove \`WebSearch\` from permissions.allow in ${LOCAL}.`,
    LOCAL,
  ],
  [
    allow("localSettings", ["mcp__probe__echo"]),
    `Allow the tool echo of the MCP server probe in this project, saved in ${LOCAL} for you`,
    `Remove \`mcp__probe__echo\` from permissions.allow in ${LOCAL}.`,
    LOCAL,
  ],
  [
    { type: "addDirectories", directories: ["/work/outside"], destination: "session" },
    "Let Claude work in `/work/outside` for this session",
    NOTHING_SAVED,
  ],
  [
    { type: "setMode", mode: "acceptEdits", destination: "session" },
    "Switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session",
    "Switch to another permission mode at any time.",
  ],
];

const MADE_UP: readonly Row[] = [
  [
    allow("localSettings", ["Bash", "npm test:*"]),
    `Allow Bash commands that match \`npm test:*\` in this project, saved in ${LOCAL} for you`,
    `Remove \`Bash(npm test:*)\` from permissions.allow in ${LOCAL}.`,
    LOCAL,
  ],
  [
    { ...allow("userSettings", ["WebSearch"]), behavior: "deny" },
    "Refuse every use of WebSearch in all your projects, saved in ~/.claude/settings.json",
    "Remove `WebSearch` from permissions.deny in ~/.claude/settings.json.",
    "~/.claude/settings.json",
  ],
  [
    { ...allow("projectSettings", ["Edit", "src/a.ts"]), behavior: "ask" },
    "Ask before Edit of `src/a.ts` in this project, saved in .claude/settings.json for everyone who works on it",
    "Remove `Edit(src/a.ts)` from permissions.ask in .claude/settings.json.",
    ".claude/settings.json",
  ],
  [
    { ...allow("projectSettings", ["Read"]), type: "removeRules", behavior: "ask" },
    "Stop asking before every use of Read in this project, saved in .claude/settings.json for everyone who works on it",
    "Add `Read` to permissions.ask in .claude/settings.json again.",
    ".claude/settings.json",
  ],
  [
    { ...allow("cliArg", ["Agent", "Explore"]), type: "replaceRules" },
    "Allow uses of Agent that match `Explore` and nothing else by a rule for this session",
    NOTHING_SAVED,
  ],
  [
    { ...allow("userSettings"), type: "replaceRules" },
    "Stop allowing anything by a rule in all your projects, saved in ~/.claude/settings.json",
    "Write the former rules into permissions.allow in ~/.claude/settings.json.",
    "~/.claude/settings.json",
  ],
  [
    allow("session", ["mcp__my__server"], ["mcp__my_tide__*"], ["Bash", "*"]),
    "Allow the tool server of the MCP server my, every tool of the MCP server my_tide and every use of Bash for this session",
    NOTHING_SAVED,
  ],
  [
    { type: "setMode", mode: "reverie", destination: "elsewhere" },
    "Switch to the permission mode reverie saved in elsewhere",
    "Change permissions.defaultMode in elsewhere.",
    "elsewhere",
  ],
  [
    { type: "removeDirectories", directories: ["/a", "/b"], destination: "userSettings" },
    "Stop letting Claude work in `/a` and `/b` in all your projects, saved in ~/.claude/settings.json",
    "Add `/a` and `/b` to permissions.additionalDirectories in ~/.claude/settings.json again.",
    "~/.claude/settings.json",
  ],
  [
    { type: "addDirectories", directories: ["/a\u202e"], destination: "localSettings" },
    `Let Claude work in \`/a\\u{202e}\` in this project, saved in ${LOCAL} for you`,
    `Remove \`/a\\u{202e}\` from permissions.additionalDirectories in ${LOCAL}.`,
    LOCAL,
  ],
];

test.each([...CAPTURED, ...MADE_UP])("the suggestion %j has its exact scope in words", (...row) => {
  const [suggestion, text, revoke, file] = row;
  expect(viewSuggestion(suggestion, 2)).toEqual({
    index: 2,
    isKnown: true,
    text,
    revoke,
    ...(file !== undefined && { file }),
  });
});

test("the servers of a session tell where the name of a server ends", () => {
  const servers = [{ name: "my" }, { name: "my__server" }];
  expect(viewSuggestion(allow("session", ["mcp__my__server__go"]), 0, servers).text).toBe(
    "Allow the tool go of the MCP server my__server for this session",
  );
  expect(viewSuggestion(allow("session", ["mcp__my__server"]), 0, servers).text).toBe(
    "Allow every tool of the MCP server my__server for this session",
  );
});

test("a destination and a mode that are named like a method of objects are shown by their names", () => {
  expect(viewSuggestion(allow("toString", ["Read"]), 0).text).toBe(
    "Allow every use of Read saved in toString",
  );
  const mode = { type: "setMode", mode: "toString", destination: "session" };
  expect(viewSuggestion(mode, 0).text).toBe(
    "Switch to the permission mode toString for this session",
  );
});

const UNKNOWN: readonly Fields[][] = [
  [{ type: "grantAll", destination: "session" }],
  [{ type: "setMode", destination: "session" }],
  [{ type: "setMode", mode: "plan" }],
  [{ ...allow("session", ["Read"]), behavior: "sing" }],
  [{ ...allow("session", ["Read"]), behavior: "constructor" }],
  [{ ...allow("session"), rules: [{ toolName: 5 }] }],
  [allow("session")],
  [{ type: "addDirectories", directories: [], destination: "session" }],
];

test.each(UNKNOWN)("the suggestion %j is called unknown", (suggestion) => {
  expect(viewSuggestion(suggestion, 0)).toEqual({
    index: 0,
    isKnown: false,
    text: `A change of the kind ${suggestion["type"]}, which cannot be described here`,
    revoke: "Do not accept what you cannot read.",
  });
});
