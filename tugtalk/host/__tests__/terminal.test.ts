/** The terminal as a process: lines in, text out, against a stand-in for the bridge. */
import { afterEach, expect, test } from "bun:test";

const TERMINAL = `${import.meta.dir}/../terminal.ts`;
const FAKE_BRIDGE = `${import.meta.dir}/support/fake-bridge.ts`;
const NOTICE =
  "Claude: x (another: --claude <command>; a demonstration without an account: --demo)\n";
const START = `${NOTICE}session session-1 (new)\n`;
const CTRL_C = "\u0003";
const CTRL_D = "\u0004";

type Options = { readonly args?: readonly string[]; readonly env?: Record<string, string> };

const stopAll: (() => void)[] = [];
afterEach(() => {
  for (const stop of stopAll.splice(0)) stop();
});

function command(args: readonly string[] = ["--claude", "x"]): string[] {
  return [process.execPath, TERMINAL, ...args];
}

/** Our environment without what a developer may have set in it for tugtalk. */
function environment(env: Record<string, string> = {}) {
  const { TUGTALK_CLAUDE: _claude, TUGTALK_CONVERSATION: _file, NO_COLOR: _, ...own } = process.env;
  return { ...own, TUGTALK_BRIDGE: FAKE_BRIDGE, TERM: "xterm", ...env };
}

/** Output that can be waited for. What was waited for is used up. */
class Output {
  #text = "";
  #used = 0;
  #arrived = Promise.withResolvers<void>();

  add(chunk: string): void {
    this.#text += chunk;
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers<void>();
  }

  get text(): string {
    return this.#text;
  }

  /** Resolves when the text has come. A test that waits in vain fails by its own time limit. */
  async wait(text: string): Promise<void> {
    for (;;) {
      const index = this.#text.indexOf(text, this.#used);
      if (index !== -1) {
        this.#used = index + text.length;
        return;
      }
      await this.#arrived.promise;
    }
  }
}

/** The terminal with pipes for stdin and stdout, as in a script. */
function startPiped({ args, env }: Options = {}) {
  const child = Bun.spawn(command(args), {
    stdio: ["pipe", "pipe", "inherit"],
    env: environment(env),
  });
  stopAll.push(() => child.kill("SIGKILL"));
  const output = new Output();
  const allRead = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of child.stdout) output.add(decoder.decode(chunk, { stream: true }));
  })();
  const ended = allRead.then(() => child.exited);
  return { child, output, ended };
}

/** Gives a script all its lines at once, as a shell does; returns what it printed and its code. */
async function runScript(lines: readonly string[], options?: Options) {
  const { child, output, ended } = startPiped(options);
  child.stdin.write(lines.map((line) => `${line}\n`).join(""));
  child.stdin.end();
  const exitCode = await ended;
  return { text: output.text, exitCode };
}

/** The terminal in a real pseudo-terminal, as a person has it. */
function startInteractive() {
  const output = new Output();
  const decoder = new TextDecoder();
  const child = Bun.spawn(command(), {
    env: environment(),
    terminal: {
      cols: 120,
      rows: 40,
      data: (_terminal, chunk) => output.add(decoder.decode(chunk, { stream: true })),
    },
  });
  stopAll.push(() => child.kill("SIGKILL"));
  const type = (text: string) => child.terminal?.write(text);
  return { child, output, type };
}

function cost(turns: number): string {
  return `cost: $0.0100 this turn, $0.0${turns}00 in total\n`;
}

const ALWAYS = '{"type":"setMode","mode":"acceptEdits","destination":"session"}';
const ASKED = `* Write(file_path: "/a.txt", content: "one\\ntwo")
Claude wants to use Write
  file_path: /a.txt
  content:
    one
    two
Allow? y / a (always: ${ALWAYS}) / n <reason>
`;
const DIFF = "  @@ -1,2 +1,2 @@\n   a\n  -b\n  +c\n";
const HELLO = "thinking: Let me see.\nHello, world.\n";

test("a script's messages wait for one another, and its end waits for the last", async () => {
  const { text, exitCode } = await runScript(["hello", "", "hello"]);
  expect(text).toBe(START + HELLO + cost(1) + HELLO + cost(2));
  expect(exitCode).toBe(0);
});

test("no input at all ends at once", async () => {
  expect(await runScript([])).toEqual({ text: START, exitCode: 0 });
});

test("the last line counts without a line end", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("hello");
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(output.text).toBe(START + HELLO + cost(1));
});

for (const [line, told] of [
  ["y", '"decision":"allow"'],
  ["a", '"decision":"allow","updatedPermissions":[{"type":"setMode"'],
  ["n not now", '"decision":"deny","message":"not now"'],
] as const) {
  test(`a script answers a permission prompt with "${line}"`, async () => {
    const { text } = await runScript(["edit", line, "hello"]);
    expect(text).toContain(told);
    expect(text).toStartWith(START + ASKED);
    expect(text).toEndWith(DIFF + cost(1) + HELLO + cost(2));
  });
}

test("an unclear answer is asked for again", async () => {
  const { text } = await runScript(["edit", "perhaps", "y"]);
  expect(text).toContain("\ny / a / n <reason>\n");
  expect(text).toContain('"decision":"allow"');
});

test("a prompt that nobody can answer is refused", async () => {
  const { text, exitCode } = await runScript(["edit"]);
  expect(text).toContain('"decision":"deny","message":"Nobody is there to answer."');
  expect(text).toEndWith(cost(1));
  expect(exitCode).toBe(0);
});

test("questions are asked one by one and answered by number or in words", async () => {
  const { text } = await runScript(["question", "7", "2", "1, 3", "question", "Mauve", "2"]);
  expect(text).toContain(
    "Colour: Which colour?\n  1. Red - warm\n  2. Blue\nAnswer: a number (1 to 2) or your own words\n",
  );
  expect(text).toContain('{"Which colour?":"Blue","Which sizes?":["S","L, or larger"]}');
  expect(text).toContain('{"Which colour?":"Mauve","Which sizes?":["M"]}');
});

test("an answer that the bridge refuses is asked for again", async () => {
  const { text } = await runScript(["riddle", "y", "n"]);
  const asked = "Claude wants to use AskUserQuestion\n  odd: true\nAllow? y / n <reason>\n";
  const refused = "error bad_message: the wrong kind of answer\n";
  expect(text).toStartWith(START + asked + refused + asked);
  expect(text).toContain('"decision":"deny"');
  expect(text).toEndWith(cost(1));
});

test("a prompt that is withdrawn is asked no more", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("withdraw\n");
  await output.wait("Allow? y / n <reason>\n(no answer needed: withdrawn)\n");
  await output.wait(cost(1));
  child.stdin.write("hello\n");
  child.stdin.end();
  await ended;
  expect(output.text).toEndWith(HELLO + cost(2));
});

test("what a subagent does is indented", async () => {
  const { text } = await runScript(["subagent"]);
  expect(text).toContain('\n  I look\n  around.\n  * Read(file_path: "/a.txt")\nDone.\n');
});

test("a message that is refused does not stop a script", async () => {
  const { text } = await runScript(["refuse", "no such scene", "fail", "hello"]);
  expect(text).toBe(
    `${START}error queue_full: the queue is full\nerror message_rejected: no such scene\n` +
      `${cost(1).replace("0.0100 in", "0.0200 in")}turn failed: error_max_turns\n` +
      HELLO +
      cost(3),
  );
});

test("it ends with the exit code of its bridge", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("die\n"); // Its stdin stays open: the end of the bridge is enough.
  expect(await ended).toBe(1);
  expect(output.text).toEndWith("error claude_not_found: cannot start claude: not on PATH\n");
});

test("SIGINT interrupts the turn that runs", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("wait\n");
  await output.wait("waiting\n");
  child.kill("SIGINT");
  await output.wait(`${cost(1)}(interrupted)\n`);
  child.stdin.write("hello\n");
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(output.text).toEndWith(HELLO + cost(2));
});

test("SIGINT ends when no turn runs", async () => {
  const { child, output, ended } = startPiped();
  await output.wait("session session-1 (new)\n");
  child.kill("SIGINT");
  expect(await ended).toBe(0);
});

test("a bridge that cannot start is no crash", async () => {
  const { text, exitCode } = await runScript(["hello"], { env: { TUGTALK_BRIDGE: "/nowhere.ts" } });
  expect(text).toBe(NOTICE);
  expect(exitCode).toBe(1);
});

test("SIGTERM ends the turn that runs in good order", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("wait\n");
  await output.wait("waiting\n");
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
  expect(output.text).toEndWith("turn ended: shutdown\nClaude ended before it answered\n");
});

test("the folder and the command reach the bridge", async () => {
  const { text } = await runScript(["arguments"], { args: ["--dir", "/d", "--claude", "x"] });
  expect(text).toContain('\n["--dir","/d","--claude","x",null]\n');
});

for (const [sentence, options] of [
  ["--demo chooses the demonstration", { args: ["--demo"] }],
  ["without a claude on PATH there is the demonstration", { args: [], env: { PATH: "/nowhere" } }],
] as const) {
  test(sentence, async () => {
    const { text } = await runScript(["arguments"], options);
    expect(text).toStartWith("Claude: the built-in demonstration, not the real one (");
    expect(text).toMatch(/"--claude","[^"]*simulator\/claude\.ts","[^"]*demonstration\.jsonl"\]/);
  });
}

test("TUGTALK_CLAUDE names the command where no flag does", async () => {
  const { text } = await runScript([], { args: [], env: { TUGTALK_CLAUDE: "y" } });
  expect(text).toStartWith("Claude: y (");
});

test("a person's Ctrl-C interrupts the turn and does not reach the bridge", async () => {
  const { child, output, type } = startInteractive();
  await output.wait("> ");
  type("wait\r");
  await output.wait("waiting");
  type(CTRL_C);
  await output.wait("(interrupted)");
  await output.wait("> ");
  type("hello\r");
  await output.wait("0.0200 in total");
  await output.wait("> ");
  type(CTRL_C);
  expect(await child.exited).toBe(0);
});

test("a second Ctrl-C ends a turn that does not obey", async () => {
  const { child, output, type } = startInteractive();
  await output.wait("> ");
  type("hang\r");
  await output.wait("deaf");
  type(CTRL_C);
  type(CTRL_C);
  await output.wait("turn ended: shutdown");
  expect(await child.exited).toBe(0);
});

test("a person's Ctrl-D ends", async () => {
  const { child, output, type } = startInteractive();
  await output.wait("> ");
  type(CTRL_D);
  expect(await child.exited).toBe(0);
});

test("a person sees colours and is asked", async () => {
  const { child, output, type } = startInteractive();
  await output.wait("> ");
  type("edit\r");
  await output.wait("\u001b[33mAllow? y");
  await output.wait("> ");
  type("y\r");
  await output.wait("\u001b[32m  +c\u001b[0m");
  await output.wait("> ");
  type(CTRL_D);
  expect(await child.exited).toBe(0);
});
