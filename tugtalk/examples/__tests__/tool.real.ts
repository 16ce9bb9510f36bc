/** The hosts with a tool and a hook, with every measured version of the CLI, whose API is scripted. */
import { afterEach, beforeAll, expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { callTool } from "../../testing/real/real-replies.ts";
import { realTests } from "../../testing/real/real-tests.ts";
import { buildGo, TOOLS } from "./support/chats.ts";
import { endExamples, startExample } from "./support/example-process.ts";

afterEach(endExamples);
beforeAll(() => buildGo("tool"), 120_000);

const test = realTests(...MEASURED_VERSIONS);

for (const [language, command] of Object.entries(TOOLS))
  test(`the host in ${language} runs a tool for Claude, and blocks a command`, async (place) => {
    const { home, api, claude } = place;
    api.script(
      callTool("mcp__host__clock", {}),
      callTool("Bash", { command: "touch refused.txt" }),
      "All done.",
    );
    const bridge = [...CHECKED_COMMAND, `--claude=${claude}`, `--dir=${home.project}`];
    const env = home.environment(api.url);
    const host = startExample([...command, "what time is it?", ...bridge], env, home.root);
    expect(await host.ended).toBe(0);
    expect(host.errors()).toBe("");
    expect(host.output.text).toMatch(
      /^\* mcp__host__clock: \d\d:\d\d\n\* Bash: .*Not here: touch/s,
    );
    expect(host.output.text).toEndWith("All done.\n");
    expect(existsSync(join(home.project, "refused.txt"))).toBe(false);
    expect(await host.left()).toEqual([]);
  });
