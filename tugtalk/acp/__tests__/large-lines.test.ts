/** Lines of a client beside the limit of 64 MiB: longer lines are refused, and nothing ends. */
import { expect, test } from "bun:test";
import { tmpdir } from "node:os";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";

/** A request of this many bytes and a few more. */
function ask(agent: AcpAgent, bytes: number) {
  return agent.ask("session/list", { cwd: tmpdir(), _meta: { padding: "x".repeat(bytes) } });
}

test("a line of 34 MB is accepted, one of 70 MB is refused with its id, and the session goes on", async () => {
  const agent = new AcpAgent();
  await agent.initialize();
  const sessionId = await agent.open(tmpdir());
  expect(await ask(agent, 34_000_000)).toMatchObject({ result: { sessions: expect.any(Array) } });
  expect(await ask(agent, 70_000_000)).toMatchObject({ error: { code: -32600 } });
  const answer = await agent.prompt(sessionId, "hello");
  expect(answer).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(await agent.end()).toBe(0);
});
