/** Sessions that are on the disk alone, over the wire of the agent, whose Claude is the stand-in. */
import { afterEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fieldsOf } from "../../src/base/json.ts";
import { AcpAgent, type AcpOptions } from "../../testing/drivers/acp-agent.ts";
import { openPastSessions, said, sessionId } from "../../testing/drivers/past-sessions.ts";

const agents: AcpAgent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.kill();
});

async function start(options: AcpOptions): Promise<AcpAgent> {
  const agent = new AcpAgent(options);
  agents.push(agent);
  await agent.initialize();
  return agent;
}

test("131 sessions are listed in three pages, the newest first and each once", async () => {
  const past = openPastSessions();
  const ids = Array.from({ length: 131 }, (_, at) => sessionId(at + 1));
  for (const [at, id] of ids.entries())
    past.write(id, [said("a", null, `prompt ${at}`, { cwd: past.project })], 1_000_000 + at);
  const agent = await start({ env: { CLAUDE_CONFIG_DIR: past.configDir } });
  for (const place of [{}, { cwd: past.project }]) {
    const pages: unknown[][] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const { result } = await agent.ask("session/list", { ...place, ...present(cursor) });
      const { sessions, nextCursor = null } = fieldsOf(result);
      pages.push(Array.isArray(sessions) ? sessions.map((session) => session.sessionId) : []);
      cursor = nextCursor;
    }
    expect(pages.map(({ length }) => length)).toEqual([50, 50, 31]);
    expect(pages.flat()).toEqual(ids.toReversed());
  }
  past.remove();
});

const present = (cursor: unknown) => (cursor === undefined ? {} : { cursor });

test("--state-dir has the file of a session that was never prompted, and no other folder has it", async () => {
  const [cwd, stateDir, otherDir] = ["cwd", "state", "other"].map((name) =>
    realpathSync(mkdtempSync(join(tmpdir(), `acp-${name}-`))),
  );
  const first = await start({ args: [`--state-dir=${stateDir}`] });
  const id = await first.open(String(cwd));
  expect(await first.end()).toBe(0);
  expect(existsSync(join(String(stateDir), "acp", `${id}.json`))).toBe(true);
  const resume = async (dir: string | undefined) => {
    const agent = await start({ args: [`--state-dir=${dir}`] });
    return agent.ask("session/resume", { cwd, sessionId: id, mcpServers: [] });
  };
  expect(await resume(otherDir)).toMatchObject({ error: { code: -32002 } });
  expect(await resume(stateDir)).toMatchObject({ result: { modes: {} } });
});
