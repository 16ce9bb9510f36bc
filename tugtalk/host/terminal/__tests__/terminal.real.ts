/** The terminal with the real CLI of every measured version, in a real pseudo-terminal. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mcpServer } from "../../../simulator/mcp-server.ts";
import { MEASURED_VERSIONS } from "../../../simulator/measured-versions.ts";
import { CHECKED_BRIDGE } from "../../../testing/drivers/bridge-process.ts";
import { leftAfter } from "../../../testing/drivers/processes.ts";
import { startGate } from "../../../testing/real/real-gate.ts";
import { callTool, openRealPlace, type RealPlace } from "../../../testing/real/real-session.ts";
import { descendantsOf } from "./support/descendants.ts";
import { endTerminals, startInteractive } from "./support/terminal-process.ts";

afterEach(endTerminals);

const IDLE = "> \u001b[3G";
const ASKING = "? \u001b[3G";

for (const version of MEASURED_VERSIONS) {
  describe(`the terminal with ${version}`, () => {
    let place: RealPlace;
    beforeAll(async () => {
      place = await openRealPlace(version);
    });
    afterAll(() => place.close());

    async function start(args: readonly string[] = []) {
      const command = ["--claude", place.claude, "--dir", place.home.project, ...args];
      const env = { ...place.home.environment(place.api.url), TUGTALK_BRIDGE: CHECKED_BRIDGE };
      const interactive = startInteractive({ args: command, env });
      await interactive.output.wait("session ");
      await interactive.output.wait(IDLE);
      return interactive;
    }

    function configureServer(): void {
      const config = join(place.home.project, ".mcp.json");
      writeFileSync(config, JSON.stringify({ mcpServers: { tide: mcpServer() } }));
      const settings = join(place.home.configDir, "settings.json");
      writeFileSync(settings, JSON.stringify({ enableAllProjectMcpServers: true }));
    }

    test("closing its window in a turn ends the bridge, Claude and its MCP server", async () => {
      configureServer();
      using gate = startGate();
      place.api.script(callTool("mcp__tide__wait", { url: gate.url }));
      const { child, output, type, terminal } = await start();
      type("wait\r");
      await output.wait("Allow it?");
      await output.wait(ASKING);
      type("y\r");
      await gate.reached;
      const started = descendantsOf(child.pid);
      // The bridge, Claude, and the MCP server.
      expect(started.length).toBeGreaterThanOrEqual(3);
      terminal.close();
      await child.exited;
      expect(await leftAfter([child.pid, ...started], 15_000)).toEqual([]);
    });

    // 2.1.38 does not offer elicitation to MCP servers.
    if (version !== "2.1.38") {
      test("an MCP server's form is shown and answered", async () => {
        configureServer();
        place.api.script(callTool("mcp__tide__ask", { question: "Who is there?" }), "Thank you.");
        const { child, output, type } = await start();
        type("ask\r");
        await output.wait("Allow it?");
        await output.wait(ASKING);
        type("y\r");
        await output.wait("The MCP server tide asks: Who is there?");
        await output.wait(ASKING);
        type("y\r");
        await output.wait("Answer: a text, or an empty line to leave it out");
        await output.wait(ASKING);
        type("Ada\r");
        await output.wait("the answer: accept");
        await output.wait("Thank you.");
        type("/exit\r");
        expect(await child.exited).toBe(0);
      });
    }

    test("an Edit shows its diff, and only the exact answer grants it", async () => {
      const file_path = join(place.home.project, "a.txt");
      writeFileSync(file_path, "one\ntwo\nthree\n");
      place.api.script(
        callTool("Read", { file_path }),
        callTool("Edit", { file_path, old_string: "two", new_string: "2" }),
        { content: [{ type: "text", text: "Done so." }] },
      );
      const { child, output, type } = await start();
      type("edit\r");
      await output.wait("  -two");
      await output.wait("  +2");
      await output.wait("switch to the permission mode Accept edits");
      await output.wait(ASKING);
      type("a different name would be better\r");
      await output.wait("That is not one of the answers");
      expect(readFileSync(file_path, "utf8")).toBe("one\ntwo\nthree\n");
      type("y\r");
      await output.wait("Done so.");
      expect(readFileSync(file_path, "utf8")).toBe("one\n2\nthree\n");
      type("/exit\r");
      expect(await child.exited).toBe(0);
    });

    test("an error 400 of the API says what happened", async () => {
      let isRefusing = true;
      const reply = { status: 400, message: "bad thing" };
      place.api.script({ reply, always: true, when: () => isRefusing });
      const { child, output, type } = await start();
      type("hello\r");
      await output.wait("bad thing");
      await output.wait("turn failed: ");
      await output.wait(IDLE);
      isRefusing = false;
      expect(output.text).not.toContain("turn failed: success");
      type("/exit\r");
      expect(await child.exited).toBe(0);
    });

    test("a message that a hook blocks is shown as such, with the reason where Claude gives one", async () => {
      const hook = { type: "command", command: "echo no such words here >&2; exit 2" };
      const settings = join(place.home.configDir, "settings.json");
      const hooks = { UserPromptSubmit: [{ hooks: [hook] }] };
      writeFileSync(settings, JSON.stringify({ hooks }));
      const { child, output, type } = await start();
      type("hello\r");
      // 2.1.38 gives no reason.
      await output.wait(
        version === "2.1.38" ? "a hook may have blocked it" : "]: no such words here",
      );
      type("/exit\r");
      expect(await child.exited).toBe(0);
    });
  });
}
