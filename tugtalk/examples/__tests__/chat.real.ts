/** The chats with the real CLI and a scripted API: a tool that runs, a tool that is refused, a question. */
import { afterEach, beforeAll, expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { callTool, question } from "../../testing/real/real-replies.ts";
import { realTests } from "../../testing/real/real-tests.ts";
import { buildGo, CHATS } from "./support/chats.ts";
import { endExamples, startExample } from "./support/example-process.ts";

afterEach(endExamples);
beforeAll(() => buildGo("chat"), 120_000);

const test = realTests("2.1.330");

for (const [language, command] of Object.entries(CHATS))
  test(`the chat in ${language} streams its answers, and it obeys the user's`, async (place) => {
    const { home, api, claude } = place;
    api.script(
      { content: [{ type: "text", text: "Hello there.", pieces: ["Hello ", "there."] }] },
      callTool("Bash", { command: "touch allowed.txt" }),
      callTool("Bash", { command: "touch refused.txt" }),
      callTool("AskUserQuestion", { questions: [question("Which colour?", ["Red", "Blue"])] }),
      "All done.",
    );
    const bridge = [...CHECKED_COMMAND, `--claude=${claude}`, `--dir=${home.project}`];
    const chat = startExample([...command, ...bridge], home.environment(api.url), home.root);
    chat.type("hi", "tools", "y", "not this one", "2");
    chat.endInput();
    expect(await chat.ended).toBe(0);
    expect(chat.errors()).toBe("");
    expect(chat.output.text).toStartWith("> Hello there.\n> * Bash ");
    expect(chat.output.text).toContain("  failed: not this one\n");
    expect(chat.output.text).toContain('"Which colour?"="Blue"');
    expect(chat.output.text).toEndWith("All done.\n> ");
    expect(existsSync(join(home.project, "allowed.txt"))).toBe(true);
    expect(existsSync(join(home.project, "refused.txt"))).toBe(false);
    expect(await chat.left()).toEqual([]);
  });
