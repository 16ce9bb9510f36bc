/** The page of one's own: installed, checked, built and served as its document says, and used in Chromium. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { codeBlocks, document } from "../../__tests__/support/markdown.ts";
import { endBrowser, launchedBrowser } from "../../testing/drivers/browser.ts";
import { endHosts, startHost } from "../../testing/drivers/host-process.ts";
import { startNginx } from "../../testing/drivers/nginx.ts";
import { freePort } from "../../testing/drivers/postgres-server.ts";
import { endExamples } from "./support/example-process.ts";
import { INSTALL_LIMIT_MS, Recipe } from "./support/recipe.ts";

let url = "";
let page: Page;
let host: Awaited<ReturnType<typeof startHost>>;
let recipe: Recipe;

/** The commands know of no host. */
const WITHOUT_HOST = "unset TUGTALK_TOKEN_FILE; export XDG_STATE_HOME=/none;";

beforeAll(async () => {
  // Without a Claude its sessions play the demonstration.
  host = await startHost({ claude: "" });
  recipe = await Recipe.open("own-page.md", {
    TUGTALK_HOST: host.url,
    TUGTALK_TOKEN_FILE: join(host.dataDir, "token"),
    NO_COLOR: "1",
  });
  const [build = "", serve = ""] = codeBlocks(document("tugtalk/examples/own-page.md"), "sh");
  await recipe.run(`${WITHOUT_HOST}\n${build}`);
  const { output } = recipe.start(serve);
  [url = ""] = /http:\/\/localhost:\d+/.exec(await output.waitFor(/localhost:\d+\/\n/)) ?? [];
  page = await (await launchedBrowser()).newPage();
}, INSTALL_LIMIT_MS);
afterAll(async () => {
  await endBrowser();
  await endExamples();
  await endHosts();
});

async function say(text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.keyboard.press("Enter");
}

test("the page streams an answer, and a person allows, denies and answers on it", async () => {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("favicon"))
      problems.push(message.text());
  });
  page.on("pageerror", ({ message }) => problems.push(message));
  await page.goto(url);
  await say("hello");
  await page.getByText("# Welcome to tugtalk").waitFor();
  await say("show me the tools");
  for (const [tool, choice] of [
    ["Write", "Allow"],
    ["Edit", "Deny"],
    ["Bash", "Allow"],
  ] as const) {
    const prompt = page.locator("p", { hasText: `May ${tool} run?` });
    await prompt.getByRole("button", { name: choice }).click();
  }
  await page.getByLabel("Which language should the greeting use?").fill("Latin");
  await page.getByLabel("What should be checked before a release?").fill("Tests");
  await page.getByRole("button", { name: "Answer" }).click();
  await page.getByText("Thank you, noted.").waitFor();
  expect(problems).toEqual([]);
});

test("a page that is reloaded shows the session as it was", async () => {
  await page.reload();
  await page.getByText("Thank you, noted.").waitFor();
});

test("the page says so where there is no session of its address", async () => {
  const other = await (await launchedBrowser()).newPage();
  await other.goto(`${url}/#nothing`);
  await other.getByText("There is no such session.").waitFor();
});

/** How a page fares that opens a WebSocket with the host by the server in between. */
function openSocket(from: Page): Promise<string> {
  return from.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        socket.onopen = () => resolve("open");
        socket.onerror = () => resolve("refused");
      }),
    `${url.replace("http", "ws")}/ws`,
  );
}

test("the server in between lets in its own page, and no page of another site", async () => {
  const ask = (origin: string) => fetch(`${url}/api/sessions`, { headers: { origin } });
  expect((await ask(url)).status).toBe(200);
  expect((await ask("http://other.example")).status).toBe(404);
  const other = await (await launchedBrowser()).newPage();
  await other.goto("data:text/html,another site");
  expect([await openSocket(page), await openSocket(other)]).toEqual(["open", "refused"]);
});

/** The first line of the answer to a request whose Host and Origin are the same foreign name. */
function askAsForeign(path: string, ...headers: readonly string[]): Promise<string> {
  const name = `evil.example:${new URL(url).port}`;
  const own = [`Host: ${name}`, `Origin: http://${name}`, ...headers];
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), "localhost");
    socket.on("data", (data) => {
      resolve(data.toString().split("\r\n")[0] ?? "");
      socket.destroy();
    });
    socket.on("close", () => resolve("closed"));
    socket.on("error", reject);
    socket.write([`GET ${path} HTTP/1.1`, ...own, "", ""].join("\r\n"));
  });
}

test("the server in between refuses a page whose own name leads to this machine", async () => {
  const upgrade = [
    ...["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"],
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  ];
  expect(await askAsForeign("/api/sessions")).toMatch(/ 40[34] /);
  expect(await askAsForeign("/ws", ...upgrade)).toMatch(/ 40[34] |^closed$/);
});

test("without a token the page is not served, and the error says what to do", async () => {
  const serve = recipe.start(`${WITHOUT_HOST} npm run dev`);
  expect(await serve.ended).not.toBe(0);
  expect(serve.errors()).toContain("No token of a host in /none/tugtalk/host/token. Start `npx");
});

/** The built page behind nginx, configured as the example says but for ports and paths. */
async function serveBuilt(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }> {
  const port = freePort();
  const folder = join(recipe.folder, "nginx");
  const configuration = document("tugtalk/examples/own-page/nginx.conf")
    .replaceAll("127.0.0.1:7717", new URL(host.url).host)
    .replaceAll(":8080", `:${port}`)
    .replace("/srv/own-page", join(recipe.folder, "dist"))
    .replace("tugtalk-token.conf", join(recipe.folder, "token.conf"));
  const line = `proxy_set_header Authorization "Bearer ${host.token}";`;
  writeFileSync(join(recipe.folder, "token.conf"), line);
  // As the nginx.conf of a system has them, in short.
  const general = "access_log off; types { text/html html; text/javascript js; }";
  const stop = await startNginx(folder, `${general}\n${configuration}`);
  return { url: `http://localhost:${port}`, stop };
}

test("nginx serves the built page, and keeps other sites and other names out", async () => {
  const built = await serveBuilt();
  const ask = async (headers: Readonly<Record<string, string>>) =>
    (await fetch(`${built.url}/api/sessions`, { headers })).status;
  try {
    const visitor = await (await launchedBrowser()).newPage();
    await visitor.goto(built.url);
    await visitor.getByLabel("Message").fill("hello");
    await visitor.keyboard.press("Enter");
    await visitor.getByText("# Welcome to tugtalk").waitFor();
    expect(await ask({ origin: built.url })).toBe(200);
    for (const foreign of [
      { origin: "http://other.example" },
      { host: "other.example" },
      { "sec-fetch-site": "cross-site" },
    ])
      expect(await ask(foreign)).toBe(403);
  } finally {
    await built.stop();
  }
});
