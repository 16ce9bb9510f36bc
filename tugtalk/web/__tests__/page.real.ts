/** The page with real CLIs: the main flows, in Chromium, through a real host and bridge. One host a version. */
import { afterAll, expect } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { endBrowser, TestBrowser } from "../../testing/drivers/browser.ts";
import type { NewTestSession } from "../../testing/drivers/host-process.ts";
import { callTool, holdReply, question } from "../../testing/real/real-replies.ts";
import { conversationSent, newestBody, newestMessages } from "../../testing/real/real-requests.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { hostIn, inOnePlace } from "../../testing/real/real-tests.ts";
import { readValue } from "./support/shown.ts";

const browsers: TestBrowser[] = [];
afterAll(async () => {
  expect(browsers.flatMap(({ problems }) => problems)).toEqual([]);
  await endBrowser();
});

async function open(place: RealPlace) {
  const { host, api } = await hostIn(place);
  const browser = await TestBrowser.open(host);
  browsers.push(browser);

  /** A new session that a person has open. */
  const visit = async (fields: NewTestSession = {}) => {
    const session = await host.createSession(fields);
    const page = await browser.tab(session.id);
    const composer = page.getByRole("textbox", { name: "Message", exact: true });
    const button = (name: RegExp) => page.getByRole("button", { name }).first();
    const shows = (text: string) => page.getByText(text, { exact: true }).first().waitFor();
    const type = async (text: string) => {
      await composer.fill(text);
      await composer.press("Enter");
    };
    const say = async (text: string, ...script: readonly ScriptEntry[]) => {
      api.script(...script);
      await type(text);
    };
    const exchange = async (text: string, reply: string) => {
      await say(text, reply);
      await shows(reply);
    };
    return { session, page, composer, button, shows, type, say, exchange };
  };
  return { visit, api };
}

const stop = (page: Page) => page.getByRole("button", { name: "Stop", exact: true });

const make = (name: string) =>
  callTool("Bash", { command: `touch ${name}`, description: "Make a file" });

inOnePlace(["2.1.197", "2.1.330"], open, (test, version) => {
  test("a message is answered on the page while the model still writes", async ({ visit }) => {
    const { page, say, shows } = await visit();
    const held = holdReply("The weir is", " far away.");
    await say("Tell me of the weir", held.reply);
    await shows("The weir is");
    held.release();
    await shows("The weir is far away.");
    await page.close();
  });

  test("a call that is always allowed on the page runs, and the rule is in the settings", async ({
    visit,
  }) => {
    const { page, say, shows, button, session } = await visit();
    await say("Make a file", make("made.txt"), "Made.");
    const asked = page.getByRole("region", { name: "Claude asks" });
    await asked.getByText("touch made.txt").first().waitFor();
    // Claude's further suggestions beside the rule are not ticked.
    await button(/^Allow, with what is ticked/).click();
    await shows("Made.");
    expect(existsSync(join(session.dir, "made.txt"))).toBe(true);
    const settings = readFileSync(join(session.dir, ".claude", "settings.local.json"), "utf8");
    const allow = ["Bash(touch made.txt)"];
    expect(JSON.parse(settings)).toMatchObject({ permissions: { allow } });
    // 2.1.197 writes the rule and asks again all the same.
    if (version === "2.1.330") {
      await say("Once more", make("made.txt"), "Made again.");
      await shows("Made again.");
    }
    await page.close();
  });

  test("the model reads why a person denied", async ({ visit, api }) => {
    const { page, say, shows, button, session } = await visit();
    await say("Make a file", make("unwanted.txt"), "Not made.");
    await button(/^Deny/).click();
    await page.getByRole("textbox", { name: "Reason for denial (optional)" }).fill("not in here");
    await page.keyboard.press("Enter");
    await shows("Not made.");
    expect(newestMessages(api)).toContain("not in here");
    expect(existsSync(join(session.dir, "unwanted.txt"))).toBe(false);
    await page.close();
  });

  test("a message is gone back to on the page: its file is as it was, and the model hears no more of it", async ({
    visit,
    api,
  }) => {
    const options = { allowed_tools: ["Write"] };
    const { page, session, say, shows, exchange, composer, button } = await visit({ options });
    const path = join(session.dir, "bird.txt");
    await exchange("Name a bird", "A heron.");
    await say(
      "Write it down",
      callTool("Write", { file_path: path, content: "heron" }),
      "Written.",
    );
    await shows("Written.");
    expect(existsSync(path)).toBe(true);
    await page.getByRole("button", { name: "Back to here" }).nth(1).click();
    await page.getByRole("dialog").getByText("1 file: 0 lines come back, 1 line goes.").waitFor();
    await button(/^Go back$/).click();
    await page.getByText(/^Back to before “Write it down”/).waitFor();
    expect(existsSync(path)).toBe(false);
    expect(await readValue(composer, "Write it down")).toBe("Write it down");
    await exchange("And a fish", "A trout.");
    expect(conversationSent(api)).toEqual([
      "user: Name a bird",
      "assistant: A heron.",
      "user: And a fish",
    ]);
    await page.close();
  });

  if (version !== "2.1.330") return;
  test("the answer to a question reaches the model by the text of the question", async ({
    visit,
    api,
  }) => {
    const { page, say, shows, button } = await visit();
    const questions = [question("Which colour?", ["Red", "Blue"])];
    await say("Ask me", callTool("AskUserQuestion", { questions }), "Noted.");
    await page.getByRole("radio", { name: /Blue/ }).check();
    await button(/^Submit/).click();
    await shows("Noted.");
    expect(newestMessages(api)).toMatch(/Which colour\?.*Blue/);
    await page.close();
  });

  test("a plan is shown as a card, and its approval ends the plan mode", async ({ visit }) => {
    const { page, say, shows, button, session } = await visit({ permission_mode: "plan" });
    const writePlan: ScriptEntry = ({ body }) => {
      const [file_path] = /\/[^"\s]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? [];
      return callTool("Write", { file_path, content: "1. Look at the weir." });
    };
    await say("Make a plan", writePlan, callTool("ExitPlanMode", {}), "Begun.");
    const asked = page.getByRole("region", { name: "Claude asks" });
    await asked.getByText("Look at the weir.", { exact: true }).waitFor();
    await button(/^Carry out the plan, and ask/).click();
    await shows("Begun.");
    expect((await session.run("session")).body).not.toMatchObject({ permission_mode: "plan" });
    await page.close();
  });

  test("Stop ends the turn and gives back the messages that waited", async ({ visit, api }) => {
    const { page, say, shows, type, composer } = await visit();
    const held = holdReply("The weir is", " far away.");
    await say("Tell me of the weir", held.reply);
    await shows("The weir is");
    await type("and of the heron");
    await page.getByText("and of the heron").waitFor();
    await stop(page).click();
    await stop(page).waitFor({ state: "detached" });
    held.release();
    expect(await readValue(composer, "and of the heron")).toBe("and of the heron");
    expect(conversationSent(api)).not.toContain("user: and of the heron");
    await page.close();
  });

  test("an earlier message that is edited is sent in a copy without the later messages", async ({
    visit,
    api,
  }) => {
    const { page, shows, composer, exchange } = await visit();
    await exchange("Name a bird", "A heron.");
    await exchange("And a fish", "A trout.");
    await exchange("And a tree", "An alder.");
    const address = page.url();
    await page.getByRole("button", { name: "Edit and try again" }).nth(1).click();
    await page.waitForURL((url) => url.href !== address);
    await shows("A heron.");
    expect(await readValue(composer, "And a fish")).toBe("And a fish");
    await exchange("And an insect", "A mayfly.");
    expect(conversationSent(api)).toEqual([
      "user: Name a bird",
      "assistant: A heron.",
      "user: And an insect",
    ]);
    await page.close();
  });

  test("the model that is chosen on the page is asked next", async ({ visit, api }) => {
    const { page, button, exchange } = await visit();
    await exchange("Hello", "Hello.");
    await button(/^Model:/).click();
    await page.getByRole("menu").getByText("Haiku", { exact: false }).first().click();
    await page.getByRole("button", { name: /^Model:.*Haiku/i }).waitFor();
    await exchange("Who are you?", "Another.");
    expect(newestBody(api).model).toContain("haiku");
    await page.close();
  });
});
