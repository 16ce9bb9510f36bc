/** Fast mode, ultracode, login and logout with a real `claude`, as far as its own API answers them. */
import { expect } from "bun:test";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fieldsOf } from "../../src/base/json.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import { UNDER_TEST } from "../../testing/drivers/bridge-process.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

test("fast mode and ultracode are in the requests to the model, from when they are chosen until they are given up", async ({
  claude,
  home,
  api,
}) => {
  const env = home.environment(api.url);
  const agent = new AcpAgent({ claude, env, isIsolated: true });
  await agent.initialize();
  const sessionId = await agent.open(home.project);
  const asked = async (configId: string, value: string) => {
    await agent.ask("session/set_config_option", { sessionId, configId, value });
    api.script("Done.");
    await agent.prompt(sessionId, `${configId} ${value}`);
    return fieldsOf(api.requests.findLast(({ kind }) => kind === "main")?.body);
  };
  const newest = (body: ReturnType<typeof fieldsOf>) =>
    JSON.stringify(Array.isArray(body["messages"]) ? body["messages"].slice(-2) : []);
  expect(await asked("fast", "on")).toMatchObject({ speed: "fast" });
  expect(newest(await asked("ultracode", "on"))).toContain("Ultracode is on");
  expect(newest(await asked("ultracode", "off"))).toContain("Ultracode is off");
  expect(await asked("fast", "off")).not.toHaveProperty("speed");
  expect(await agent.end()).toBe(0);
});

test("a logout removes the login, and the next session is refused; the login asks in its terminal, and ends as Claude's does", async ({
  claude,
  home,
  api,
}) => {
  const { ANTHROPIC_API_KEY: _, ...env } = home.environment(api.url);
  const credentials = join(home.configDir, ".credentials.json");
  // Made up.
  const login = {
    accessToken: "sk-ant-oat01-none",
    refreshToken: "sk-ant-ort01-none",
    expiresAt: Date.now() + 24 * 60 * 60 * 1000,
    scopes: ["user:inference", "user:profile"],
    subscriptionType: "max",
  };
  writeFileSync(credentials, JSON.stringify({ claudeAiOauth: login }), { mode: 0o600 });
  const agent = new AcpAgent({ claude, env, isIsolated: true });
  await agent.initialize();
  await agent.open(home.project);
  expect(await agent.ask("logout", {})).toMatchObject({ result: {} });
  expect(existsSync(credentials)).toBe(false);
  const refused = await agent.ask("session/new", { cwd: home.project, mcpServers: [] });
  expect(refused).toMatchObject({ error: { code: -32000 } });
  expect(await agent.end()).toBe(0);

  // Nobody is behind the proxy of this home.
  const asking = Bun.spawn([...UNDER_TEST, "acp", `--claude=${claude}`, "--login"], {
    stdio: ["pipe", "pipe", "ignore"],
    env,
  });
  let shown = "";
  for await (const chunk of asking.stdout.pipeThrough(new TextDecoderStream())) {
    shown += chunk;
    if (!shown.endsWith("> ")) continue;
    asking.stdin.write("a-code#a-state\n");
    await asking.stdin.flush();
  }
  expect(shown).toContain("https://claude.ai/oauth/authorize");
  expect(await asking.exited).toBe(1);
});
