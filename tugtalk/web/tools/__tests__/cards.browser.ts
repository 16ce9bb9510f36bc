/** Tool cards of every kind, in Chromium, with Claude's lines about its calls. */
import { beforeAll, expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { findFaults } from "../../__tests__/support/faults.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import * as calls from "./support/played-calls.ts";
import { wordsOf } from "./support/shown-text.ts";
import { type PlayedCall, toolTurn } from "./support/tool-turn.ts";

const { host, browser } = await openBrowser();
/** One tab with all calls; each test opens the card of its own. */
let page: Page;

const CALLS = [
  ...calls.ALL_CALLS,
  calls.AGENT,
  calls.WAITING,
  calls.REWRITE,
  calls.FAILED_EDIT,
  calls.HOSTILE,
  calls.HUGE,
];

/** The calls with a tool card: a list of tasks has its own kind of card. */
const CARDS = CALLS.filter((call) => call !== calls.TODOS);

beforeAll(async () => {
  await browser.context.grantPermissions(["clipboard-read", "clipboard-write"]);
  page = await browser.context.newPage();
  await play(page, ...CALLS);
  await page
    .locator(".tool")
    .nth(CARDS.length - 1)
    .waitFor();
  await page.locator(".turn-footer").waitFor();
});

/** The tab shows a session in which Claude has made these calls. */
async function play(tab: Page, ...made: readonly PlayedCall[]): Promise<void> {
  const session = await host.createSession({ conversation: toolTurn(...made) });
  await session.message("go");
  await browser.show(tab, session.id);
  await tab.locator(".tool").first().waitFor();
}

/** The card of one of the calls, opened. */
async function opened(call: PlayedCall): Promise<Locator> {
  const card = page.locator(".tool").nth(CARDS.indexOf(call));
  // A card above may still grow, and a click would then land beside the line.
  if ((await card.locator(".tool-body").count()) === 0)
    await card.locator(".tool-line").press("Enter");
  await card.locator(".tool-body").waitFor();
  return card;
}

const textsOf = async (shown: Locator): Promise<string[]> => {
  await shown.first().waitFor();
  return await Promise.all((await shown.all()).map(wordsOf));
};

test("each tool call has a line with its name, its subject and its outcome", async () => {
  const lines = await textsOf(page.locator(".tool-line"));
  expect(lines.slice(0, 13)).toEqual([
    "Bash $ bun test --colors Done",
    "Bash $ seq 1 200 Done",
    // The command stands below, and its purpose here.
    "Bash Make a release Exit code 2",
    "Edit /work/project/src/ greet.ts +1 −1 Done",
    "Write /work/project/src/ new.ts new +1 Done",
    "Read /work/project/src/ greet.ts Done",
    "Glob **/*.ts Done",
    "WebSearch bun bundler Done",
    "count files src Done",
    "shot files Done",
    "Task Find the greeting Done",
    "Bash $ sleep 100 Stopped",
    "Write /work/project/ all.txt +100 −100 Done",
  ]);
});

test("small changes, pictures and failed calls are open, and all else is closed: also a file that was read", async () => {
  const cards = page.locator(".tool");
  const open = await Promise.all(
    CARDS.map(async ({ id }, at) =>
      (await cards.nth(at).locator(".tool-body").count()) > 0 ? [id] : [],
    ),
  );
  expect(open.flat()).toEqual(["failed-bash", "edit", "write", "image", "failed-edit"]);
});

test("a card says the path of its file once, open or closed, and its command and exit code once", async () => {
  for (const call of [calls.EDIT, calls.WRITE, calls.READ]) {
    const card = await opened(call);
    const path = card.getByTitle(String(call.input["file_path"]), { exact: true });
    expect(await path.count()).toBe(1);
  }
  const failed = await wordsOf(await opened(calls.FAILED_BASH));
  for (const said of ["make release", "Make a release", "Exit code 2", "No rule"])
    expect([said, failed.split(said).length - 1]).toEqual([said, 1]);
});

test("a card that a person has closed stays closed", async () => {
  const tab = await browser.tab();
  await play(tab, calls.EDIT);
  const card = tab.locator(".tool");
  await card.locator(".diff").waitFor();
  await card.locator(".tool-line").click();
  await card.locator(".tool-body").waitFor({ state: "detached" });
  expect(await card.locator("details[open]").count()).toBe(0);
});

test("the output of a command has its colours, its last progress and its links, and is copied as text", async () => {
  const card = await opened(calls.BASH);
  await card.getByText("bun test --colors", { exact: true }).waitFor();
  expect(await textsOf(card.locator(".terminal .text-line"))).toEqual([
    "Tests",
    "✓ adds [1 ms]",
    "building 100%",
    "✗ divides",
    "report",
  ]);
  const failed = card.getByText("✗ divides");
  expect(await failed.evaluate((shown) => getComputedStyle(shown).color)).toBe("rgb(205, 49, 49)");
  const link = card.getByRole("link", { name: "report" });
  expect(await link.getAttribute("href")).toBe("https://example.com/report");
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  await card.getByRole("button", { name: "Copy output" }).click();
  await card.getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toBe("Tests\n✓ adds [1 ms]\nbuilding 100%\n✗ divides\nreport");
});

test("a long output shows its first and last lines, and all of them on demand", async () => {
  const card = await opened(calls.LONG_BASH);
  const lines = card.locator(".terminal .text-line");
  expect((await textsOf(lines)).map(Number)).toEqual([
    ...Array.from({ length: 20 }, (_, at) => at + 1),
    ...Array.from({ length: 12 }, (_, at) => at + 189),
  ]);
  await card.getByRole("button", { name: "Show all 200 lines" }).click();
  expect(await lines.count()).toBe(200);
});

test("of very many lines some more are shown at a time", async () => {
  const tab = await browser.tab();
  const result = Array.from({ length: 2_500 }, (_, at) => String(at + 1)).join("\n");
  await play(tab, { ...calls.LONG_BASH, id: "longest", result });
  await tab.locator(".tool-line").click();
  const lines = tab.locator(".terminal .text-line");
  for (const count of [1_032, 2_032]) {
    await tab.getByRole("button", { name: "Show 1,000 more of 2,500 lines" }).click();
    await lines.nth(count - 1).waitFor();
    expect(await lines.count()).toBe(count);
  }
  await tab.getByRole("button", { name: "Show all 2,500 lines" }).click();
  await lines.nth(2_499).waitFor();
});

test("of a thousand lines more at most 200 are drawn in a frame, so that the page goes on meanwhile", async () => {
  const tab = await browser.tab();
  const result = Array.from({ length: 2_500 }, (_, at) => String(at + 1)).join("\n");
  await play(tab, { ...calls.LONG_BASH, id: "blocks", result });
  await tab.locator(".tool-line").click();
  await tab.getByRole("button", { name: /^Show 1,000 more/ }).waitFor();
  const counts = await tab.evaluate(async () => {
    const count = () => document.querySelectorAll(".terminal .text-line").length;
    const seen = [count()];
    document.querySelector<HTMLElement>(".show-all")?.click();
    while (count() < 1_032) {
      await new Promise(requestAnimationFrame);
      seen.push(count());
    }
    return seen;
  });
  expect(counts.at(-1)).toBe(1_032);
  const steps = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
  expect(Math.max(...steps)).toBeLessThanOrEqual(200);
});

test("an edit is drawn as a diff with the numbers of its lines, and with the words marked that differ", async () => {
  const card = await opened(calls.EDIT);
  const rows = await textsOf(card.locator(".diff-row"));
  expect(rows).toEqual([
    "11 11 export function greet(name: string) {",
    // The words that differ stand apart from the others.
    '12 − return " Hello " + name;',
    '12 + return " Good morning, " + name;',
    "13 13 }",
  ]);
  expect(await textsOf(card.locator("mark"))).toEqual(["Hello", "Good", "morning,"]);
});

test("a file that is written anew has a diff, and a long diff is folded", async () => {
  const card = await opened(calls.REWRITE);
  await card.locator(".diff-row").nth(69).waitFor();
  expect(await card.locator(".diff-row").count()).toBe(70);
  await card.getByRole("button", { name: "Show all 200 lines" }).click();
  await card.locator(".diff-removed").nth(99).waitFor();
  expect(await card.locator(".diff-removed").count()).toBe(100);
});

test("a new file is drawn as code", async () => {
  const card = await opened(calls.WRITE);
  expect((await card.locator("pre code").textContent())?.trim()).toBe("export const answer = 42;");
  expect(await card.locator(".diff-row").count()).toBe(0);
});

test("a file that was read has the numbers of its lines", async () => {
  const card = await opened(calls.READ);
  const lines = await textsOf(card.locator(".file-line"));
  expect(lines).toEqual(["7 one", "8 two"]);
});

test("found files are a list, and found pages are links", async () => {
  const files = await opened(calls.GLOB);
  expect(await textsOf(files.locator(".paths .path-name"))).toEqual(["a.ts", "b.ts"]);
  const pages = await opened(calls.SEARCH);
  const link = pages.getByRole("link", { name: "Bundler" });
  expect(await link.getAttribute("href")).toBe("https://bun.com/docs/bundler");
  await pages.getByText("It bundles.").waitFor();
});

test("the fields of an MCP tool are named, and its JSON is set out", async () => {
  const card = await opened(calls.MCP);
  expect(await textsOf(card.locator("dt"))).toEqual(["folder", "deep"]);
  expect(await textsOf(card.locator("dd"))).toEqual(["src", '{ "hidden": true }']);
  expect((await card.locator("pre code").textContent())?.trim()).toBe(
    '{\n  "files": 12,\n  "lines": 3456\n}',
  );
});

test("an image is shown and enlarged, and an SVG is left out", async () => {
  const card = await opened(calls.IMAGE);
  await card.getByRole("button", { name: "Enlarge result 1" }).waitFor();
  expect(await card.getByRole("button", { name: /Enlarge/ }).count()).toBe(1);
  await card.getByRole("button", { name: "Enlarge result 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Image" });
  const large = dialog.getByRole("img", { name: "Result in full size" });
  await large.waitFor();
  const width = await large.evaluate(async (image: HTMLImageElement) => {
    await image.decode();
    return image.naturalWidth;
  });
  expect(width).toBe(20);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("a list of tasks is a checklist, with the tasks that Claude has left when the turn has ended", async () => {
  expect(await textsOf(page.locator(".checklist .todo"))).toEqual([
    ...["Read the sources", "Run the tests", "Write it down"],
  ]);
  expect(await page.locator(".checklist").getByRole("img", { name: "Not finished" }).count()).toBe(
    1,
  );
});

test("the card of an agent holds its prompt, its steps and its report", async () => {
  const tab = await browser.tab();
  await play(tab, calls.AGENT_START, calls.AGENT_READ, calls.AGENT_END);
  const card = tab.locator(".tool").first();
  await card.locator(".tool-line").first().click();
  await card.getByText("Where is the greeting made?").waitFor();
  await card.locator(".tool", { hasText: "Read" }).waitFor();
  expect(await card.locator("strong").textContent()).toBe("src/greet.ts");
});

test("a failed command shows its output, without the marks for the model", async () => {
  const card = await opened(calls.FAILED_EDIT);
  expect(await textsOf(card.locator(".terminal .text-line"))).toEqual([
    "String to replace not found in file.",
  ]);
});

test("an enormous line is cut until a person wants all of it", async () => {
  const card = await opened(calls.HUGE);
  const line = card.locator(".terminal .text-line");
  expect((await wordsOf(line)).length).toBeLessThan(3_000);
  await card.getByRole("button", { name: "Show all 20,000 characters" }).click();
  expect(await wordsOf(line)).toBe("y".repeat(20_000));
});

test("hostile names, texts and addresses are drawn as text", async () => {
  const card = await opened(calls.HOSTILE);
  const words = await wordsOf(card);
  expect(words).toContain("<img src=x onerror=alert(1)>");
  expect(words).toContain("\\u{202e}");
  expect(await card.locator("img, a, script").count()).toBe(0);
});

test("open cards of every kind have nothing that axe finds serious, and nothing that overflows", async () => {
  const tab = await browser.tab();
  await play(tab, ...calls.ALL_CALLS.filter((call) => call !== calls.LONG_BASH));
  const closed = tab.locator("details:not([open]) > .tool-line");
  while ((await closed.count()) > 0) await closed.first().click();
  await tab.locator(".tool-body").last().waitFor();
  expect(await findFaults(tab)).toEqual([]);
}, 120_000);
