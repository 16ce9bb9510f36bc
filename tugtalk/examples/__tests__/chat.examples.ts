/** The chats in Python, Go and Node as a user has them, and the input that reaches Claude. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { STAND_IN } from "../../testing/drivers/claudes.ts";
import { buildGo, CHATS, folder } from "./support/chats.ts";
import { EXAMPLES, endExamples, startExample } from "./support/example-process.ts";

const SIMULATOR = [...CHECKED_COMMAND, "simulate", "--speed=max"] as const;

afterEach(endExamples);
beforeAll(() => buildGo("chat"), 120_000);

/** The first turn of the demonstration up to its second piece of text, where Claude waits for ever. */
function heldConversation(): string {
  const demonstration = join(EXAMPLES, "..", "simulator", "scenarios", "demonstration.jsonl");
  const lines = readFileSync(demonstration, "utf8").split("\n");
  const second = lines.findIndex((line) => line.includes(" is the **demonstration**:"));
  const path = join(folder, "held.jsonl");
  const never = JSON.stringify({ dir: "in", msg: { type: "never" } });
  writeFileSync(path, [...lines.slice(0, second + 1), never].join("\n"));
  return path;
}

/** A bridge whose Claude stops in the middle of a text, as a command and its environment. */
const HELD = {
  command: [...CHECKED_COMMAND, `--claude=${STAND_IN}`, `--state-dir=${folder}`],
  env: { TUGTALK_CONVERSATION: heldConversation(), TUGTALK_SIM_SPEED: "max" },
} as const;

/** Claude's answers to prompts, as the bridge wrote them to it. */
function promptAnswers(lines: readonly Readonly<Record<string, unknown>>[]): unknown[] {
  return lines
    .filter(({ type }) => type === "control_response")
    .map(({ response }) => (response as { readonly response: unknown }).response);
}

/** Scenarios of the simulator with messages that a chat is not made for. */
const SCENARIOS = [
  "background",
  "compaction",
  "crash",
  "errors",
  "forms",
  "start-failure",
  "unknown",
];

const DENIED = { behavior: "deny" };

for (const [language, command] of Object.entries(CHATS)) {
  describe(`the chat in ${language}`, () => {
    test("shows texts and tools, and the user's answers to prompts and questions reach Claude", async () => {
      const chat = startExample([...command, ...SIMULATOR]);
      chat.type("hi", "tools", "y", "not this one", "a", "3", "1, 3", "more");
      chat.endInput();
      expect(await chat.ended).toBe(0);
      expect(chat.errors()).toBe("");
      const { text } = chat.output;
      expect(text).toStartWith("> # Welcome to tugtalk\n\nThis is the **demonstration**");
      expect(text.match(/Welcome to tugtalk/g)).toHaveLength(1);
      expect(text).toContain("\n* Write {");
      expect(text).toContain("\nMay Write run? Input: {");
      expect(text).toContain("\ny: yes; a: yes, and from here on [{");
      expect(text).toContain("  done: File created successfully");
      expect(text).toContain("  failed: not this one\n");
      expect(text).toContain("  1. English\n  2. French\n  3. Latin\n? ");
      expect(text).toContain("\n> I keep a list of what there is to do.\n");
      const answers = promptAnswers(chat.claudeGot());
      expect(answers).toHaveLength(4);
      expect(answers).toMatchObject([
        { behavior: "allow" },
        { ...DENIED, message: "not this one" },
        {
          behavior: "allow",
          updatedPermissions: [
            { type: "addRules" },
            { type: "addDirectories" },
            { type: "setMode" },
          ],
        },
        {
          behavior: "allow",
          updatedInput: {
            answers: {
              "Which language should the greeting use?": "Latin",
              "What should be checked before a release?": ["Types", "Format, lint"],
            },
          },
        },
      ]);
      expect(await chat.left()).toEqual([]);
    });

    test("shows a text while it streams, and Ctrl-C interrupts the turn, after which it goes on", async () => {
      const chat = startExample([...command, ...HELD.command], HELD.env);
      chat.type("hi");
      await chat.output.wait("Welcome to tugtalk\n\nThis is the **demonstration**:");
      expect(chat.processes().length).toBeGreaterThanOrEqual(3);
      chat.kill("SIGINT");
      chat.type("are you there?");
      chat.endInput();
      expect(await chat.ended).toBe(0);
      expect(chat.output.text).toContain("[the turn ended: cancelled, error_during_execution]\n> ");
      expect(chat.output.text).toContain("You said: are you there?");
      expect(chat.claudeGot()).toContainEqual(
        expect.objectContaining({
          type: "control_request",
          request: expect.objectContaining({ subtype: "interrupt" }),
        }),
      );
      expect(await chat.left()).toEqual([]);
    });

    test("refuses each prompt that nobody is there to answer", async () => {
      const chat = startExample([...command, ...SIMULATOR]);
      chat.type("hi", "tools");
      chat.endInput();
      expect(await chat.ended).toBe(0);
      const answers = promptAnswers(chat.claudeGot());
      expect(answers).toHaveLength(4);
      expect(answers).toMatchObject([DENIED, DENIED, DENIED, DENIED]);
    });

    test("prints the error of a bridge that finds no Claude, and ends with its exit code", async () => {
      const chat = startExample([...command, ...CHECKED_COMMAND, "--claude=/no/such/claude"]);
      expect(await chat.ended).toBe(1);
      expect(chat.errors()).toBe(
        "[claude_not_found: cannot start /no/such/claude: no such executable]\n",
      );
    });

    test("prints the error of a message that is refused, and goes on", async () => {
      const chat = startExample([...command, ...SIMULATOR]);
      chat.type("", "hi");
      chat.endInput();
      expect(await chat.ended).toBe(0);
      expect(chat.errors()).toBe("[message_rejected: the message is empty]\n");
      expect(chat.output.text).toContain("> > # Welcome");
    });

    test("says so when there is no such bridge", async () => {
      const chat = startExample([...command, "/no/such/bridge"]);
      expect(await chat.ended).toBe(1);
      expect(chat.errors()).toStartWith("cannot start the bridge: ");
    });

    for (const name of SCENARIOS)
      test(`reads all messages of the scenario ${name} and ends in order`, async () => {
        const chat = startExample([...command, ...SIMULATOR, name]);
        chat.type("one", "y", "two", "y");
        chat.endInput();
        // A bridge whose first Claude does not start ends with 1.
        expect(await chat.ended).toBe(name === "start-failure" ? 1 : 0);
        // Each line is an error of the bridge: none is one of the chat itself.
        expect(chat.errors()).toMatch(/^(\[[a-z_]+: .*\]\n)*$/);
      });

    test("leaves no process when it is killed in the middle of a turn", async () => {
      const chat = startExample([...command, ...HELD.command], HELD.env);
      chat.type("hi");
      await chat.output.wait("Welcome");
      expect(chat.processes().length).toBeGreaterThanOrEqual(3);
      chat.kill("SIGKILL");
      expect(await chat.left()).toEqual([]);
    });
  });
}
