/** The terminal as a person has it, in a real pseudo-terminal, against a stand-in for the bridge. */
import { afterEach, expect, test } from "bun:test";
import { endTerminals, startInteractive } from "./support/terminal-process.ts";

afterEach(endTerminals);

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const CTRL_U = "\u0015";
const UP = "\u001b[A";
/** The row of input is empty, and nothing runs. */
const IDLE = "> \u001b[3G";
const ASKING = "? \u001b[3G";

/** What was printed, row by row, as a terminal of this width shows it. Knows what the host sends. */
class Screen {
  readonly rows = [""];
  #row = 0;
  #column = 0;

  constructor(text: string) {
    for (const part of text.split("\u001b[")) {
      const [, count = "", final = "", plain = part] =
        /^([?\d;]*)([A-Za-z])(.*)$/s.exec(part) ?? [];
      this.#control(final, Number(count) || 1);
      for (const character of plain) this.#write(character);
    }
  }

  #control(final: string, count: number): void {
    if (final === "A") this.#row -= count;
    if (final === "G") this.#column = count - 1;
    if (final !== "J") return;
    this.rows.length = this.#row + 1;
    this.rows[this.#row] = (this.rows[this.#row] ?? "").slice(0, this.#column);
  }

  #write(character: string): void {
    if (character === "\r") this.#column = 0;
    else if (character === "\n") this.#row += 1;
    else {
      const row = (this.rows[this.#row] ?? "").padEnd(this.#column);
      this.rows[this.#row] = row.slice(0, this.#column) + character + row.slice(this.#column + 1);
      this.#column += 1;
    }
    this.rows[this.#row] ??= "";
  }
}

test("a person's Ctrl-C interrupts the turn and does not reach the bridge", async () => {
  const { child, output, type } = startInteractive();
  await output.wait(IDLE);
  type("wait\r");
  await output.wait("waiting");
  type(CTRL_C);
  await output.wait("(interrupted)");
  await output.wait(IDLE);
  type("hello\r");
  await output.wait("0.0200 in total");
  await output.wait(IDLE);
  type(CTRL_C);
  expect(await child.exited).toBe(0);
});

test("a second Ctrl-C ends a turn that does not obey", async () => {
  const { child, output, type } = startInteractive();
  await output.wait(IDLE);
  type("hang\r");
  await output.wait("deaf");
  type(CTRL_C);
  type(CTRL_C);
  await output.wait("turn ended: shutdown");
  expect(await child.exited).toBe(0);
});

test("Ctrl-C empties a line that was begun, and does not end", async () => {
  const { output, type } = startInteractive();
  await output.wait("session-1");
  type("hellos");
  await output.wait("> hellos");
  type(CTRL_C);
  await output.wait(IDLE);
  type("hello\r");
  await output.wait("0.0100 in total");
});

test("/exit ends while a prompt is open", async () => {
  const { child, output, type } = startInteractive();
  await output.wait(IDLE);
  type("question\r");
  await output.wait(ASKING);
  type("/exit\r");
  expect(await child.exited).toBe(0);
});

for (const [name, typed] of [
  ["Ctrl-D", CTRL_D],
  ["/exit", "/exit\r"],
] as const) {
  test(`a person's ${name} ends`, async () => {
    const { child, output, type } = startInteractive();
    await output.wait("session-1");
    type(typed);
    expect(await child.exited).toBe(0);
  });
}

test("a person sees colours and is asked", async () => {
  const { child, output, type } = startInteractive();
  await output.wait(IDLE);
  type("edit\r");
  await output.wait("\u001b[33mAllow it?");
  await output.wait(ASKING);
  type("y\r");
  await output.wait("\u001b[32m  +c\u001b[0m");
  await output.wait(IDLE);
  type(CTRL_D);
  expect(await child.exited).toBe(0);
});

test("words at a permission prompt grant nothing", async () => {
  const { output, type } = startInteractive();
  await output.wait(IDLE);
  type("edit\r");
  await output.wait(ASKING);
  type("a different name would be better\r");
  await output.wait("That is not one of the answers: y / a / n / n <reason>");
  type("n a different name\r");
  await output.wait('"decision":"deny","message":"a different name"');
});

test("a line that was begun before a prompt appeared is no answer to it", async () => {
  const { output, type } = startInteractive();
  await output.wait(IDLE);
  type("ask\r");
  await output.wait("thinking about it");
  // The prompt appears while a `y` stands there that was meant as the beginning of a message.
  type("continue\ry");
  await output.wait("is no answer to this");
  type("es\r");
  // It is a message, which this bridge refuses in a turn; the prompt stays open.
  await output.wait('error message_rejected: no such scene: "yes"');
  await output.wait(ASKING);
  type("n\r");
  await output.wait('"decision":"deny"');
});

test("a line that was begun before a prompt and cleared leaves an answer of its own", async () => {
  const { output, type } = startInteractive();
  await output.wait(IDLE);
  type("ask\r");
  await output.wait("thinking about it");
  type("continue\rhurr");
  await output.wait("is no answer to this");
  type(CTRL_U);
  type("y\r");
  await output.wait('"decision":"allow"');
});

test("an answer that comes when its prompt is gone is not sent as a message", async () => {
  const { output, type } = startInteractive();
  await output.wait(IDLE);
  type("edit\r");
  await output.wait(ASKING);
  type("y");
  await output.wait("? y");
  type(CTRL_C);
  await output.wait("(interrupted)");
  type("\r");
  await output.wait("(not sent: what it answers is not asked any more)");
});

test("a pasted text of several lines is one message", async () => {
  const { output, type } = startInteractive();
  await output.wait(IDLE);
  type("\u001b[200~hello\rthere\r\n\tyou\u001b[201~");
  await output.wait("hello⏎there⏎ you");
  type("\r");
  // The bridge knows no such scene; what counts is that it is refused once.
  await output.wait('error message_rejected: no such scene: "hello\\nthere\\n\\tyou"');
});

test("the text that streams is shown before its line is finished", async () => {
  const { output, type } = startInteractive();
  await output.wait(IDLE);
  type("lines\r");
  await output.wait("The second");
  type("continue\r");
  await output.wait("The third line.");
});

test("typing, Up and a resize while text streams leave what was printed as it is", async () => {
  const { output, type, terminal } = startInteractive();
  await output.wait("session-1");
  type("lines\r");
  await output.wait("The second");
  type("some words");
  await output.wait("> some words");
  type(UP);
  await output.wait("> lines");
  for (const columns of [60, 100, 41, 120]) {
    terminal.resize(columns, 40);
    await output.wait("> lines");
  }
  type(`${CTRL_U}continue\r`);
  await output.wait("0.0100 in total");
  await output.wait(IDLE);
  const { rows } = new Screen(output.text);
  expect(rows.slice(rows.indexOf("> lines"))).toEqual([
    "> lines",
    "The first line.",
    "> continue",
    "The second line.",
    "The third line.",
    "cost: $0.0100 this turn, $0.0100 in total",
    "> ",
  ]);
});
