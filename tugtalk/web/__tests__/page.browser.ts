/** The page as a whole, in Chromium, with a real host, bridge and stand-in. */
import { expect, test } from "bun:test";
import { openBrowser } from "./support/opened-browser.ts";

const { browser } = await openBrowser();

test("a person opens the page, creates a session, and reads the answer to a message", async () => {
  const page = await browser.tab();
  await page.getByRole("button", { name: "New session" }).click();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("textbox", { name: "Message" }).fill("Hello there");
  await page.keyboard.press("Enter");
  await page.locator(".text").waitFor();
  expect(await page.locator(".user").textContent()).toBe("Hello there");
  expect(browser.problems).toEqual([]);
});
