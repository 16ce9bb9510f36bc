/** The page about troubles: the program prints each text in it. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { codeBlocks, document, ROOT } from "../../__tests__/support/markdown.ts";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";

const PAGE = document("tugtalk/examples/troubleshooting.md");

let host: TestHost;

beforeAll(async () => {
  host = await startHost({ hasDefaultData: true });
  mkdirSync(join(host.root, "srv"));
});
afterAll(endHosts);

/** Names of this machine, and those on the page for them. */
function names(): readonly (readonly [ours: string, documented: string])[] {
  return [
    [host.dataDir, "/home/ada/.local/state/tugtalk/host"],
    [join(host.root, "other"), "/tmp/other"],
    [join(host.root, "srv"), "/srv/project"],
    [String(host.port), "7717"],
  ];
}

/** A block with the names of this machine. */
function onThisMachine(block: string): string {
  return names().reduce((text, [ours, documented]) => text.replaceAll(documented, ours), block);
}

function asDocumented(printed: string): string {
  return names()
    .reduce((text, [ours, documented]) => text.replaceAll(ours, documented), printed)
    .replaceAll(/tugtalk-[0-9a-f]{32}/g, "tugtalk-<name>")
    .replaceAll(/(?<=code=)[\w.-]+/g, "<code>")
    .replaceAll(/(?<=pid )\d+/g, "<pid>");
}

/** The lines of commands on both outputs. `npx tugtalk` is the program under test. */
async function printedBy(commands: string): Promise<string> {
  const npx = `npx() { shift; ${CHECKED_COMMAND.join(" ")} "$@"; }`;
  const shell = Bun.spawn(["bash", "-c", `exec 2>&1\n${npx}\n${commands}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: host.home,
      XDG_STATE_HOME: join(host.root, "state"),
      URL: host.url,
      TOKEN: host.token,
    },
  });
  return await new Response(shell.stdout).text();
}

const [first, ...blocks] = codeBlocks(PAGE, "console");

test("the first block of the page names the host of all others", () => {
  expect(first).toStartWith("$ URL=http://127.0.0.1:7717 TOKEN=");
  expect(blocks.length).toBeGreaterThan(8);
});

test.each(blocks.map((block) => [block.split("\n")[0], block] as const))(
  "the commands from %s on print what the page says",
  async (_command, block) => {
    const typed = onThisMachine(block).match(/^\$ .*/gm) ?? [];
    const printed = asDocumented(await printedBy(typed.map((line) => line.slice(2)).join("\n")));
    expect(printed).not.toBe("");
    const lines = block.trimEnd().split("\n");
    expect(printed.trimEnd().split("\n")).toEqual(lines.filter((line) => !line.startsWith("$ ")));
  },
);

test("a host that finds no Claude prints the text of the page", () => {
  const [text = ""] = codeBlocks(PAGE, "text");
  expect(readFileSync(join(ROOT, "tugtalk/host/host.ts"), "utf8")).toContain(text.trimEnd());
});

test("each text of the table is one of the page of the host", () => {
  const quoted = [...PAGE.matchAll(/^\| "([^"]+)" *\|/gm)].map(([, text = ""]) => text);
  expect(quoted).toHaveLength(4);
  const sources = ["page/build-page.ts", "server/pages.ts", "../web/shell/connection.tsx"];
  const shown = sources.map((path) => document(join("tugtalk/host", path))).join("\n");
  const text = shown.replaceAll(/\s+/g, " ");
  expect(quoted.filter((one) => !text.includes(one))).toEqual([]);
});
