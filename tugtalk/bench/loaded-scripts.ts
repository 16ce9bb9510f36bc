/** The scripts that a tab of Chromium loads, with their lengths as the host sends them. */
import type { Page, Response } from "playwright-core";
import { atMost, emitted, type Finding, sum } from "./findings.ts";

/** The most bytes that a browser may load until a session with plain text is drawn. */
export const MAX_SCRIPT_BYTES = 45_000;

export class LoadedScripts {
  readonly #answers: Response[] = [];

  /** Watches a tab from now on. */
  constructor(page: Page) {
    page.on("response", (answer) => {
      if (answer.request().resourceType() === "script") this.#answers.push(answer);
    });
  }

  /** Names and bytes of all requested scripts. */
  sizes(): ReadonlyMap<string, number> {
    return new Map(
      this.#answers.map((answer) => [
        new URL(answer.url()).pathname,
        Number(answer.headers()["content-length"]),
      ]),
    );
  }
}

/** The scripts of a session with plain text. */
export async function scriptFindings(page: Page, show: () => Promise<void>): Promise<Finding[]> {
  const scripts = new LoadedScripts(page);
  await show();
  await page.locator(".turn-footer").waitFor();
  await page.waitForLoadState("networkidle");
  const paint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  const sizes = [...scripts.sizes()];
  const [, eager = Number.NaN] = sizes.find(([name]) => /\/page-\w+\.js$/.test(name)) ?? [];
  const all = sum(sizes.map(([, bytes]) => bytes));
  return [
    emitted("scripts before the first paint, bytes", eager),
    atMost("scripts until plain text is drawn", all, MAX_SCRIPT_BYTES, "bytes"),
    emitted("first paint, ms", paint.toFixed(0)),
  ];
}
