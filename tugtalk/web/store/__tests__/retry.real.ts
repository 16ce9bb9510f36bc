/** An earlier message is edited and tried again on the page, with a real `claude`. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { endBrowser, TestBrowser } from "../../../testing/drivers/browser.ts";
import { endHosts, startHost, type TestHost } from "../../../testing/drivers/host-process.ts";
import { conversationSent } from "../../../testing/real/real-history.ts";
import { openRealPlace, type RealPlace } from "../../../testing/real/real-session.ts";
import { INSTALL_TIMEOUT_MS, REAL_TIMEOUT_MS } from "../../../testing/real/real-shared-session.ts";
import { readValue } from "../../__tests__/support/shown.ts";

setDefaultTimeout(2 * REAL_TIMEOUT_MS);

let real: RealPlace;
let host: TestHost;
beforeAll(async () => {
  real = await openRealPlace("2.1.330");
  host = await startHost({ claude: real.claude, env: real.home.environment(real.api.url) });
}, INSTALL_TIMEOUT_MS);
afterAll(async () => {
  await endBrowser();
  await endHosts();
  await real.close();
});

test("a message that is edited and tried again is not in what the model reads after that", async () => {
  const session = await host.createSession();
  const browser = await TestBrowser.open(host);
  const page = await browser.tab(session.id);
  const field = page.getByRole("textbox", { name: "Message", exact: true });
  const say = async (text: string, reply: string) => {
    real.api.script(reply);
    await field.fill(text);
    await page.locator("button[type=submit]:enabled").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(reply).first().waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).waitFor({ state: "detached" });
  };
  await say("red", "Red it is.");
  await say("blue", "Blue it is.");
  await say("yellow", "Yellow it is.");
  const blue = page.locator(".asked").filter({ hasText: "blue" });
  await blue.hover();
  await blue.getByRole("button", { name: "Edit and try again" }).click();
  await page.waitForURL((url) => !url.hash.includes(session.id));
  await page.getByText("Red it is.").first().waitFor();
  expect(await readValue(field, "blue")).toBe("blue");
  await say("green", "Green it is.");
  expect(conversationSent(real.api).slice(-3)).toEqual([
    "user: red",
    "assistant: Red it is.",
    "user: green",
  ]);
  expect(browser.problems).toEqual([]);
});
