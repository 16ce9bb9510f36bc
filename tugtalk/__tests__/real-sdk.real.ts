/**
 * A tool and hooks beside the same tool and hooks in the official Agent SDK: the requests to the model, and the
 * calls that run. The CLI and the answers of the API are the same for both.
 */
import { expect } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { spawnTugtalk, tool } from "../spawn/spawn.ts";
import { fieldsOf } from "../src/base/json.ts";
import { CHECKED_COMMAND } from "../testing/drivers/bridge-process.ts";
import { runCommand } from "../testing/drivers/ended-command.ts";
import { installPackage } from "../testing/drivers/installed-package.ts";
import { callTool } from "../testing/real/real-replies.ts";
import { allMessages, conversationSent, newestBody } from "../testing/real/real-requests.ts";
import { openRealPlace, type RealPlace } from "../testing/real/real-session.ts";
import { realTests } from "../testing/real/real-tests.ts";

const test = realTests(...MEASURED_VERSIONS);

const TEXT = "measure, then tidy up";

const level = tool({
  description: "The level of the water.",
  input: z.object({ place: z.string() }),
  permission: "allow",
  run: ({ place }) => {
    if (place === "nowhere") throw new Error("there is no gauge");
    return `high at ${place}`;
  },
});

/** The answers of the model in both. */
function script(place: RealPlace): void {
  place.api.script(
    callTool("mcp__host__level", { place: "the weir" }),
    callTool("mcp__host__level", { place: "nowhere" }),
    callTool("Bash", { command: "touch refused" }),
    callTool("Bash", { command: "touch one" }),
    "Half done.",
    "All done.",
  );
}

async function withTugtalk(place: RealPlace): Promise<void> {
  const { claude, home, api } = place;
  await using tugtalk = await spawnTugtalk({
    command: CHECKED_COMMAND,
    claude,
    dir: home.project,
    env: home.environment(api.url),
    tools: { level },
    hooks: {
      PreToolUse: {
        matcher: "Bash",
        run: ({ tool_input }) => {
          const command = String(tool_input["command"]);
          return command.endsWith("refused")
            ? { decision: "deny", reason: "Nothing is changed here." }
            : { decision: "allow", updatedInput: { command: command.replace("one", "other") } };
        },
      },
      PostToolUse: { matcher: "Bash", run: () => ({ context: "It was noted." }) },
      UserPromptSubmit: () => ({ context: "Today is Tuesday." }),
      Stop: ({ stop_hook_active }) =>
        stop_hook_active ? {} : { decision: "deny", reason: "Do the rest." },
    },
  });
  tugtalk.send({ type: "protocol_init", version: 2 });
  tugtalk.send({ type: "user_message", text: TEXT });
  for await (const message of tugtalk.messages) if (message.type === "turn_complete") break;
}

async function withSdk(place: RealPlace): Promise<void> {
  const { claude, home, api } = place;
  const { path, modules } = await installPackage("@anthropic-ai/claude-agent-sdk", "0.3.330", [
    "--omit=optional",
  ]);
  const program = join(import.meta.dir, "..", "testing", "real", "sdk-program.mjs");
  const zod = join(modules, "zod", "index.js");
  const { code, err } = await runCommand(
    ["node", program, join(path, "sdk.mjs"), zod, claude, TEXT],
    { env: home.environment(api.url), cwd: home.project },
  );
  expect({ code, err }).toEqual({ code: 0, err: "" });
}

/** The requests to the model, and the tools that have run. */
async function outcome(place: RealPlace) {
  const tools = newestBody(place.api)["tools"] as readonly { readonly name: string }[];
  const { input_schema, ...rest } = fieldsOf(tools.find(({ name }) => name === "mcp__host__level"));
  const { $schema, ...schema } = fieldsOf(input_schema);
  return {
    dialect: $schema,
    sent: {
      conversation: conversationSent(place.api),
      contexts: ["Today is Tuesday.", "It was noted."].filter((one) =>
        allMessages(place.api).includes(one),
      ),
      tool: { ...rest, schema },
      files: (await readdir(place.home.project)).toSorted(),
    },
  };
}

test("the model is sent the same, and the same runs, as with the Agent SDK; its schemas are of an older dialect", async (place) => {
  await using other = await openRealPlace(place.version);
  script(place);
  await withTugtalk(place);
  script(other);
  await withSdk(other);
  const [own, theirs] = [await outcome(place), await outcome(other)];
  expect(own.sent).toEqual(theirs.sent);
  expect(own.sent).toMatchObject({
    contexts: ["Today is Tuesday.", "It was noted."],
    files: ["other"],
  });
  // MCP has 2020-12 where a schema names no dialect.
  expect(own.dialect).toContain("2020-12");
  expect(theirs.dialect).toContain("draft-07");
});
