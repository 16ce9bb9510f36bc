/** The page while the database of its host is away. */
import { afterAll, expect, test } from "bun:test";
import { BreakingProxy } from "../../../testing/drivers/breaking-proxy.ts";
import { TestBrowser } from "../../../testing/drivers/browser.ts";
import { endAfterTests } from "../../../web/__tests__/support/opened-browser.ts";
import { SharedHosts } from "./support/shared-hosts.ts";

endAfterTests();

const hosts = await SharedHosts.open();
const proxy = await BreakingProxy.open(hosts.server.port);
afterAll(async () => {
  proxy.close();
  await hosts.end();
});

test("the page says that the database is away, and then that Claude was ended, and nothing of it when it is back", async () => {
  const url = hosts.url.replace(`:${hosts.server.port}/`, `:${proxy.port}/`);
  const host = await hosts.start({ args: ["--lease=6"], env: { TUGTALK_DATABASE: url } });
  const session = await host.createSession();
  const browser = await TestBrowser.open(host);
  const page = await browser.tab(session.id);
  await page.getByRole("button", { name: "Menu", exact: true }).waitFor();
  proxy.freeze();
  await page.getByText("What Claude says waits").waitFor();
  await page.getByText("Claude was ended").waitFor();
  proxy.thaw();
  await page.getByText("The database of the host").waitFor({ state: "detached" });
  expect(browser.otherProblems).toEqual([]);
}, 60_000);
