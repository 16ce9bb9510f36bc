/**
 * The host behind real proxies that end TLS, for raw requests and for a Chromium that trusts their
 * certificate.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import type { Browser, BrowserContext } from "playwright-core";
import { launchChromium } from "../../../testing/drivers/browser.ts";
import { endHosts, startHost } from "../../../testing/drivers/host-process.ts";
import { freePort } from "../../../testing/drivers/postgres-server.ts";
import { createAuthority } from "../../../testing/drivers/test-authority.ts";
import { ASKING } from "../../../testing/drivers/written-conversation.ts";
import { checkGuardRow, GUARD_ROWS } from "./support/guard-table.ts";
import { PROXIES, PUBLIC_NAME, type TestProxy } from "./support/proxies.ts";
import { sendRawOverTls } from "./support/raw-http.ts";
import { Visit } from "./support/visit.ts";

for (const [name, proxy] of Object.entries(PROXIES))
  describe(`behind ${name}, configured as the examples say`, () => {
    testBehind(proxy);
  });

function testBehind({ start, passesEveryName }: TestProxy): void {
  const authority = createAuthority(PUBLIC_NAME);
  let visit: Visit;
  let chromium: Browser | undefined;
  let context: BrowserContext;
  let stop = async () => {};

  beforeAll(async () => {
    const port = freePort();
    const host = await startHost({ args: [`--public-url=https://${PUBLIC_NAME}:${port}`] });
    stop = await start({ authority, port, hostPort: host.port });
    const ca = authority.certificate;
    visit = await Visit.open(host, {
      send: (request) => sendRawOverTls({ port, servername: PUBLIC_NAME, ca }, request),
      passesEveryName,
    });
    chromium = await launchChromium({
      args: [`--host-resolver-rules=MAP ${PUBLIC_NAME} 127.0.0.1`],
      home: authority.home,
    });
    context = await chromium.newContext();
  });
  afterAll(async () => {
    await chromium?.close();
    await stop();
    await endHosts();
    rmSync(authority.root, { recursive: true, force: true });
  });

  for (const row of GUARD_ROWS)
    test(`a request over HTTP, SSE or a WebSocket with ${row.fault} gets the answer that is designed`, () =>
      checkGuardRow(visit, row));

  test("a browser that trusts the certificate signs in by the link, with a cookie for TLS alone", async () => {
    const page = await context.newPage();
    await page.goto(visit.host.signInUrl.replace(/(?<=code=).*/, visit.freshCode()));
    await page.getByRole("main").waitFor();
    expect(page.url()).toStartWith(`${visit.origin}/`);
    expect(await context.cookies()).toEqual([
      expect.objectContaining({
        name: `__Host-tugtalk_${new URL(visit.origin).port}`,
        domain: PUBLIC_NAME,
        path: "/",
        httpOnly: true,
        secure: true,
        sameSite: "Strict",
      }),
    ]);
  });

  test("the page talks with its session over the WebSocket, and a prompt that is answered there reaches Claude", async () => {
    const session = await visit.host.createSession({ conversation: ASKING });
    const page = await context.newPage();
    const opened = page.waitForEvent("websocket");
    await page.goto(`${visit.origin}/#/s/${session.id}`);
    expect((await opened).url()).toBe(`${visit.origin.replace("https:", "wss:")}/ws`);
    await page.getByRole("textbox", { name: "Message" }).fill("Hello there");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: /^Allow Y/ }).click();
    const heard = await session.claudeHears(({ type }) => type === "control_response");
    expect(JSON.stringify(heard)).toContain('"behavior":"allow"');
  });

  test("server-sent events reach the browser one by one, without the proxy holding them back", async () => {
    const session = await visit.host.createSession();
    const page = await context.newPage();
    await page.goto(`${visit.origin}/`);
    const turns = page.evaluate(
      (id) =>
        new Promise<readonly string[]>((resolve) => {
          const seen: string[] = [];
          const source = new EventSource(`/api/sessions/${id}/events?after=0`);
          source.addEventListener("turn_started", ({ type }) => seen.push(type));
          source.addEventListener("turn_complete", ({ type }) => {
            source.close();
            resolve([...seen, type]);
          });
        }),
      session.id,
    );
    await session.message("hello");
    expect(await turns).toEqual(["turn_started", "turn_complete"]);
  });
}
