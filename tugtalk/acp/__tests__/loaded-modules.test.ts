/** The modules that the agent loads. A schema or the reducer would cost it more than the rest of its start. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";

const ROOT = join(import.meta.dir, "..", "..");
const LISTER = join(ROOT, "testing", "drivers", "list-modules.ts");

let agent: AcpAgent | undefined;
afterEach(() => agent?.kill());

test("a session with an MCP server, turns, a permission and a setting loads no schema and no reducer", async () => {
  const folder = mkdtempSync(join(tmpdir(), "modules-"));
  const list = join(folder, "loaded");
  const command = [process.execPath, `--preload=${LISTER}`, join(ROOT, "cli.ts")];
  const env = { TUGTALK_SIM_SCENARIO: "permissions", LOADED_MODULES: list };
  agent = new AcpAgent({ command, env });
  await agent.initialize();
  const server = { name: "one", command: "true", args: ["a"], env: [{ name: "A", value: "b" }] };
  const { result } = await agent.ask("session/new", { cwd: folder, mcpServers: [server] });
  const sessionId = String(Object(result)["sessionId"]);
  const answer = agent.prompt(sessionId, "go");
  const asked = await agent.next(({ method }) => method === "session/request_permission");
  agent.answer(asked, { outcome: { outcome: "selected", optionId: "allow" } });
  expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  await agent.ask("session/set_mode", { sessionId, modeId: "plan" });
  await agent.ask("session/close", { sessionId });
  expect(await agent.end()).toBe(0);
  const loaded = readFileSync(list, "utf8").split("\n");
  expect(loaded).toContain(join(ROOT, "src/history/transcript-ends.ts"));
  expect(loaded.filter((path) => path.includes("/node_modules/"))).toEqual([]);
  expect(loaded).not.toContain(join(ROOT, "client/reduce-session.ts"));
  // A turn that ends as usual needs no words for its failure.
  expect(loaded).not.toContain(join(ROOT, "acp/prompt-answers.ts"));
});
