/** The cache of real CLIs and their throw-away homes, without any network. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { failureOf } from "../../testing/drivers/failure.ts";
import { claudeCommand } from "../cli-cache.ts";
import { createIsolatedHome, isolatedEnvironment } from "../isolated-home.ts";

const PACKAGE = "node_modules/@anthropic-ai/claude-code";
const NPM_TIMEOUT_MS = 30_000;

const npmSettings = { npm_config_registry: "", npm_config_fetch_retries: "0" };
let registry: Bun.Server<undefined>;

beforeAll(() => {
  registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => Response.json({ error: "not found" }, { status: 404 }),
  });
  npmSettings.npm_config_registry = registry.url.href;
  Object.assign(process.env, npmSettings);
});

afterAll(async () => {
  for (const name of Object.keys(npmSettings)) delete process.env[name];
  await registry.stop(true);
});

function cacheWith(version: string, ...files: string[]): string {
  const cache = mkdtempSync(join(tmpdir(), "cli-cache-"));
  for (const file of files) {
    mkdirSync(join(cache, version, file, ".."), { recursive: true });
    writeFileSync(join(cache, version, file), "");
  }
  return cache;
}

test("an installed native binary is started as it is", async () => {
  const binary = `${PACKAGE}-${process.platform}-${process.arch}/claude`;
  const cache = cacheWith("7.0.0", "installed", binary);
  expect(await claudeCommand("7.0.0", cache)).toEqual([join(cache, "7.0.0", binary)]);
});

test("an older version is started by node", async () => {
  const script = `${PACKAGE}/cli.js`;
  const cache = cacheWith("7.0.1", "installed", script);
  const [node, ...args] = await claudeCommand("7.0.1", cache);
  expect(node).toEndWith("node");
  expect(args).toEqual([join(cache, "7.0.1", script)]);
});

test("an install for another platform is an error that names the folder", async () => {
  const cache = cacheWith("7.0.2", "installed");
  expect((await failureOf(claudeCommand("7.0.2", cache))).message).toContain(join(cache, "7.0.2"));
});

test(
  "a folder without its finish marker is not taken for an install, and the failed one leaves nothing",
  async () => {
    const cache = cacheWith("7.0.3", `${PACKAGE}/cli.js`);
    const message = await claudeCommand("7.0.3", cache).then(
      String,
      (error: Error) => error.message,
    );
    expect(message).toStartWith("cannot install claude 7.0.3: `npm install --prefix ");
    expect(message).toContain("@anthropic-ai/claude-code@7.0.3` failed (exit 1)");
    expect(message).toContain("make the registry reachable");
    expect(readdirSync(cache)).toEqual(["7.0.3"]);
  },
  NPM_TIMEOUT_MS,
);

test(
  "drafts of an interrupted install are swept away after their time, and not before",
  async () => {
    const cache = cacheWith("7.0.4");
    for (const name of ["7.0.4.1-old.tmp", "7.0.4.1-new.tmp"]) mkdirSync(join(cache, name));
    const longAgo = new Date(Date.now() - 7_200_000);
    utimesSync(join(cache, "7.0.4.1-old.tmp"), longAgo, longAgo);
    expect((await failureOf(claudeCommand("7.0.4", cache))).message).toContain("cannot install");
    expect(readdirSync(cache)).toEqual(["7.0.4.1-new.tmp"]);
  },
  NPM_TIMEOUT_MS,
);

test("an isolated environment inherits nothing but PATH", () => {
  const place = { home: "/h", configDir: "/h/.claude", apiUrl: "http://127.0.0.1:1" };
  const environment = isolatedEnvironment(place);
  expect(environment).toMatchObject({
    PATH: process.env["PATH"],
    HOME: "/h",
    CLAUDE_CONFIG_DIR: "/h/.claude",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:1",
    TMPDIR: "/h/tmp",
  });
  expect(environment).not.toHaveProperty("npm_config_registry");
});

test("an isolated home has an empty project and is removed whole", async () => {
  const home = await createIsolatedHome({ trusted: true });
  expect(readdirSync(home.project)).toEqual([]);
  expect(await Bun.file(join(home.configDir, ".claude.json")).json()).toMatchObject({
    hasCompletedOnboarding: true,
    projects: { [home.project]: { hasTrustDialogAccepted: true } },
  });
  await home.remove();
  expect(existsSync(home.root)).toBe(false);
});
