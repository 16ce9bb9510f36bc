/** The question of trust for a folder that has the host's own data in it, in Chromium. */
import { expect, test } from "bun:test";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";

const { host, browser } = await openBrowser({ hasDefaultData: true });

test("of a folder above the home it is said that the token is in it, and not that it grants nothing", async () => {
  const page = await browser.tab();
  await page.getByRole("button", { name: "New session" }).first().click();
  await page.getByRole("button", { name: /^Up to / }).waitFor();
  await page.getByRole("combobox", { name: "Folder" }).fill(host.root);
  await page.getByRole("button", { name: "Create" }).click();
  const question = page.getByRole("dialog", { name: "Trust this folder?" });
  await question.getByText("The token of this host.").waitFor();
  await question.getByText(host.dataDir, { exact: true }).waitFor();
  expect(await question.getByText("grant nothing").count()).toBe(0);
});
