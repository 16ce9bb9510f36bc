/** A host whose answers take a quarter of a second, and a page of it that is worked by keyboard alone. */
import { afterAll } from "bun:test";
import { connect, createServer, type Server, type Socket } from "node:net";
import type { Page } from "playwright-core";
import type { HostOptions } from "../../../testing/drivers/host-process.ts";
import { openBrowser } from "./opened-browser.ts";

/** The delay in each direction. */
const DELAY_MS = 125;

/** The browser of {@link openBrowser}, and how a tab opens a session, or the board, through the slow port. */
export async function openSlowBrowser(options: HostOptions = {}) {
  // The slow port is not the port of the host.
  const opened = await openBrowser(options, /^request to http:\/\/tugtalk-\w+\.localhost/);
  const { host, browser } = opened;
  const slow = slowServer(host.port);
  await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", resolve));
  afterAll(() => slow.close());

  async function openSlowly(session = ""): Promise<Page> {
    const page = await browser.context.newPage();
    await page.goto(`http://${new URL(host.pageUrl).hostname}:${portOf(slow)}/#/s/${session}`);
    await page.locator(".skip-link").waitFor({ state: "attached" });
    return page;
  }

  return { ...opened, openSlowly };
}

/** Its connections lead to another port, each byte later. */
function slowServer(port: number): Server {
  const slow = createServer((client) => {
    const target = connect(port, "127.0.0.1");
    const later = (run: () => void) => setTimeout(run, DELAY_MS);
    const toHost = (data: string) =>
      target.write(data.replaceAll(`:${portOf(slow)}`, `:${port}`), "latin1");
    client.setEncoding("latin1");
    client.on("data", (data) => later(() => toHost(String(data))));
    target.on("data", (data) => later(() => client.write(data)));
    const end = (...sockets: Socket[]) =>
      later(() => {
        for (const socket of sockets) socket.destroy();
      });
    for (const socket of [client, target]) {
      socket.on("error", () => {});
      socket.on("close", () => end(client, target));
    }
  });
  return slow;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** The name for people of the element that has the focus. */
export function focusedIs(page: Page, name: string) {
  return page.waitForFunction((wanted) => {
    const element = document.activeElement;
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? element.labels?.[0]?.textContent
        : undefined;
    return [element?.getAttribute("aria-label"), label, element?.getAttribute("placeholder")].some(
      (text) => text?.trim().startsWith(wanted),
    );
  }, name);
}

/** Chooses an item of the palette. */
export async function choose(page: Page, item: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await focusedIs(page, "What do you want to do?");
  await page.keyboard.type(item);
  await page
    .getByRole("option", { name: new RegExp(`^${item}`, "i") })
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
}

/** Presses a key until something with this name has the focus. */
export async function walkTo(page: Page, name: string, key = "Tab"): Promise<void> {
  for (let press = 0; press < 40; press += 1) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => {
      const { activeElement } = document;
      const label = activeElement?.closest("label")?.textContent ?? activeElement?.textContent;
      return activeElement?.getAttribute("aria-label") ?? label ?? "";
    });
    if (focused.trim().startsWith(name)) return;
  }
  throw new Error(`${key} does not lead to "${name}"`);
}
