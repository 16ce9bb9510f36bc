/** The set-up of a file of browser tests: one host, and a browser that is signed in. */
import { afterAll, afterEach, expect } from "bun:test";
import { endBrowser, TestBrowser } from "../../../testing/drivers/browser.ts";
import {
  endHosts,
  type HostOptions,
  startHost,
  type TestHost,
} from "../../../testing/drivers/host-process.ts";

/**
 * Starts a host and a browser for all tests of the file that calls this at its top. Both end after the last
 * test, and tabs end with their test. A test fails if a tab had a problem that `cause` does not match.
 */
export async function openBrowser(
  options: HostOptions = {},
  cause?: RegExp,
): Promise<{ readonly host: TestHost; readonly browser: TestBrowser }> {
  endAfterTests();
  try {
    const host = await startHost(options);
    const browser = await TestBrowser.open(host);
    afterEach(async () => {
      const problems = browser.problems.splice(0);
      await browser.closeTabs();
      expect(problems.filter((problem) => cause?.test(problem) !== true)).toEqual([]);
    });
    return { host, browser };
  } catch (error) {
    // The hooks of a file that does not load are not run.
    await endAll();
    throw error;
  }
}

/** Ends all hosts and browsers of a file, after its last test. */
export function endAfterTests(): void {
  afterAll(endAll);
}

async function endAll(): Promise<void> {
  await endBrowser();
  await endHosts();
}
