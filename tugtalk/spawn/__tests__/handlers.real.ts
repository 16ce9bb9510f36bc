/** Tools and hooks of `spawnTugtalk`, with every measured version of the CLI. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { MEASURED_VERSIONS } from "../../simulator/measured-versions.ts";
import { CHECKED_COMMAND } from "../../testing/drivers/bridge-process.ts";
import { callTool } from "../../testing/real/real-replies.ts";
import { newestMessages } from "../../testing/real/real-requests.ts";
import type { RealPlace } from "../../testing/real/real-session.ts";
import { realTests } from "../../testing/real/real-tests.ts";
import { type SpawnOptions, spawnTugtalk, type Tugtalk, tool } from "../spawn.ts";

const test = realTests(...MEASURED_VERSIONS);

async function start(place: RealPlace, options: SpawnOptions): Promise<Tugtalk> {
  const { claude, home, api } = place;
  const env = home.environment(api.url);
  const dir = home.project;
  const tugtalk = await spawnTugtalk({ command: CHECKED_COMMAND, claude, dir, env, ...options });
  tugtalk.send({ type: "protocol_init", version: 2 });
  return tugtalk;
}

/** Sends a message. Resolves to the text of its turn. */
async function said(tugtalk: Tugtalk, text: string): Promise<unknown> {
  tugtalk.send({ type: "user_message", text });
  for await (const message of tugtalk.messages)
    if (message.type === "turn_complete") return message.text ?? message.result;
  throw new Error("tugtalk has ended first");
}

test("a function is run for a tool with an input that fits, and an error that it throws is a failure", async (place) => {
  const level = tool({
    description: "The level of the water.",
    input: z.object({ place: z.string() }),
    permission: "allow",
    run: ({ place: where }) => {
      if (where === "nowhere") throw new Error("there is no gauge");
      return `high at ${where}`;
    },
  });
  await using tugtalk = await start(place, { tools: { level } });
  for (const [input, expected] of [
    [{ place: "the weir" }, "high at the weir"],
    [{ place: "nowhere" }, "there is no gauge"],
    [{ place: 7 }, "the input does not fit"],
  ] as const) {
    place.api.script(callTool("mcp__host__level", input), "Told.");
    expect(await said(tugtalk, "how high is it?")).toBe("Told.");
    expect(newestMessages(place.api)).toContain(expected);
  }
});

test("a function decides at a hook, and one that throws refuses the tool", async (place) => {
  const target = (name: string) => join(place.home.project, name);
  await using tugtalk = await start(place, {
    hooks: {
      PreToolUse: {
        matcher: "Bash",
        run: ({ tool_input: { command } }) => {
          if (String(command).endsWith("allowed")) return { decision: "allow" };
          throw new Error("the rules cannot be read");
        },
      },
    },
  });
  for (const name of ["allowed", "refused"]) {
    place.api.script(callTool("Bash", { command: `touch ${target(name)}` }), "Told.");
    expect(await said(tugtalk, "go")).toBe("Told.");
  }
  expect(newestMessages(place.api)).toContain("the rules cannot be read");
  expect([existsSync(target("allowed")), existsSync(target("refused"))]).toEqual([true, false]);
});

test("the signal of a call is aborted when its turn is interrupted", async (place) => {
  const began = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const wait = tool({
    description: "Waits.",
    input: { type: "object" },
    permission: "allow",
    run: (_input, { signal }) => {
      began.resolve();
      signal.addEventListener("abort", () => ended.resolve(signal.reason));
      return new Promise<string>(() => {});
    },
  });
  await using tugtalk = await start(place, { tools: { wait } });
  place.api.script(callTool("mcp__host__wait", {}));
  const turn = said(tugtalk, "wait");
  await began.promise;
  await tugtalk.request({ type: "interrupt" });
  expect(String(await ended.promise)).toContain("interrupted");
  expect(await turn).toBe("cancelled");
});
