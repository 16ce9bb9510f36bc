/** The chats with the real CLI, whose API is scripted: a tool that runs, one that is refused, a question. */
import { afterEach, beforeAll, describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { callTool, openRealPlace, type RealPlace } from "../../testing/real/real-session.ts";
import { REAL_TIMEOUT_MS } from "../../testing/real/real-shared-session.ts";
import { buildGoChat, CHATS } from "./support/chats.ts";
import { endExamples, startExample } from "./support/example-process.ts";

const QUESTION = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [
    { label: "Red", description: "warm" },
    { label: "Blue", description: "cold" },
  ],
};

let place: RealPlace;
afterEach(async () => {
  await endExamples();
  await place.close();
});
beforeAll(buildGoChat, 120_000);

for (const version of ["2.1.38", "2.1.330"])
  describe(`claude ${version}`, () => {
    test.each(Object.entries(CHATS))(
      "the chat in %s streams its answers, and it obeys the user's",
      async (_language, command) => {
        place = await openRealPlace(version);
        const { home, api, claude } = place;
        api.script(
          { content: [{ type: "text", text: "Hello there.", pieces: ["Hello ", "there."] }] },
          callTool("Bash", { command: "touch allowed.txt" }),
          callTool("Bash", { command: "touch refused.txt" }),
          callTool("AskUserQuestion", { questions: [QUESTION] }),
          { content: [{ type: "text", text: "All done." }] },
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
      },
      REAL_TIMEOUT_MS,
    );
  });
