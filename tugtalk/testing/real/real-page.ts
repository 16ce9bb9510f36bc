/** The page with a real `claude`: the main flows, in Chromium, through a real host and bridge. One host a version. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { endBrowser, TestBrowser } from "../drivers/browser.ts";
import {
  endHosts,
  type NewTestSession,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../drivers/host-process.ts";
import { conversationSent } from "./real-history.ts";
import {
  callTool,
  holdReply,
  newestMessages,
  openRealPlace,
  type RealPlace,
} from "./real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "./real-shared-session.ts";

type Shared = { readonly place: RealPlace; readonly host: TestHost; readonly browser: TestBrowser };

/** A session that a person has open. */
type Visit = Shared & {
  readonly session: TestHostSession;
  readonly page: Page;
  /** Scripts what the model answers, then types and sends a message. */
  readonly say: (text: string, ...script: readonly ScriptEntry[]) => Promise<void>;
};

type At = () => Shared;

/** Declares the flows for one version. */
export function realPage(version: string, ...lists: readonly ((at: At) => void)[]): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`the page with claude ${version}`, () => {
    let shared: Shared | undefined;
    const at = () => {
      if (shared === undefined) throw new Error("there is no host");
      return shared;
    };
    beforeAll(async () => {
      const place = await openRealPlace(version);
      const env = place.home.environment(place.api.url);
      const host = await startHost({ claude: place.claude, env });
      shared = { place, host, browser: await TestBrowser.open(host) };
    }, INSTALL_TIMEOUT_MS);
    afterAll(async () => {
      expect(shared?.browser.problems).toEqual([]);
      await endBrowser();
      await endHosts();
      await shared?.place.close();
    });
    for (const list of lists) list(at);
  });
}

async function visit(shared: Shared, fields: NewTestSession = {}): Promise<Visit> {
  const session = await shared.host.createSession(fields);
  const page = await shared.browser.tab(session.id);
  const say = async (text: string, ...script: readonly ScriptEntry[]) => {
    shared.place.api.script(...script);
    await composerOf(page).fill(text);
    await composerOf(page).press("Enter");
  };
  return { ...shared, session, page, say };
}

const composerOf = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });

const asked = (page: Page): Locator => page.getByRole("region", { name: "Claude asks" });

const button = (page: Page, name: RegExp) => page.getByRole("button", { name }).first();

export function listMessage(at: At): void {
  test("a message is answered on the page while the model still writes", async () => {
    const { page, say } = await visit(at());
    const held = holdReply("The weir is", " far away.");
    await say("Tell me of the weir", held.reply);
    await page.getByText("The weir is", { exact: true }).first().waitFor();
    held.release();
    await page.getByText("The weir is far away.", { exact: true }).first().waitFor();
    await page.close();
  });
}

/** Whether the model was told something in its newest request. */
const isTold = ({ place }: Shared, words: string) => newestMessages(place.api).includes(words);

const MAKE = callTool("Bash", { command: "touch made.txt", description: "Make a file" });

/** 2.1.197 writes the rule and asks again all the same. */
export function listAlways(at: At): void {
  test("what is allowed for always on the page is not asked again", async () => {
    const { page, say } = await visit(at());
    await say("Make a file", MAKE, "Made.");
    await button(page, /^Always allow/).click();
    await page.getByText("Made.", { exact: true }).first().waitFor();
    await say("Once more", MAKE, "Made again.");
    await page.getByText("Made again.", { exact: true }).first().waitFor();
    await page.close();
  });
}

export function listPermission(at: At): void {
  test("what is allowed for always on the page runs, and the rule is in the settings", async () => {
    const { page, say, session } = await visit(at());
    await say("Make a file", MAKE, "Made.");
    await asked(page).getByText("touch made.txt").first().waitFor();
    await button(page, /^Always allow/).click();
    await page.getByText("Made.", { exact: true }).first().waitFor();
    expect(existsSync(join(session.dir, "made.txt"))).toBe(true);
    const settings = readFileSync(join(session.dir, ".claude", "settings.local.json"), "utf8");
    expect(JSON.parse(settings)).toMatchObject({
      permissions: { allow: ["Bash(touch made.txt)"] },
    });
    await page.close();
  });

  test("the model is told why a person denied", async () => {
    const { page, say, session } = await visit(at());
    const make = callTool("Bash", { command: "touch unwanted.txt", description: "Make a file" });
    await say("Make a file", make, "Not made.");
    await button(page, /^Deny/).click();
    await page.getByRole("textbox", { name: "Reason for denial (optional)" }).fill("not in here");
    await page.keyboard.press("Enter");
    await page.getByText("Not made.", { exact: true }).first().waitFor();
    expect(isTold(at(), "not in here")).toBe(true);
    expect(existsSync(join(session.dir, "unwanted.txt"))).toBe(false);
    await page.close();
  });
}

export function listQuestion(at: At): void {
  test("the answer to a question reaches the model by the text of the question", async () => {
    const { page, say } = await visit(at());
    const options = ["Red", "Blue"].map((label) => ({ label, description: `It is ${label}` }));
    const questions = [
      { question: "Which colour?", header: "Colour", options, multiSelect: false },
    ];
    await say("Ask me", callTool("AskUserQuestion", { questions }), "Noted.");
    await page.getByRole("radio", { name: /Blue/ }).check();
    await button(page, /^Submit/).click();
    await page.getByText("Noted.", { exact: true }).first().waitFor();
    expect(newestMessages(at().place.api)).toMatch(/Which colour\?.*Blue/);
    await page.close();
  });
}

/** Writes the plan into the file that the CLI has named, as the model does. */
function writePlan(plan: string): ScriptEntry {
  return ({ body }) => {
    const [file = ""] = /\/[^"\s]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(body)) ?? [];
    const input = { file_path: file, content: plan };
    return { content: [{ type: "tool_use", name: "Write", input }] };
  };
}

export function listPlan(at: At): void {
  test("a plan is shown as a card, and its approval ends the plan mode", async () => {
    const { page, say, session } = await visit(at(), { permission_mode: "plan" });
    const exit = callTool("ExitPlanMode", {});
    await say("Make a plan", writePlan("1. Look at the weir."), exit, "Begun.");
    await asked(page).getByText("Look at the weir.", { exact: true }).waitFor();
    await button(page, /^Carry out the plan, and ask/).click();
    await page.getByText("Begun.", { exact: true }).first().waitFor();
    expect((await session.run("session")).body).not.toMatchObject({ permission_mode: "plan" });
    await page.close();
  });
}

export function listStop(at: At): void {
  test("Stop ends the turn and gives back what waited", async () => {
    const { page, say } = await visit(at());
    const held = holdReply("The weir is", " far away.");
    await say("Tell me of the weir", held.reply);
    await page.getByText("The weir is", { exact: true }).first().waitFor();
    await composerOf(page).fill("and of the heron");
    await composerOf(page).press("Enter");
    await page.getByText("and of the heron").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
    held.release();
    expect(await composerOf(page).inputValue()).toBe("and of the heron");
    expect(conversationSent(at().place.api)).not.toContain("user: and of the heron");
    await page.close();
  });
}

export function listRetry(at: At): void {
  test("an earlier message that is edited is sent in a copy without what came after it", async () => {
    const { page, say, place } = await visit(at());
    await say("Name a bird", "A heron.");
    await page.getByText("A heron.", { exact: true }).first().waitFor();
    await say("And a fish", "A trout.");
    await page.getByText("A trout.", { exact: true }).first().waitFor();
    const address = page.url();
    await page.getByRole("button", { name: "Edit and try again" }).last().click();
    await page.waitForURL((url) => url.href !== address);
    await page.getByText("A heron.", { exact: true }).first().waitFor();
    expect(await composerOf(page).inputValue()).toBe("And a fish");
    await say("And an insect", "A mayfly.");
    await page.getByText("A mayfly.", { exact: true }).first().waitFor();
    expect(conversationSent(place.api)).toEqual([
      "user: Name a bird",
      "assistant: A heron.",
      "user: And an insect",
    ]);
    await page.close();
  });
}

export function listModel(at: At): void {
  test("the model that is chosen on the page is asked next", async () => {
    const { page, say, place } = await visit(at());
    await say("Hello", "Hello.");
    await page.getByText("Hello.", { exact: true }).first().waitFor();
    await button(page, /^Model:/).click();
    await page.getByRole("menu").getByText("Haiku", { exact: false }).first().click();
    await page.getByRole("button", { name: /^Model:.*Haiku/i }).waitFor();
    await say("Who are you?", "Another.");
    await page.getByText("Another.", { exact: true }).first().waitFor();
    const request = place.api.requests.findLast(({ kind }) => kind === "main");
    expect(request?.body.model).toContain("haiku");
    await page.close();
  });
}
