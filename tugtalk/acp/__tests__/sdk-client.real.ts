/** The client that the protocol's own SDK offers, with the agent and a real `claude`. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type ClientContext,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionNotification,
  type SetSessionConfigOptionResponse,
} from "@agentclientprotocol/sdk";
import { UNDER_TEST } from "../../testing/drivers/bridge-process.ts";
import { failureOf } from "../../testing/drivers/failure.ts";
import { callTool } from "../../testing/real/real-replies.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";

const test = realTests("2.1.330");

/** The updates and questions to the client, and the option that it chooses. */
class Editor {
  readonly updates: SessionNotification["update"][] = [];
  readonly asked: RequestPermissionRequest[] = [];
  choice = "allow";

  /** Starts the agent, and ends it when the work is done. Its exit code. */
  async run(
    { claude, home, api }: RealPlace,
    work: (agent: ClientContext) => Promise<void>,
  ): Promise<number> {
    const agent = Bun.spawn([...UNDER_TEST, "acp", `--claude=${claude}`], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...home.environment(api.url) },
    });
    const input = new WritableStream<Uint8Array>({
      write: async (chunk) => {
        agent.stdin.write(chunk);
        await agent.stdin.flush();
      },
    });
    await this.#app().connectWith(ndJsonStream(input, agent.stdout), async (context) => {
      await context.request(methods.agent.initialize, {
        protocolVersion: 1,
        clientCapabilities: {},
      });
      await work(context);
    });
    agent.stdin.end();
    return await agent.exited;
  }

  #app() {
    return client({ name: "editor" })
      .onNotification(methods.client.session.update, ({ params }) => {
        this.updates.push(params.update);
      })
      .onRequest(methods.client.session.requestPermission, ({ params }) => {
        this.asked.push(params);
        return { outcome: { outcome: "selected", optionId: this.choice } };
      });
  }
}

test("the client of the SDK prompts, has one file written and denies another, sets a mode and a model, and closes the session", async (place) => {
  const { api, home } = place;
  const editor = new Editor();
  const { session } = methods.agent;
  const write = (name: string) =>
    callTool("Write", { file_path: join(home.project, name), content: "one\n" });
  const code = await editor.run(place, async (agent) => {
    const opened = await agent.request(session.new, { cwd: home.project, mcpServers: [] });
    const { sessionId } = opened;
    const say = (text: string) =>
      agent.request(session.prompt, { sessionId, prompt: [{ type: "text", text }] });

    api.script("Hello.", write("allowed.txt"), "Written.", write("denied.txt"), "Not written.");
    expect(await say("hello")).toEqual({ stopReason: "end_turn" });
    expect(await say("write")).toEqual({ stopReason: "end_turn" });
    editor.choice = "reject";
    await say("write more");
    expect(opened.modes?.currentModeId).toBe("default");
    await agent.request(session.setMode, { sessionId, modeId: "plan" });
    const value = "haiku";
    const set = { sessionId, configId: "model", value };
    const { configOptions } = await agent.request<SetSessionConfigOptionResponse>(
      session.setConfigOption,
      set,
    );
    const current = Object.fromEntries(configOptions.map((each) => [each.id, each.currentValue]));
    expect(current).toMatchObject({ mode: "plan", model: value });
    await agent.request(session.close, { sessionId });
    expect(await failureOf(say("more"))).toMatchObject({ code: -32002 });
  });
  expect(code).toBe(0);
  expect(["allowed.txt", "denied.txt"].map((name) => existsSync(join(home.project, name)))).toEqual(
    [true, false],
  );
  expect(editor.asked.map(({ toolCall }) => toolCall.title)).toEqual([
    "Write allowed.txt",
    "Write denied.txt",
  ]);
  const ended = editor.updates.flatMap((update) =>
    update.sessionUpdate === "tool_call_update" ? (update.status ?? []) : [],
  );
  expect(ended).toEqual(["in_progress", "completed", "in_progress", "failed"]);
});
