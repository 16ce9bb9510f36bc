/**
 * Chromium for tests of the page: one process a test file, a context of its own for each signed-in person.
 * Errors that the page logs or throws, and each request that leaves the host's origin are kept,
 * so that a test can say that there were none.
 */
import { existsSync } from "node:fs";
import {
  type Browser,
  type BrowserContext,
  type CDPSession,
  chromium,
  type Page,
  type Request,
} from "playwright-core";
import { linkTo } from "../../host/link.ts";
import { readHostRecord } from "../../host/server/data-folder.ts";
import type { TestHost } from "./host-process.ts";

/** The first one has no windows, which cost a third of the processor time of these tests. */
const CHROMIUM = [
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
].find((path) => existsSync(path));

/**
 * The address bar and a process in reserve cost more than half of a tab, and no test uses them. Chromium
 * takes this list in place of Playwright's, so it also has the features that Playwright switches off on
 * Linux.
 */
const UNUSED_FEATURES = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "WebUIOmniboxFullPopup",
  "SpareRendererForSitePerProcess",
  "AimEnabled",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
];

const FLAGS = [
  `--disable-features=${UNUSED_FEATURES.join(",")}`,
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  // A scrolled part is at its place at once.
  "--disable-smooth-scrolling",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

let browser: Promise<Browser> | undefined;

/** The Chromium of this test file. */
export function launchedBrowser(): Promise<Browser> {
  browser ??= launchChromium();
  return browser;
}

/** A Chromium of its own, which the caller closes. In `home` are the authorities that it trusts. */
export async function launchChromium({
  args = [],
  home,
}: {
  readonly args?: readonly string[];
  readonly home?: string;
} = {}): Promise<Browser> {
  if (CHROMIUM === undefined) throw new Error("there is no Chromium; apt-get install chromium");
  const env = { ...process.env, ...(home !== undefined && { HOME: home }) };
  return await chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...args], env });
}

/** Ends Chromium. Call it in `afterAll`. */
export async function endBrowser(): Promise<void> {
  await (await browser)?.close();
  browser = undefined;
}

export type BrowserOptions = {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
  readonly reducedMotion?: "reduce" | "no-preference";
  /** A phone: touch, and no pointer that hovers. */
  readonly isMobile?: boolean;
};

/** The network of a tab. */
export type Network = {
  readonly isOffline?: boolean;
  readonly latencyMs?: number;
  readonly bytesPerSecond?: number;
};

/** Chromium's log when the host cannot be reached. */
export const LOST_CONNECTION = /WebSocket connection to .* failed|net::ERR_/;

/** The scripts that each tab has asked for and neither got nor missed. */
const scripts = new WeakMap<Page, Set<Request>>();

/**
 * Follows only the requests for scripts: Chromium reports no end of an answer that the page does not read.
 */
function followScripts(page: Page): void {
  const open = new Set<Request>();
  scripts.set(page, open);
  page.on("request", (request) => {
    if (request.resourceType() === "script") open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
}

/** Whether code of the tab is on its way, for example a part that is loaded with its first use. */
export function isLoading(page: Page): boolean {
  return (scripts.get(page)?.size ?? 0) > 0;
}

/** A browser that is signed in, with its own cookies and storage. */
export class TestBrowser {
  readonly context: BrowserContext;
  /** Errors of the page, and requests that went elsewhere than to the host. */
  readonly problems: string[] = [];
  readonly #host: TestHost;
  readonly #devTools = new WeakMap<Page, CDPSession>();
  readonly #tabs = new Set<Page>();

  private constructor(context: BrowserContext, host: TestHost) {
    this.context = context;
    this.#host = host;
    context.on("page", followScripts);
    context.on("request", (request) => {
      const url = request.url();
      if (!/^(?:data|blob):/.test(url) && !url.startsWith(`${host.pageUrl}/`))
        this.problems.push(`request to ${url}`);
    });
    context.on("weberror", (error) => this.problems.push(String(error.error())));
    context.on("console", (message) => {
      if (message.type() === "error") this.problems.push(message.text());
    });
  }

  static async open(host: TestHost, options: BrowserOptions = {}): Promise<TestBrowser> {
    const { width = 1280, height = 800, colorScheme = "light", reducedMotion = "reduce" } = options;
    const { isMobile = false } = options;
    const context = await (await launchedBrowser()).newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion,
      isMobile,
      hasTouch: isMobile,
    });
    await context.addCookies([await signInCookie(host)]);
    return new TestBrowser(context, host);
  }

  /** A tab with the board, or with a session. */
  async tab(sessionId?: string): Promise<Page> {
    const page = await this.context.newPage();
    this.#tabs.add(page);
    await this.show(page, sessionId);
    return page;
  }

  /** Closes the tabs that `tab` has opened: each follows its host, and draws all changes there. */
  async closeTabs(): Promise<void> {
    await Promise.all([...this.#tabs].map((page) => page.close()));
    this.#tabs.clear();
  }

  /** The same in a tab that is there already. The tab keeps nothing of its earlier page. */
  async show(page: Page, sessionId?: string): Promise<void> {
    // A change of the fragment alone loads nothing.
    await page.goto("about:blank");
    await page.goto(`${this.#host.pageUrl}/${sessionId === undefined ? "" : `#/s/${sessionId}`}`);
  }

  /**
   * Makes the network of a tab bad, or good again. Data for a tab that is offline waits, as in a network that
   * loses every packet: no connection is closed.
   */
  async setNetwork(page: Page, network: Network): Promise<void> {
    const { isOffline = false, latencyMs = 0, bytesPerSecond = -1 } = network;
    // The conditions that one session has set hold as long as it does.
    const devTools = this.#devTools.get(page) ?? (await this.context.newCDPSession(page));
    this.#devTools.set(page, devTools);
    await devTools.send("Network.emulateNetworkConditions", {
      offline: isOffline,
      latency: latencyMs,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond,
    });
  }

  /** The problems of a test in which the host could not be reached for some time. */
  get otherProblems(): readonly string[] {
    return this.problems.filter((problem) => !LOST_CONNECTION.test(problem));
  }

  /** Ends it, with its tabs. */
  async close(): Promise<void> {
    await this.context.close();
  }
}

/** The cookie that a link of the host sets. */
async function signInCookie(host: TestHost) {
  const record = readHostRecord(host.dataDir);
  if (record === undefined) throw new Error("the host does not run");
  const response = await fetch(linkTo(record, Date.now()), { redirect: "manual" });
  const [pair = ""] = (response.headers.get("set-cookie") ?? "").split(";");
  const [name = "", value = ""] = pair.split("=");
  return { name, value, url: host.pageUrl };
}
