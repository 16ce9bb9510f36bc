/** Cookies and service workers in the browser, of a program that had the port of the host before. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { endBrowser, TestBrowser } from "../../testing/drivers/browser.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { type Impostor, startImpostor } from "../../testing/drivers/impostor.ts";

const TAKEN = "taken by a service worker";

const FILES: Readonly<Record<string, readonly [contentType: string, text: string]>> = {
  "/worker.js": [
    "text/javascript",
    `addEventListener("install", () => skipWaiting());
     addEventListener("activate", (event) => event.waitUntil(clients.claim()));
     addEventListener("fetch", (event) => event.respondWith(new Response("${TAKEN}")));`,
  ],
  "/": [
    "text/html",
    `<script>
       void navigator.serviceWorker.register("/worker.js", { scope: "/" });
       navigator.serviceWorker.addEventListener("controllerchange", () => { document.title = "${TAKEN}"; });
     </script>`,
  ],
};

let host: TestHost;
let browser: TestBrowser;

/** Answers with a page that leaves a service worker for every path of its origin, and cookies. */
function leaveWorker({ url }: Request): Response {
  const [contentType, text] = FILES[new URL(url).pathname] ?? ["text/plain", ""];
  const headers = {
    "content-type": contentType,
    "set-cookie": "left=behind; Max-Age=1000; Path=/",
  };
  return new Response(text, { headers });
}

async function openTaken(origin: string): Promise<void> {
  const page = await browser.context.newPage();
  await page.goto(`${origin}/`);
  await page.waitForFunction((title) => document.title === title, TAKEN);
  await page.close();
}

beforeAll(async () => {
  host = await startHost();
  browser = await TestBrowser.open(host);
});
afterAll(async () => {
  await endBrowser();
  await endHosts();
});

test("a service worker and cookies that another program has left at the port never meet the page of the host", async () => {
  await host.kill();
  const impostor = startImpostor(host.port);
  impostor.respond = leaveWorker;
  const left = [host.url, `http://localhost:${host.port}`];
  for (const origin of left) await openTaken(origin);
  expectNoCookie(impostor);
  await impostor.stop();
  await host.start();
  const stranger = await browser.context.newPage();
  // The worker is there, and answers the requests for its own names.
  for (const origin of left) {
    await stranger.goto(`${origin}/`);
    expect(await stranger.textContent("body")).toBe(TAKEN);
  }
  const page = await browser.context.newPage();
  const asked = page.waitForRequest(/\/\?code=/);
  await page.goto(host.signInUrl);
  expect(await (await asked).headerValue("cookie")).not.toContain("left=");
  await page.getByRole("main").waitFor();
  expect(new URL(page.url()).origin).toBe(host.pageUrl);
  expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  expect(await page.textContent("body")).not.toContain(TAKEN);
});

test("a page that stays open while another program has the port sends it no cookie, says how to sign in, and is connected when the host is back", async () => {
  const page = await browser.tab();
  await page.getByRole("main").waitFor();
  await host.kill();
  const impostor = startImpostor(host.port);
  // The impostor answers every request with a proof, which is false.
  impostor.respond = () => Response.json({ proof: "x".repeat(43) });
  await page.getByText("not signed in any more").waitFor();
  // The browser also asks for the worker that a program at another name of this port has left.
  const { host: name } = new URL(host.pageUrl);
  const ours = impostor.requests.filter((request) => request.includes(`\nhost: ${name}\n`));
  expect(ours).not.toEqual([]);
  for (const request of ours) expect(request).toContain("/api/proof?nonce=");
  expectNoCookie(impostor);
  await impostor.stop();
  await host.start();
  await host.createSession({ title: "After the impostor" });
  await page.getByText("After the impostor").first().waitFor();
});

/** Browsers send a cookie to every port of its name, so one of ours must have another name. */
function expectNoCookie({ requests }: Impostor): void {
  expect(requests.length).toBeGreaterThan(0);
  expect(requests.filter((request) => request.includes("tugtalk_"))).toEqual([]);
}
