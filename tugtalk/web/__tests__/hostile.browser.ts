/** A hostile transcript is drawn harmlessly: nothing of it runs, loads, or shows as something else. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { HOSTILE, HOSTILE_TITLE, HOSTILE_TURN } from "./support/hostile-text.ts";
import { openBrowser } from "./support/opened-browser.ts";

const { host, browser } = await openBrowser();

type Watched = typeof globalThis & { violations?: string[]; ran?: number; hostile?: () => void };

/** Runs before the page: counts the violations that it refuses, and the scripts that a hostile text runs. */
function watch(): void {
  const watched: Watched = globalThis;
  const violations: string[] = [];
  watched.violations = violations;
  watched.ran = 0;
  watched.hostile = () => {
    watched.ran = (watched.ran ?? 0) + 1;
  };
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, sample }) => {
    violations.push(`${violatedDirective}: ${sample}`);
  });
}

/** Finds elements that must not be in the document; runs in the page. */
function findHarm(): string[] {
  const elements = [...document.querySelectorAll("*")];
  const harm = elements.flatMap((element) =>
    [...element.attributes]
      .filter(({ name }) => name.startsWith("on") || name === "srcdoc" || name === "formaction")
      .map(({ name }) => `${element.tagName} has ${name}`),
  );
  const forbidden = "iframe, object, embed, base, form[action], math, video, audio, body style";
  for (const { tagName } of document.querySelectorAll(`${forbidden}, body script, body link`))
    harm.push(`there is a ${tagName}`);
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const isOutside = /^(?:https?:\/\/|mailto:)/.test(href);
    if (!isOutside && !href.startsWith("#")) harm.push(`a link to ${href}`);
    if (isOutside && link.getAttribute("rel") !== "noopener noreferrer") harm.push("a bare link");
    if (isOutside && link.getAttribute("target") !== "_blank") harm.push("a link in this tab");
  }
  for (const { src } of document.querySelectorAll("img"))
    if (!/^(?:data:image\/(?:png|jpeg|gif|webp);|blob:)/.test(src)) harm.push(`a picture ${src}`);
  return harm;
}

/** Finds texts that the page shows as another text; runs in the page. */
function findHidden(): string[] {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent ?? "";
    if (/[^\P{Cc}\n\t\r]|[\u202a-\u202e\u2066-\u2069\u200b]/u.test(text))
      found.push(
        `${node.parentElement?.closest("[class]")?.className}: ${JSON.stringify(text.slice(0, 40))}`,
      );
  }
  return found;
}

/** Opens all folded parts. */
async function unfold(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
  });
}

test("nothing of a hostile transcript runs, loads, or shows as something else", async () => {
  await browser.context.addInitScript(watch);
  const session = await host.createSession({ title: HOSTILE_TITLE, conversation: HOSTILE_TURN });
  const page = await browser.tab(session.id);
  await session.message(HOSTILE);
  await page.getByRole("button", { name: "Allow Y", exact: true }).waitFor();
  await page.getByText("<script>hostile()</script>").first().waitFor();
  await unfold(page);
  await page.locator(".code .hl-tag, .code .hl-keyword").first().waitFor();

  expect(await page.evaluate(findHarm)).toEqual([]);
  expect(await page.evaluate(findHidden)).toEqual([]);
  expect(
    await page.getByRole("link", { name: "fine", exact: true }).first().getAttribute("href"),
  ).toBe("https://fine.example/a?b=c&d=e");
  await page.goto(`${host.pageUrl}/#/`);
  await page.getByText("<img src=x onerror=hostile()>").first().waitFor();
  expect(await page.evaluate(findHarm)).toEqual([]);
  expect(
    await page.evaluate(() => {
      const { violations, ran }: Watched = globalThis;
      return { violations, ran };
    }),
  ).toEqual({ violations: [], ran: 0 });
});

test("the page cannot make elements of HTML, nor code of text", async () => {
  const page = await browser.tab();
  await page.getByRole("main").waitFor();
  const refused = await page.evaluate(() => {
    const attempts = [
      () => document.createElement("div").setHTMLUnsafe("<b></b>"),
      () => {
        document.createElement("div").innerHTML = "<b></b>";
      },
      () => {
        document.createElement("script").text = "1";
      },
    ];
    return attempts.map((attempt) => {
      try {
        attempt();
        return "done";
      } catch (error) {
        return error instanceof TypeError ? "refused" : String(error);
      }
    });
  });
  expect(refused).toEqual(["refused", "refused", "refused"]);
  // Chromium reports each attempt.
  const reports = browser.problems.splice(0);
  expect(reports.filter((report) => report.includes("has been blocked"))).toHaveLength(3);
  expect(reports).toHaveLength(3);
});
