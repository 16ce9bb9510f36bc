/** The panels in Chromium: commands and tools, keys, servers, export, settings. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem, readUntil, say } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

/** Opens a panel by the menu of the header. */
async function openPanel(page: Page, item: string, title = item) {
  await chooseItem(page, item);
  const panel = page.getByRole("dialog", { name: title, exact: true });
  await panel.waitFor();
  return panel;
}

test("help lists commands, agents, tools and the version, and can be filtered", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await say(page, "Hello");
  await page.getByRole("button", { name: /^Context/ }).waitFor();
  const panel = await openPanel(page, "Help");
  for (const title of [/^Slash commands/, /^Agents/, /^Tools/, /^Skills/])
    await panel.getByRole("heading", { name: title }).waitFor();
  await panel.getByText("/compact").waitFor();
  await panel.getByText("AskUserQuestion", { exact: true }).waitFor();
  await panel.getByText(/^Claude Code \d/).waitFor();
  await panel.getByRole("searchbox", { name: "Filter" }).fill("compact");
  await panel.getByText("AskUserQuestion", { exact: true }).waitFor({ state: "detached" });
  await panel.getByText("/compact").waitFor();
});

test("the keys of each context are listed with their actions", async () => {
  const page = await browser.tab((await host.createSession()).id);
  const panel = await openPanel(page, "Keys");
  await panel.getByRole("heading", { name: "In the message field" }).waitFor();
  await panel.getByText("Commands of the page").waitFor();
  expect(await panel.locator("kbd").first().textContent()).toBe("Esc");
});

test("MCP servers are listed with state and tools, and can be connected again and disabled", async () => {
  const session = await host.createSession({ claudeEnv: { TUGTALK_SIM_SCENARIO: "mcp" } });
  const page = await browser.tab(session.id);
  await say(page, "Use a server");
  await page
    .getByRole("button", { name: /^Allow/ })
    .first()
    .waitFor();
  const panel = await openPanel(page, "MCP servers");
  const server = (name: string) =>
    panel.getByRole("listitem").filter({ has: page.getByText(name, { exact: true }) });
  await server("orders").getByText("needs a login").waitFor();
  await server("old").getByRole("button", { name: "Enable" }).waitFor();
  await server("files").getByText("3 tools").click();
  await server("files").getByText("echo", { exact: true }).waitFor();
  await server("search").getByRole("button", { name: "Reconnect" }).click();
  await server("search").getByText("connected", { exact: true }).waitFor();
  await server("files").getByRole("button", { name: "Disable" }).click();
  await server("files").getByText("disabled", { exact: true }).waitFor();
  const asked = session.claudeInput.flatMap(({ request }) => request ?? []);
  expect(asked).toContainEqual({ subtype: "mcp_reconnect", serverName: "search" });
  expect(asked).toContainEqual({ subtype: "mcp_toggle", serverName: "files", enabled: false });
});

test("the transcript is downloaded as Markdown or JSON, and copied", async () => {
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await host.createSession({ title: "Say hello" });
  const page = await browser.tab(session.id);
  await say(page, "Hello there");
  await page.getByRole("button", { name: /^Context/ }).waitFor();
  const panel = await openPanel(page, "Export");
  const save = async () => {
    const saved = page.waitForEvent("download");
    await panel.getByRole("button", { name: "Download" }).click();
    return await saved;
  };
  const markdown = await save();
  expect(markdown.suggestedFilename()).toBe("say-hello.md");
  expect(readFileSync(await markdown.path(), "utf8")).toContain("Hello there");
  await panel.getByRole("button", { name: "Copy" }).click();
  await page.getByText("The transcript was copied.").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Hello there");
  await panel.getByRole("radio", { name: "JSON" }).click();
  const json = await save();
  expect(json.suggestedFilename()).toBe("say-hello.json");
  expect(JSON.parse(readFileSync(await json.path(), "utf8"))).toMatchObject({});
});

test("a theme is kept for this browser", async () => {
  const page = await browser.tab((await host.createSession()).id);
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  const panel = await openPanel(page, "Settings");
  await panel.getByText(/^tugtalk \d/).waitFor();
  await panel.getByRole("radio", { name: "Dark" }).click();
  const dark = await readUntil(ground, (shown) => shown !== light);
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  expect(await readUntil(ground, (shown) => shown === dark)).toBe(dark);
});

test("a model and a mode are chosen for new sessions, and the form of one begins with them after a reload", async () => {
  const own = await TestBrowser.open(host);
  const page = await own.tab((await host.createSession()).id);
  const panel = await openPanel(page, "Settings");
  await panel.getByRole("combobox", { name: "Model" }).fill("haiku");
  await panel.getByRole("combobox", { name: "Permission mode" }).selectOption("plan");
  await page.reload();
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.getByRole("button", { name: "New session" }).click();
  const form = page.getByRole("dialog", { name: "New session" });
  await form.getByRole("textbox", { name: "What should Claude do?" }).fill("Begin");
  await form.getByRole("button", { name: "Create" }).click();
  await page.getByText("You said: Begin").first().waitFor();
  const id = new URL(page.url()).hash.slice("#/s/".length);
  const { body } = await host.run("session", { id });
  expect(body).toMatchObject({ model: "haiku", permission_mode: "plan" });
  await own.close();
});

/** In the page: chooses a mode as soon as the field for it is there, and resolves to the stored value. */
function chooseAtOnce(): Promise<string | null> {
  return new Promise((resolve) => {
    const opening = new MutationObserver(() => {
      const mode = [...document.querySelectorAll("select")].find((field) =>
        [...field.options].some(({ value }) => value === "plan"),
      );
      if (mode === undefined) return;
      opening.disconnect();
      mode.value = "plan";
      mode.dispatchEvent(new Event("input", { bubbles: true }));
      resolve(localStorage.getItem("tugtalk.new-session"));
    });
    opening.observe(document.body, { childList: true, subtree: true });
  });
}

test("a mode that is chosen for new sessions as soon as its field is there is kept before the next frame", async () => {
  const own = await TestBrowser.open(host);
  const page = await own.tab((await host.createSession()).id);
  const chosen = page.evaluate(chooseAtOnce);
  await chooseItem(page, "Settings");
  expect(await chosen).toContain('"permissionMode":"plan"');
  await own.close();
});

test("rules and hooks are asked of Claude when their panel opens", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  const panel = await openPanel(page, "Hooks and rules");
  await panel.getByText("No hooks.").waitFor();
  const asks = (subtype: string) => (line: Readonly<Record<string, unknown>>) =>
    JSON.stringify(line).includes(`"${subtype}"`);
  await session.claudeHears(asks("get_hooks_listing"));
  await session.claudeHears(asks("list_permission_rules"));
});
