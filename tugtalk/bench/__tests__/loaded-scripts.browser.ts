/** The scripts that a browser loads until a session is drawn, in the packed form in which they are sent. */
import { expect, test } from "bun:test";
import { openBrowser } from "../../web/__tests__/support/opened-browser.ts";
import { Scene } from "../../web/__tests__/support/scene.ts";
import { reply, text, turn } from "../../web/__tests__/support/scene-lines.ts";
import { conversationOf, readSettled } from "../../web/__tests__/support/shown.ts";
import { sum } from "../findings.ts";
import { LoadedScripts, MAX_SCRIPT_BYTES } from "../loaded-scripts.ts";

const { host, browser } = await openBrowser();

test("a session with plain text is drawn, with header and sidebar, from at most 45 kB of script", async () => {
  const scene = await Scene.open(host, {
    conversation: turn(reply(text("The build is done: it took a minute, and all tests pass."))),
  });
  await scene.exchange("Build it, please.");
  const page = await browser.context.newPage();
  const scripts = new LoadedScripts(page);
  await browser.show(page, scene.session.id);
  await page.getByRole("navigation", { name: "Sessions" }).waitFor();
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  await conversationOf(page).getByText("all tests pass").waitFor();
  await page.getByRole("button", { name: "Copy as Markdown" }).waitFor();
  await readSettled(page);
  const sizes = [...scripts.sizes().values()];
  const bytes = sum(sizes);
  expect(bytes).toBeGreaterThan(30_000);
  expect(bytes).toBeLessThanOrEqual(MAX_SCRIPT_BYTES);
});
