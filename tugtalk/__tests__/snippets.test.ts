/** The blocks of code of the documents: the test that runs each, and the blocks that no other test runs. */
import { afterEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PEERS_FLAGS } from "../bench/bench-arguments.ts";
import { parseHostFlags } from "../host/host-flags.ts";
import { AcpAgent } from "../testing/drivers/acp-agent.ts";
import { UNDER_TEST } from "../testing/drivers/bridge-process.ts";
import { runCommand } from "../testing/drivers/ended-command.ts";
import { codeBlocks, document, documentPaths, ROOT, repositoryFiles } from "./support/markdown.ts";

const HERE = "tugtalk/__tests__/snippets.test.ts";
const EXAMPLES = "tugtalk/examples/__tests__";

/** By document: how many blocks of each language there are, and the tests that run or check them. */
const BLOCKS: Readonly<
  Record<
    string,
    { readonly blocks: Readonly<Record<string, number>>; readonly by: readonly string[] }
  >
> = {
  "CONTRIBUTING.md": { blocks: { sh: 1 }, by: ["tugtalk/__tests__/contributing.examples.ts"] },
  "README.md": { blocks: { js: 2, sh: 9 }, by: [`${EXAMPLES}/newcomer.examples.ts`] },
  "roadmap/interactive-tools.md": { blocks: { json: 4 }, by: [HERE] },
  "roadmap/performance.md": {
    blocks: { sh: 1 },
    by: [HERE, "tugtalk/__tests__/contributing.examples.ts"],
  },
  "roadmap/scale.md": {
    blocks: { json: 1, sh: 10 },
    by: ["tugtalk/host/shared/__tests__/scale-document.postgres.ts", HERE],
  },
  "roadmap/tugtalk-protocol.md": { blocks: { json: 2 }, by: [HERE] },
  "tugtalk/ACP.md": { blocks: { elisp: 1, json: 2, lua: 1 }, by: [HERE] },
  "tugtalk/HOST.md": {
    blocks: { console: 5, js: 1, json: 1, sh: 2, ts: 1 },
    by: [
      "tugtalk/host/__tests__/document.test.ts",
      "tugtalk/host/__tests__/document-moves.test.ts",
      "tugtalk/host/bridges/__tests__/document-places.places.ts",
      "tugtalk/host/shared/__tests__/database-document.postgres.ts",
      "tugtalk/host/openapi/__tests__/clients.examples.ts",
      HERE,
    ],
  },
  "tugtalk/examples/README.md": {
    blocks: { js: 1, sh: 5 },
    by: [`${EXAMPLES}/newcomer.examples.ts`, `${EXAMPLES}/recipes.test.ts`],
  },
  "tugtalk/examples/desktop.md": {
    blocks: { console: 2, sh: 2 },
    by: [`${EXAMPLES}/desktop.package.ts`],
  },
  "tugtalk/examples/one-host.md": {
    blocks: { console: 4, sh: 2 },
    by: [`${EXAMPLES}/one-host.test.ts`],
  },
  "tugtalk/examples/own-page.md": {
    blocks: { console: 2, sh: 2 },
    by: [`${EXAMPLES}/own-page.package.ts`],
  },
  "tugtalk/examples/troubleshooting.md": {
    blocks: { console: 15 },
    by: [`${EXAMPLES}/troubleshooting.test.ts`],
  },
  "tugtalk/examples/types.md": {
    blocks: { console: 1, sh: 4 },
    by: [`${EXAMPLES}/types.package.ts`],
  },
};

/** Other blocks show the output of a program, or lines and diagrams that the tests of the protocol check. */
const CODE = /^```(sh|js|ts|lua|elisp|json|console)$/gm;

function blocksOf(path: string): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [, language = ""] of document(path).matchAll(CODE))
    found[language] = (found[language] ?? 0) + 1;
  return found;
}

test("the tests of every block of code are known", () => {
  const found = documentPaths().map((path) => [path, blocksOf(path)] as const);
  const known = Object.entries(BLOCKS).map(([path, { blocks }]) => [path, blocks]);
  expect(Object.fromEntries(found.filter(([, blocks]) => Object.keys(blocks).length > 0))).toEqual(
    Object.fromEntries(known),
  );
});

test("each of those tests exists, and reads the document", () => {
  for (const [path, { by }] of Object.entries(BLOCKS))
    for (const file of by) {
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(document(file), file).toContain(path.replace("tugtalk/examples/", ""));
    }
});

test("continuous integration installs every program without which a test is left out", () => {
  const tests = repositoryFiles().filter((path) => /__tests__\/.*\.ts$/.test(path));
  const needed = tests.flatMap((path) =>
    [...document(path).matchAll(/Bun\.which\("([\w-]+)"\) [!=]== null/g)].map(([, name]) => name),
  );
  const installed = [...document(".ci/run").matchAll(/^ {2}([\w-]+):[\w.-]+$/gm)];
  const names = installed.map(([, name]) => name);
  expect(needed).toContain("systemd-analyze");
  expect(needed.filter((name) => !names.includes(name))).toEqual([]);
});

let agent: AcpAgent | undefined;
afterEach(() => agent?.kill());

/** The command that an editor starts, as a list of words in its settings. */
const COMMANDS: Readonly<Record<string, (block: string) => unknown>> = {
  json: (block) => {
    const { command, args } = JSON.parse(block).agent_servers.tugtalk;
    return [command, ...args];
  },
  lua: (block) => JSON.parse(`[${block.match(/default = \{(.*?)\}/)?.[1]}]`),
  elisp: (block) =>
    block
      .match(/'\((.*?)\)/)?.[1]
      ?.split(" ")
      .map((word) => JSON.parse(word)),
};

const EDITORS = Object.keys(COMMANDS).flatMap((language) =>
  codeBlocks(document("tugtalk/ACP.md"), language).map((block) => [language, block] as const),
);

test("the settings of each editor start the same agent, which answers", async () => {
  expect(EDITORS).toHaveLength(4);
  for (const [language, block] of EDITORS)
    expect(COMMANDS[language]?.(block)).toEqual(["tugtalk", "acp"]);
  agent = new AcpAgent({ command: UNDER_TEST });
  expect(await agent.initialize()).toMatchObject({ result: { protocolVersion: 1 } });
});

/** In place of the editor's modules: prints the command that the settings have. */
const EDITOR = `
package.loaded["codecompanion.adapters"] = { extend = function(_, adapter) return adapter end }
package.loaded["codecompanion"] = { setup = function(settings)
  local chat = settings.interactions.chat.adapter
  print(table.concat(settings.adapters.acp[chat]().commands.default, " "))
end }
`;

test.skipIf(Bun.which("lua") === null)(
  "the settings in Lua run, and name the command",
  async () => {
    const [block = ""] = codeBlocks(document("tugtalk/ACP.md"), "lua");
    const ended = await runCommand(["lua", "-e", EDITOR + block]);
    expect(ended).toEqual({ code: 0, out: "tugtalk acp\n", err: "" });
  },
);

/** In place of the package of Emacs: its function returns its arguments. */
const AGENT_SHELL = "(defun agent-shell-anthropic-make-authentication (&rest given) given)";
const PRINTED =
  "(prin1 (list agent-shell-anthropic-claude-acp-command agent-shell-anthropic-authentication))";

test.skipIf(Bun.which("emacs") === null)(
  "the settings in Lisp run, and name the command and the login",
  async () => {
    const [block = ""] = codeBlocks(document("tugtalk/ACP.md"), "elisp");
    const program = `(progn ${AGENT_SHELL} ${block} ${PRINTED})`;
    const ended = await runCommand(["emacs", "--batch", "--quick", "--eval", program]);
    expect(ended).toEqual({ code: 0, out: '(("tugtalk" "acp") (:login t))', err: "" });
  },
);

test("the lines of roadmap/performance.md have flags that the benchmark takes", () => {
  const [block = ""] = codeBlocks(document("roadmap/performance.md"), "sh");
  const lines = [...block.matchAll(/^bun \.ci\/bench\.ts peers(.*?)(?: +#.*)?$/gm)];
  expect(lines).toHaveLength(4);
  for (const [, flags = ""] of lines) {
    const args = [...flags.matchAll(/--[\w-]+(?:=(?:"[^"]*"|\S+))?/g)].map(([flag]) => flag);
    expect(flags.replaceAll('"', "").trim()).toBe(args.join(" ").replaceAll('"', ""));
    expect(() => parseArgs({ args, options: PEERS_FLAGS })).not.toThrow();
  }
});

test("each command line that starts a host has flags that the host takes", () => {
  const lines = documentPaths().flatMap((path) => [
    ...document(path).matchAll(
      /^(?:\$ )?(?:npx )?tugtalk host((?: --?[\w-]+(?:[= ][\w./:-]+)?)*)$/gm,
    ),
  ]);
  expect(lines.length).toBeGreaterThan(4);
  for (const [line, flags = ""] of lines)
    expect(parseHostFlags(flags.split(" ").filter(Boolean), {}, "/"), line).toHaveProperty("flags");
});

test("the JSON of the documents about Claude and of a file of places parses", () => {
  for (const path of [
    "roadmap/interactive-tools.md",
    "roadmap/tugtalk-protocol.md",
    "roadmap/scale.md",
  ])
    for (const block of codeBlocks(document(path), "json")) expect(JSON.parse(block)).toBeObject();
});
