/** The terminal as a script has it: lines in by a pipe, text out, against a stand-in for the bridge. */
import { afterEach, expect, test } from "bun:test";
import { endTerminals, runScript, startPiped, startUnread } from "./support/terminal-process.ts";

afterEach(endTerminals);

const NOTICE = "Claude: x (a demonstration without an account: --demo; help: /help)\n";
const START = `${NOTICE}session session-1 (new)\n`;

function cost(turns: number): string {
  return `cost: $0.0100 this turn, $0.0${turns}00 in total\n`;
}

const ASKED = `* Write(file_path: "/a.txt", content: "one\\ntwo")
Claude wants to use Write
  file_path: /a.txt
  (a new file, or one that cannot be read here:)
  @@ -1 +1 @@
  +one
  +two
Allow it? Answer with one of:
  y   yes, this once
  a   yes, and switch to the permission mode Accept edits (Claude edits files of the project without asking) for this session
  n   no; or n and a reason, which Claude is told
`;
const ANSWERS = `Allow it? Answer with one of:
  y   yes, this once
  n   no; or n and a reason, which Claude is told
`;
const DIFF = "  @@ -1 +1 @@\n   a\n  -b\n  +c\n";
const HELLO = "thinking: Let me see.\nHello, world.\n";

test("a script's messages wait for one another, and its end waits for the last", async () => {
  const { text, exitCode } = await runScript(["hello", "", "hello"]);
  expect(text).toBe(START + HELLO + cost(1) + HELLO + cost(2));
  expect(exitCode).toBe(0);
});

test("no input at all ends at once", async () => {
  expect(await runScript([])).toEqual({ text: START, errors: "", exitCode: 0 });
});

test("the last line counts without a line end", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("hello");
  child.stdin.end();
  expect(await ended).toBe(0);
  expect(output.text).toBe(START + HELLO + cost(1));
});

for (const [line, answer] of [
  ["y", '"decision":"allow"'],
  ["a", '"decision":"allow","updatedPermissions":[{"type":"setMode"'],
  ["n not now", '"decision":"deny","message":"not now"'],
] as const) {
  test(`a script answers a permission prompt with "${line}"`, async () => {
    const { text } = await runScript(["edit", line, "hello"]);
    expect(text).toContain(answer);
    expect(text).toStartWith(START + ASKED);
    expect(text).toEndWith(DIFF + cost(1) + HELLO + cost(2));
  });
}

test("an unclear answer is asked for again", async () => {
  const { text } = await runScript(["edit", "perhaps", "y"]);
  expect(text).toContain("\nThat is not one of the answers: y / a / n / n <reason>\n");
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
  const { text } = await runScript(["picky", "y", "n"]);
  const asked = `Claude wants to use Bash\n  command: ls\n${ANSWERS}`;
  const refused = "error bad_message: the wrong kind of answer\n";
  expect(text).toStartWith(START + asked + refused + asked);
  expect(text).toContain('"decision":"deny"');
});

test("a question that cannot be read can only be refused", async () => {
  const { text } = await runScript(["riddle", "y", "n"]);
  expect(text).toContain("That is not one of the answers: n / n <reason>\n");
  expect(text).toContain('"decision":"deny"');
});

test("a prompt that is withdrawn is asked no more", async () => {
  const { child, output, ended } = startPiped();
  child.stdin.write("withdraw\n");
  await output.wait(`${ANSWERS}(no answer needed: withdrawn)\n`);
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
  const { text } = await runScript(["refuse", "riddles", "fail", "hello"]);
  expect(text).toBe(
    `${START}error queue_full: the queue is full\nerror message_rejected: no such scene: "riddles"\n` +
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
  expect(text).toBe("");
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
  expect(text).toContain('\n["--dir=/d","--claude=x"]\n');
});

test("--demo chooses the demonstration", async () => {
  const { text } = await runScript(["arguments"], { args: ["--demo"] });
  expect(text).toStartWith("Claude: the built-in demonstration, not the real one (");
  expect(text).toMatch(DEMO_ARGUMENTS);
});

test("where the bridge finds no claude there is the demonstration", async () => {
  const env = { FAKE_BRIDGE: "no claude" };
  const { text, exitCode } = await runScript(["arguments"], { args: [], env });
  expect(text).toStartWith("Claude: the built-in demonstration, not the real one (no claude");
  expect(text).toMatch(DEMO_ARGUMENTS);
  expect(exitCode).toBe(0);
});

test("a claude that was named and does not exist is an error, not a demonstration", async () => {
  const env = { TUGTALK_BRIDGE: undefined };
  for (const options of [
    { args: ["--claude", "/nowhere/claude"], env },
    { args: [], env: { ...env, TUGTALK_CLAUDE: "/nowhere/claude" } },
  ]) {
    const { text, exitCode } = await runScript(["hello"], options);
    expect(text).toContain("error claude_not_found: cannot start /nowhere/claude");
    expect(exitCode).toBe(1);
  }
});

test("the search for claude is left to the bridge", async () => {
  const { text } = await runScript(["arguments"], { args: ["--dir", "/d"] });
  expect(text).toContain('\n["--dir=/d"]\n');
});

const DEMO_ARGUMENTS = /\["simulate","--dir=[^"]*"\]/;

test("TUGTALK_CLAUDE names the command where no flag does", async () => {
  const { text } = await runScript([], { args: [], env: { TUGTALK_CLAUDE: "y" } });
  expect(text).toStartWith("Claude: y (");
});

for (const [args, init] of [
  [[], { session: { mode: "new" } }],
  [["--continue"], { session: { mode: "continue" } }],
  [["--resume"], { session: { mode: "resume" } }],
  [
    ["--resume", "0199c0de-0000-4000-8000-000000000001"],
    { session: { mode: "resume", session_id: "0199c0de-0000-4000-8000-000000000001" } },
  ],
  [["--model", "opus"], { model: "opus" }],
  [["--dialog", "a", "--dialog=b"], { options: { dialogs: ["a", "b"] } }],
] as const) {
  test(`the flags ${JSON.stringify(args)} ask the bridge for ${JSON.stringify(init)}`, async () => {
    const { text } = await runScript(["init"], { args: ["--claude", "x", ...args] });
    const sent = /^\{"type":"protocol_init".*$/m.exec(text)?.[0] ?? "{}";
    expect(JSON.parse(sent)).toMatchObject(init);
  });
}

for (const flag of ["--help", "-h"]) {
  test(`${flag} prints the usage and starts nothing`, async () => {
    const { text, errors, exitCode } = await runScript([], { args: [flag] });
    expect(text).toStartWith("Claude Code in your terminal");
    expect({ errors, exitCode }).toEqual({ errors: "", exitCode: 0 });
  });
}

for (const args of [
  ["--wrong"],
  ["--dir"],
  ["word"],
  ["--resume", "1"],
  ["--resume", "--continue"],
  ["--demo=yes"],
]) {
  test(`the wrong flags ${JSON.stringify(args)} print what is wrong and the usage`, async () => {
    const { text, errors, exitCode } = await runScript([], { args });
    expect(errors).toContain("\n\nClaude Code in your terminal");
    expect(errors).not.toContain("    at ");
    expect({ text, exitCode }).toEqual({ text: "", exitCode: 2 });
  });
}

test("/help says what may be typed and is not sent to Claude", async () => {
  const { text } = await runScript(["/help", "hello"]);
  expect(text).toContain("\n/help   this text\n/exit   end");
  expect(text).toEndWith(HELLO + cost(1));
});

test("/exit ends before the lines that follow it", async () => {
  expect(await runScript(["hello", "/exit", "hello"])).toMatchObject({
    text: START + HELLO + cost(1),
    exitCode: 0,
  });
});

test("a script answers an elicitation, field by field", async () => {
  const { text } = await runScript(["elicit", "y", "Ada"]);
  expect(text).toContain("The MCP server tide asks: Who?\n  name\nDo you answer? y / n\n");
  expect(text).toContain('"action":"accept","content":{"name":"Ada"}');
});

test("an elicitation and a dialog that nobody can answer are refused", async () => {
  expect((await runScript(["elicit"])).text).toContain('"action":"decline"');
  expect((await runScript(["dialog"])).text).toContain('"behavior":"cancelled"');
});

test("a script answers a dialog", async () => {
  const { text } = await runScript(["dialog", "y", "7"]);
  expect(text).toContain('"behavior":"completed"');
  expect(text).toContain('"result":7');
});

test("a script whose output nobody reads any more ends, although its input stays open", async () => {
  const shell = startUnread();
  shell.stdin.write("hello\nhello\nwait\n");
  expect(await shell.exited).toBe(0);
  expect(await new Response(shell.stdout).text()).toBe(NOTICE);
});
