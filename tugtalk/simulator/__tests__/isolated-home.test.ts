/** The throw-away homes of real CLIs. */
import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createIsolatedHome, isolatedEnvironment } from "../isolated-home.ts";

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
  expect(environment).not.toHaveProperty("XDG_STATE_HOME");
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
