/** Stop and Escape right after Enter, in Chromium, before the page knows of the turn. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { openFaultControl } from "../../../testing/drivers/controlled-claude.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { HOLD, opened, reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import { leavesDraft } from "../../__tests__/support/shown.ts";
import { Wire } from "../../prompts/__tests__/support/asking.ts";
import { fieldHas, heard, hears, send, sendButton, stopButton } from "./support/composer-page.ts";

const { host, browser } = await openBrowser();

const WORKING = [...opened(reply(text("I work."))), HOLD];

/** A session whose Claude runs, and a tab that gets no more messages about it. */
async function slowTab() {
  const conversation = [...turn(reply(text("Hello."))), ...WORKING];
  const session = await host.createSession({ conversation });
  const [page, wire] = await Wire.tab(browser, session.id);
  await sendButton(page).waitFor();
  await send(page, "Hello");
  await hears(session, "Hello");
  await leavesDraft(page, "Hello");
  await stopButton(page).waitFor({ state: "detached" });
  wire.isSilent = true;
  return { session, page };
}

const isInterrupt = ({ request }: Readonly<Record<string, unknown>>) =>
  (request as { readonly subtype?: string } | undefined)?.subtype === "interrupt";

const WAYS = [
  ["Escape", (page: Page) => page.keyboard.press("Escape")],
  ["Stop", (page: Page) => stopButton(page).click()],
] as const;

for (const [name, stop] of WAYS)
  test(`${name} right after Enter stops that turn, before the host has said that it has the message`, async () => {
    const { session, page } = await slowTab();
    await send(page, "Do it");
    await stop(page);
    await session.claudeHears(isInterrupt);
    expect(heard(session)).toEqual(["Hello", "Do it"]);
    await page.close();
  });

test("Escape gives back a message that Claude is still started for, and it is not read", async () => {
  const control = openFaultControl();
  const session = await host.createSession({ claudeEnv: control.env });
  const page = await browser.tab(session.id);
  await sendButton(page).waitFor();
  await send(page, "Start it");
  await page.getByText("Claude is starting").first().waitFor();
  await leavesDraft(page, "Start it");
  await page.keyboard.press("Escape");
  await fieldHas(page, "Start it");
  await (await control.first).apply({ order: "listen" });
  await stopButton(page).waitFor({ state: "detached" });
  expect(heard(session)).toEqual([]);
  control.close();
});
