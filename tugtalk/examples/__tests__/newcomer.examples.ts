/**
 * The path of a newcomer: the code blocks of README.md, as they are written and in their order. They
 * run on a fresh clone, in the environment of a machine that has Node and npm.
 */
import { afterEach, beforeAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Example, endExamples, startExample } from "./support/example-process.ts";
import { readersEnvironment, runToEnd } from "./support/recipe.ts";

afterEach(endExamples);

const ROOT = join(import.meta.dir, "..", "..", "..");
const folder = mkdtempSync(join(tmpdir(), "newcomer-"));
const home = join(folder, "home");
const clone = join(folder, "tugtalk");

/** Installing and packing need the registry and take most of a minute. */
const STEP_LIMIT_MS = 300_000;

/** A code block: commands, or a file whose first line is a comment that begins with its name. */
type Block = { readonly language: string; readonly text: string };

/** The code blocks under a heading of a document in the clone. */
function blocksUnder(heading: string, path = "README.md"): Block[] {
  const text = readFileSync(join(clone, path), "utf8");
  const [, section = ""] = text.split(`\n## ${heading}\n`);
  const blocks = (section.split("\n## ")[0] ?? "").matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language = "", text = ""]) => ({ language, text }));
}

/** Runs commands in a shell; an error ends them. */
function startShell(commands: string, cwd: string): Example {
  return startExample(["sh", "-e", "-c", commands], readersEnvironment(home), cwd);
}

/** Runs commands to their end and returns the folder that they end in. */
function run(commands: string, cwd: string) {
  return runToEnd(commands, join(folder, "place"), (whole) => startShell(whole, cwd));
}

beforeAll(async () => {
  mkdirSync(home);
  // The clone may belong to somebody else than the tests.
  writeFileSync(join(home, ".gitconfig"), "[safe]\n\tdirectory = *\n");
  await run(`git clone --quiet "${ROOT}" "${clone}"`, folder);
}, STEP_LIMIT_MS);

test(
  "the first line of README.md sets up a clone and starts the host, whose link signs a browser in and which Ctrl-C ends",
  async () => {
    const [first] = blocksUnder("Run it");
    expect(first?.text).toBe("npm install && npm start\n");
    const shell = startShell(first?.text ?? "", clone);
    await shell.output.wait("No claude was found: new sessions play the simulator.");
    const [link = ""] = shell.output.text.match(/http:\S+/) ?? [];
    expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
    const [, data = ""] = shell.output.text.match(/^Token for scripts: (.*)\/token$/m) ?? [];
    process.kill(JSON.parse(readFileSync(join(data, "host.json"), "utf8")).pid, "SIGINT");
    expect(await shell.ended).toBe(0);
    expect(await shell.left()).toEqual([]);
  },
  STEP_LIMIT_MS,
);

test(
  "the second line of README.md, with simulate, plays the demonstration in a terminal",
  async () => {
    const [, second] = blocksUnder("Run it");
    expect(second?.text).toBe("npm run chat\n");
    const shell = startShell(`${second?.text.trimEnd()} -- simulate\n`, clone);
    shell.type("hello");
    shell.endInput();
    expect(await shell.ended).toBe(0);
    expect(shell.output.text).toContain("Welcome to tugtalk");
    expect(await shell.left()).toEqual([]);
  },
  STEP_LIMIT_MS,
);

test(
  "the blocks of README.md lead to a host of 40 lines that streams an answer and answers a prompt, to a page and to a tool",
  async () => {
    const blocks = blocksUnder("Your first host");
    expect(blocks.map(({ language }) => language)).toEqual(["sh", "sh", "js", "sh"]);
    const [install, list, host, start] = blocks.map(({ text }) => text);
    const { cwd } = await run(install ?? "", clone);
    expect(cwd).toBe(join(folder, "my-host"));
    expect((await run(list ?? "", cwd)).output).toContain("demonstration");
    const [, name = ""] = host?.match(/^\/\/ ([\w.]+): /) ?? [];
    expect(host?.trimEnd().split("\n").length).toBeLessThanOrEqual(40);
    writeFileSync(join(cwd, name), host ?? "");
    await talkToHost(startShell(start ?? "", cwd));
    await printPage(cwd);
    await callTool(cwd);
    await tryPackedExamples(cwd);
  },
  STEP_LIMIT_MS,
);

/** The page of the next section prints a turn. */
async function printPage(cwd: string): Promise<void> {
  const [page, start] = blocksUnder("Your first page").map(({ text }) => text);
  writeFileSync(join(cwd, "page.mjs"), page ?? "");
  expect((await run(start ?? "", cwd)).output).toBe(
    "user: hi\ntext: I can read and change files, run commands, and search the web.\ncost: $0.00354\n",
  );
}

/** The simulator calls the tool of the examples, and a hook refuses its command. */
async function callTool(cwd: string): Promise<void> {
  const blocks = blocksUnder("Your first tool", "tugtalk/examples/README.md");
  const [tools, start] = blocks.map(({ text }) => text);
  writeFileSync(join(cwd, "tools.mjs"), tools ?? "");
  expect((await run(start ?? "", cwd)).output).toBe(
    "* Bash: PreToolUse:Bash hook error: not here: date\n" +
      "* mcp__host__level: 2.4 at some place\nThat was all.\n",
  );
}

/** Without arguments, the chats of the installed package start the simulator of that package. */
async function tryPackedExamples(cwd: string): Promise<void> {
  for (const chat of ["python3 chat.py", "node chat.mjs", "go run chat.go"]) {
    const command = chat.replace("chat.", "node_modules/tugtalk/tugtalk/examples/chat.");
    const shell = startShell(command, cwd);
    shell.type("hi");
    shell.endInput();
    // npm may have written warnings to stderr, so only the exit code shows success.
    expect({ chat, exitCode: await shell.ended }).toEqual({ chat, exitCode: 0 });
    expect(shell.output.text).toStartWith("> # Welcome to tugtalk");
    expect(await shell.left()).toEqual([]);
  }
}

/** The user of the host answers its prompts as they come. */
async function talkToHost(host: Example): Promise<void> {
  for (const [prompt, answer] of [
    ["May Write run with", "y"],
    ["May Edit run with", "n"],
    ["May Bash run with", "y"],
    ["Which language should the greeting use?", "Latin"],
    ["What should be checked before a release?", "Tests"],
  ] as const) {
    await host.output.wait(prompt);
    host.type(answer);
  }
  expect(await host.ended).toBe(0);
  expect(host.errors()).toBe("");
  // The host prints only the pieces of a text, so a shown text has been streamed.
  expect(host.output.text.match(/# Welcome to tugtalk\n\nThis is the \*\*demo/g)).toHaveLength(1);
  expect(host.output.text).toContain("Thank you, noted.");
  const answers = host.claudeGot().filter(({ type }) => type === "control_response");
  expect(answers.map(({ response }) => response)).toMatchObject([
    { response: { behavior: "allow" } },
    { response: { behavior: "deny" } },
    { response: { behavior: "allow" } },
    {
      response: {
        updatedInput: { answers: { "Which language should the greeting use?": "Latin" } },
      },
    },
  ]);
  expect(await host.left()).toEqual([]);
}
