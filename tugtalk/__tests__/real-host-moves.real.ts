/**
 * Sessions of the reference host that go on at another place, with real CLIs: the requests to the model
 * there.
 */
import { expect } from "bun:test";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { createIsolatedHome } from "../simulator/isolated-home.ts";
import { CHECKED_COMMAND } from "../testing/drivers/bridge-process.ts";
import { type HostOptions, startHost, type TestHost } from "../testing/drivers/host-process.ts";
import { agentInput, as, callTool } from "../testing/real/real-replies.ts";
import { conversationSent } from "../testing/real/real-requests.ts";
import type { RealPlace } from "../testing/real/real-session.ts";
import { inOnePlace } from "../testing/real/real-tests.ts";

/** A host with the place `box`: this machine, with another home and so without the conversations of the first one. */
async function hostWithBox(place: RealPlace) {
  const { claude, home, api } = place;
  const far = await createIsolatedHome();
  const variables = { ...far.environment(api.url), TUGTALK_CLAUDE: claude };
  const environment = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const started = ["sh", "-c", `shift; exec ${CHECKED_COMMAND.join(" ")} "$@"`, "box"];
  const places = join(home.root, "places.json");
  const box = { name: "box", command: ["env", ...environment, ...started], idle_exit: 2 };
  const broken = {
    ...box,
    name: "no-claude",
    command: ["env", ...environment, "TUGTALK_CLAUDE=/no/claude", ...started],
  };
  writeFileSync(places, JSON.stringify({ places: [box, broken] }));
  const options: HostOptions = {
    claude,
    args: [`--places=${places}`],
    env: home.environment(api.url),
  };
  return { place, api, far, host: await startHost(options) };
}

type Moved = Awaited<ReturnType<typeof hostWithBox>>;

/** Has a turn in this session. */
async function turn(
  { host, api }: Moved,
  id: string,
  text: string,
  ...replies: Parameters<typeof api.script>
) {
  const events = await host.events(`/api/sessions/${id}/events?after=0`);
  api.script(...replies);
  await host.run("message", { id, message: text });
  const said = replies.at(-1);
  await events.next(({ type, data }) => type === "turn_complete" && data["text"] === said);
  events.close();
}

async function mirrored(host: TestHost, fields: object = {}): Promise<string> {
  const { status, body } = await host.run("create", {
    dir: host.newFolder(),
    trust: true,
    mirror: true,
    ...fields,
  });
  expect({ status, body }).toMatchObject({ status: 201, body: { mirror: true } });
  return String(body["id"]);
}

/** The texts to Claude and by it, with the tools. */
const told = (api: Moved["api"]) => conversationSent(api).join("\n");

inOnePlace(["2.1.197", "2.1.330"], hostWithBox, (test) => {
  test("a session whose transcript is lost goes on at a place with another home, with all its turns, and back", async (moved) => {
    const { host, api, place, far } = moved;
    const id = await mirrored(host);
    const { subagentTool } = place.expected;
    await turn(moved, id, "one", "First.");
    const call = callTool(subagentTool, agentInput("look", { run_in_background: false }));
    await turn(moved, id, "delegate", call, as("look", "A heron."), "Delegated.");
    const before = told(api);
    await host.run("delete", { id, keep: true });
    rmSync(join(place.home.configDir, "projects"), { recursive: true });

    const dir = join(far.root, "elsewhere");
    mkdirSync(dir);
    const answer = await host.run("move", { id, place: "box", dir, trust: true });
    expect(answer).toMatchObject({ status: 200, body: { id, place: "box", dir, state: "idle" } });
    const files = [...new Glob("projects/*/**/*.json*").scanSync(far.configDir)];
    expect(files.some((file) => file.includes("/subagents/agent-"))).toBe(true);
    await turn(moved, id, "two", "Second.");
    expect(told(api)).toBe(`${before}\nassistant: Delegated.\nuser: two`);

    const back = host.newFolder();
    const again = await host.run("move", { id, place: "local", dir: back, trust: true });
    expect(again).toMatchObject({ status: 200, body: { place: "local", dir: back } });
    await turn(moved, id, "three", "Third.");
    expect(told(api)).toEndWith("user: two\nassistant: Second.\nuser: three");
    await host.run("delete", { id });
  });

  test("a session with another folder of Claude's files moves to another folder of the same machine", async (moved) => {
    const { host, api, place } = moved;
    const CLAUDE_CONFIG_DIR = join(place.home.root, "other");
    cpSync(place.home.configDir, CLAUDE_CONFIG_DIR, { recursive: true });
    const id = await mirrored(host, { options: { env: { CLAUDE_CONFIG_DIR } } });
    await turn(moved, id, "one", "First.");
    const dir = host.newFolder();
    expect((await host.run("move", { id, place: "local", dir, trust: true })).body).toMatchObject({
      dir,
    });
    await turn(moved, id, "two", "Second.");
    expect(told(api)).toBe("user: one\nassistant: First.\nuser: two");
    await host.run("delete", { id });
  });

  test("a session stays where it was if there is no Claude at the new place, or no such folder", async (moved) => {
    const { host, api } = moved;
    const id = await mirrored(host);
    await turn(moved, id, "one", "First.");
    const { dir, place } = (await host.run("session", { id })).body;
    const fields = { id, trust: true, dir: host.newFolder() };
    const refused = await host.run("move", { ...fields, place: "no-claude" });
    expect(refused).toMatchObject({ status: 503, body: { code: "no_claude" } });
    const missing = await host.run("move", { ...fields, place: "box", dir: "/no/such/folder" });
    expect(missing).toMatchObject({ status: 400, body: { code: "no_such_dir" } });
    expect((await host.run("session", { id })).body).toMatchObject({ dir, place });
    await turn(moved, id, "two", "Second.");
    expect(told(api)).toBe("user: one\nassistant: First.\nuser: two");
    await host.run("delete", { id });
  });
});
