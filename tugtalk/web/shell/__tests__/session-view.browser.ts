/** A session in every phase, and where the focus goes, in Chromium. */
import { expect, test } from "bun:test";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem } from "../../__tests__/support/shown.ts";

const { host, browser } = await openBrowser();

test("an address without a session says so and leads to all sessions", async () => {
  await host.createSession({ title: "Greeting" });
  const page = await browser.tab("00000000-0000-4000-8000-000000000000");
  await page.getByRole("heading", { level: 1, name: "There is no such session" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "All sessions" }).click();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
});

test("the session that is shown is in sight in the list, however long that is", async () => {
  const sessions = [];
  for (let at = 0; at < 12; at += 1)
    sessions.push(await host.createSession({ title: `No. ${at}` }));
  const page = await browser.tab();
  await page.setViewportSize({ width: 1280, height: 400 });
  for (const session of [sessions[0], sessions.at(-1)]) {
    await browser.show(page, session?.id);
    const row = page.locator(".session-row[aria-current]");
    await row.waitFor();
    await page.waitForFunction(() => {
      const { top = -1, bottom = 0 } =
        document.querySelector(".session-row[aria-current]")?.getBoundingClientRect() ?? {};
      return top >= 0 && bottom <= innerHeight;
    });
  }
  expect(await page.locator(".session-row").count()).toBeGreaterThan(11);
  const list = page.locator(".session-rows").first();
  expect(await list.evaluate((shown) => getComputedStyle(shown).listStyleType)).toBe("none");
});

test("notices about a session leave with it", async () => {
  const [one, other] = [await host.createSession(), await host.createSession({ title: "Other" })];
  const page = await browser.tab(one.id);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await page.locator(".skip-link").waitFor({ state: "attached" });
  await page.getByRole("textbox", { name: "Message" }).blur();
  await page.keyboard.press("p");
  await page.locator(".toast").waitFor();
  await page.getByRole("link", { name: /Other/ }).click();
  await page.getByRole("heading", { level: 1, name: "Other" }).waitFor();
  await page.locator(".toast").waitFor({ state: "detached" });
  await other.run("delete");
});

test("a session that is deleted elsewhere while it is shown is gone", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await page.getByRole("textbox", { name: "Message" }).waitFor();
  await session.run("delete");
  await page.getByRole("heading", { level: 1, name: "There is no such session" }).waitFor();
});

test("the draft in a session that is deleted elsewhere can still be copied", async () => {
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await page.getByRole("textbox", { name: "Message" }).fill("A long text");
  await session.run("delete");
  await page.getByRole("main").getByText("A long text").waitFor();
  await page.getByRole("button", { name: "Copy what you were writing" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("A long text");
});

/** In the page: the key is pressed as soon as no dialog is there. */
function pressWhenClosed(key: string): void {
  const closing = new MutationObserver(() => {
    if (document.querySelector("dialog") !== null) return;
    closing.disconnect();
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
  });
  closing.observe(document.body, { childList: true, subtree: true });
}

test("a dialog ends with the session that it is about, and the keys of the page work again", async () => {
  const session = await host.createSession();
  const page = await browser.tab(session.id);
  await chooseItem(page, "Delete");
  const dialog = page.getByRole("dialog");
  await dialog.waitFor();
  await page.evaluate(pressWhenClosed, "?");
  await session.run("delete");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
});

test("a session whose Claude does not start says why, and takes a message to try again", async () => {
  const session = await host.createSession({
    claudeEnv: { TUGTALK_SIM_SCENARIO: "start-failure" },
  });
  const page = await browser.tab(session.id);
  const problem = page.getByRole("status").filter({ hasText: "Claude did not start." });
  await problem.waitFor();
  expect(await problem.textContent()).toMatch(/[^.]\. A message tries again\.$/);
  expect(await page.getByRole("textbox", { name: "Message" }).isEnabled()).toBe(true);
});

test("Tab begins with a way past the lists, and a change of the view takes the focus along", async () => {
  const session = await host.createSession({ title: "The one to read" });
  const page = await browser.tab();
  await page.getByRole("button", { name: "Skip to the content" }).waitFor();
  await page.getByRole("link", { name: "The one to read" }).waitFor();
  await page.keyboard.press("Tab");
  const skip = page.getByRole("button", { name: "Skip to the content" });
  expect(await skip.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("MAIN");
  await page.getByRole("link", { name: "The one to read" }).click();
  const field = page.getByRole("textbox", { name: "Message" });
  await field.and(page.locator(":focus")).waitFor();
  await page.evaluate((id) => location.assign(`#/s/${id}`), session.id);
  await page.getByRole("link", { name: "All sessions" }).click();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await page.locator(".view:focus").waitFor();
});

test("a part of the page that cannot be loaded is reported once, and is there after a reload", async () => {
  const own = await TestBrowser.open(host);
  const page = await own.tab((await host.createSession()).id);
  // The menu itself is there.
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("menuitem", { name: "Settings", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  let isBroken = true;
  await own.context.route("**/assets/*", (route) => (isBroken ? route.abort() : route.continue()));
  const open = async () => {
    await chooseItem(page, "Settings");
  };
  await open();
  const notice = page.locator(".toast").filter({ hasText: "could not be loaded" });
  await notice.waitFor();
  const first = await notice.elementHandle();
  await open();
  // The notice of the second failure takes the place of the first.
  await first?.waitForElementState("hidden");
  await notice.waitFor();
  expect(await notice.count()).toBe(1);
  isBroken = false;
  await notice.getByRole("button", { name: "Reload" }).click();
  await open();
  await page.getByRole("dialog", { name: "Settings" }).waitFor();
  expect(own.problems.filter((problem) => !problem.includes("net::ERR_FAILED"))).toEqual([]);
});

test("a dialog about a session is gone when a person has left the session", async () => {
  await host.createSession({ title: "The one to rename" });
  const page = await browser.tab();
  await page.getByRole("link", { name: "The one to rename" }).click();
  const title = page.getByRole("heading", { level: 1 }).getByRole("button", { name: "The one" });
  await title.click();
  await page.getByRole("dialog", { name: "Rename session" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Sessions" }).waitFor();
  await page.getByRole("link", { name: "The one to rename" }).click();
  await title.waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});
