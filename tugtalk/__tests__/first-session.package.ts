/**
 * The first minutes of a user with Node, Claude Code and a browser, and without this clone: `npx tugtalk
 * host`, the printed link in Chromium, and a session with a real `claude`. Only the test and its browser
 * are of the clone.
 */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { endBrowser, launchedBrowser } from "../testing/drivers/browser.ts";
import { descendantsOf, leftAfter } from "../testing/drivers/processes.ts";
import { callTool } from "../testing/real/real-replies.ts";
import { openRealPlace, type RealPlace } from "../testing/real/real-session.ts";
import { type SealedCommand, SealedMachine } from "./support/sealed-machine.ts";

const machine = new SealedMachine();
let root = "";
let installMs = 0;
let place: RealPlace | undefined;
let host: SealedCommand | undefined;

beforeAll(async () => {
  const tarball = await machine.pack();
  const started = performance.now();
  root = await machine.install(tarball, "installed", true);
  installMs = performance.now() - started;
  place = await openRealPlace("2.1.330");
  copyFileSync(place.claude, join(machine.home, "bin/claude"));
}, 600_000);
afterAll(async () => {
  host?.kill("SIGKILL");
  await endBrowser();
  await place?.close();
});

/** From the tarball to the link. With four processes for each processor it takes a quarter of that. */
const LINK_LIMIT_MS = 20_000;

/** How long a host, its bridge and its Claude may take to end. */
const END_MS = 15_000;

test("a person with Node only starts the installed host, opens its link, and lets a real Claude run a tool", async () => {
  if (place === undefined) throw new Error("there is no claude");
  const { env } = machine;
  const started = performance.now();
  host = machine.start([join(machine.home, "bin/npx"), "tugtalk", "host"], {
    cwd: root,
    env: { ...place.home.environment(place.api.url), PATH: env["PATH"] ?? "" },
    isUntraced: true,
  });
  const [, link = ""] = /open (\S+)/.exec(await host.printed.waitFor(/Token for scripts/)) ?? [];
  const untilLinkMs = installMs + performance.now() - started;
  console.log(`from the packed tarball to the printed link: ${(untilLinkMs / 1000).toFixed(1)} s`);
  expect(untilLinkMs).toBeLessThan(LINK_LIMIT_MS);
  const page = await (await launchedBrowser()).newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });

  place.api.script(
    callTool("Bash", { command: "echo made > made.txt", description: "Make a file" }),
    "The file is made.",
  );
  await page.goto(link);
  await page.getByRole("button", { name: "New session" }).first().click();
  await page.getByRole("button", { name: "Create" }).click();
  await page.getByRole("textbox", { name: "Message", exact: true }).fill("Make a file");
  await page.keyboard.press("Enter");
  await page
    .getByRole("button", { name: /^Allow/ })
    .first()
    .click();
  await page.getByText("The file is made.", { exact: true }).first().waitFor();
  expect(existsSync(join(root, "made.txt"))).toBe(true);
  expect(problems).toEqual([]);

  const pids = descendantsOf(host.pid);
  host.kill("SIGINT");
  await host.ended;
  expect(await leftAfter(pids, END_MS)).toEqual([]);
}, 120_000);
