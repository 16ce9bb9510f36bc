/**
 * The second list of tests with a real `claude`: commands, plans, subagents, background work, an MCP
 * server, steering, API errors and compaction. One process, one session; limits of a host have
 * sessions of their own. All versions run the same list; their differences are in real-expected.ts.
 */
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { mcpServer } from "../../simulator/mcp-server.ts";
import { listClear, listCommands, listCompaction } from "./real-commands.ts";
import { expectEnd } from "./real-end.ts";
import type { Expected } from "./real-expected.ts";
import { listEnd } from "./real-list.ts";
import {
  callTool,
  ofType,
  type RealPlace,
  type RealSession,
  startRealSession,
} from "./real-session.ts";
import { REAL_TIMEOUT_MS, sharedSession } from "./real-shared-session.ts";
import { listSteering, listTrouble } from "./real-trouble.ts";
import { listBackground, listMcp, listPlan, listPlanFile, listSubagents } from "./real-work.ts";

/** Declares the tests of one version. */
export function realFeatures(version: string, expected: Expected): void {
  setDefaultTimeout(REAL_TIMEOUT_MS);
  describe(`claude ${version}`, () => {
    const at = sharedSession(version, async (place) => {
      await writeCommand(place);
      const options = {
        mcp_config: { mcpServers: { tide: mcpServer() } },
        allowed_tools: ["Bash", "mcp__tide__wait"],
      };
      return startRealSession(place, { options });
    });

    listCommands(at);
    listMcp(at);
    listPlan(at);
    listPlanFile(at);
    listSubagents(at, expected);
    listBackground(at, expected);
    listTrouble(at, expected);
    listSteering(at, expected);
    listCompaction(at, expected);
    listClear(at, expected);
    listEnd(at, version);
    listLimits(at, expected);
  });
}

async function writeCommand({ home }: RealPlace): Promise<void> {
  const folder = join(home.project, ".claude", "commands");
  await mkdir(folder, { recursive: true });
  const text = "---\ndescription: Greets somebody\n---\nGreet $ARGUMENTS warmly.\n";
  await writeFile(join(folder, "greet.md"), text);
}

/** Limits and output formats that a host sets, each in a session of its own. */
function listLimits(at: () => RealSession, expected: Expected): void {
  test("a turn with too many model calls ends as error_max_turns, and the next turn works", async () => {
    const session = startRealSession(at().place, { options: { max_turns: 2 } });
    const calls = ["1", "2"].map((word) => callTool("Bash", { command: `echo ${word}` }));
    session.say("count", ...calls);
    const { end, messages } = await session.turn();
    expect(end).toMatchObject({
      result: "error",
      subtype: "error_max_turns",
      ...expected.tooManyTurns,
    });
    expect(ofType(messages, "tool_result").map(({ output }) => output)).toEqual(["1", "2"]);

    session.say("still there?", "Still here.");
    expect((await session.turn()).end).toMatchObject({ result: "success", text: "Still here." });
    await expectEnd(session);
  });

  test("an answer in the format of the host arrives as structured_output", async () => {
    const properties = { bird: { type: "string" } };
    const json_schema = { type: "object", properties, required: ["bird"] };
    const session = startRealSession(at().place, { options: { json_schema } });
    session.say("which?", callTool("StructuredOutput", { bird: "heron" }), {
      reply: "A heron.",
      when: () => expected.structuredText === "A heron.",
    });
    expect((await session.turn()).end).toMatchObject({
      result: "success",
      structured_output: { bird: "heron" },
      text: expected.structuredText,
    });
    await expectEnd(session);
  });
}
