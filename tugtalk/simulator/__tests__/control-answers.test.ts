/** The stand-in's answers to control requests that no conversation scripts. */
import { expect, test } from "bun:test";
import {
  INTERRUPT,
  OPENING,
  out,
  playOut,
  RESULT,
  toolResult,
  writeConversation,
} from "../../testing/drivers/written-conversation.ts";
import { fieldOf, textOf } from "../json-value.ts";
import {
  answerLine,
  controlLine,
  kindOfLine,
  startClaude,
  userLine,
} from "./support/claude-driver.ts";

test("an idle interrupt is answered and ends nothing", async () => {
  const { lines, code } = await playOut({}, INTERRUPT);
  expect(lines.map(kindOfLine)).toEqual(["control_response"]);
  expect(code).toBe(0);
});

test("initialize is answered before any message", async () => {
  const { lines } = await playOut({}, controlLine("i", { subtype: "initialize" }));
  expect(fieldOf(lines[0], "response", "response")).toMatchObject({
    models: expect.any(Array),
    commands: expect.any(Array),
    pid: expect.any(Number),
  });
});

test("an unknown control request is refused as by the real one", async () => {
  const { lines } = await playOut({}, controlLine("r", { subtype: "x" }));
  const error = "Unsupported control request subtype: x";
  expect(lines.map((line) => line["response"])).toEqual([
    { subtype: "error", request_id: "r", error, error_code: "unsupported_request" },
  ]);
});

test("mcp_status answers the servers of the scenario, and an enabled one is connected as in the capture mcp_status_flow", async () => {
  const { lines } = await playOut(
    { env: { TUGTALK_SIM_SCENARIO: "mcp" } },
    controlLine("1", { subtype: "mcp_status" }),
    controlLine("2", { subtype: "mcp_toggle", serverName: "files", enabled: false }),
    controlLine("3", { subtype: "mcp_reconnect", serverName: "search" }),
    controlLine("4", { subtype: "mcp_toggle", serverName: "nope", enabled: false }),
    controlLine("5", { subtype: "mcp_status" }),
  );
  const rest = [
    { name: "slow", status: "pending" },
    { name: "old", status: "disabled" },
  ];
  const listed = (id: string, ...states: readonly string[]) =>
    answerLine(id, {
      mcpServers: [
        ...["files", "orders", "search"].map((name, at) => ({ name, status: states[at] })),
        ...rest,
      ],
    });
  const done = (request_id: string) => ({
    type: "control_response",
    response: { subtype: "success", request_id },
  });
  const error = "Server not found: nope";
  expect(lines).toEqual([
    listed("1", "connected", "needs-auth", "failed"),
    done("2"),
    done("3"),
    { type: "control_response", response: { subtype: "error", request_id: "4", error } },
    listed("5", "disabled", "needs-auth", "connected"),
  ]);
});

test.each([
  ["acceptEdits", ["control_response success", "system undefined"]],
  ["bogus", ["control_response error"]],
  ["bypassPermissions", ["control_response error"]],
])("set_permission_mode to %s is answered as by the real one", async (mode, kinds) => {
  const { lines } = await playOut({}, controlLine("m", { subtype: "set_permission_mode", mode }));
  const seen = lines.map((line) => `${line["type"]} ${textOf(line, "response", "subtype")}`);
  expect(seen).toEqual(kinds);
});

const CHECKPOINTS = { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: "1" };

const CHANGE = {
  type: "update",
  filePath: "/work/a.txt",
  structuredPatch: [{ lines: ["-one", "+two", "+three"] }],
};

test("rewind_files names the files of a message in a dry run, as the real one does, and none after a rewind", async () => {
  const uuid = "00000000-0000-4000-8000-000000000001";
  const written = toolResult("t1", "Written.", { tool_use_result: CHANGE });
  const env = { ...CHECKPOINTS, ...writeConversation([...OPENING, written, out(RESULT)]) };
  const claude = startClaude({ env });
  claude.send(userLine("Write", uuid));
  await claude.waitFor(({ type }) => type === "result");
  const rewind = (id: string, user_message_id: string, dry_run: boolean) =>
    controlLine(id, { subtype: "rewind_files", user_message_id, dry_run });
  claude.send(rewind("1", uuid, true), rewind("2", uuid, false), rewind("3", uuid, true));
  claude.send(rewind("4", "other", true), rewind("5", "other", false));
  claude.close();
  await claude.ended();
  const error = "No file checkpoint found for this message.";
  const files = { filesChanged: ["/work/a.txt"], insertions: 1, deletions: 2 };
  expect(claude.lines().filter(({ type }) => type === "control_response")).toEqual([
    answerLine("1", { canRewind: true, ...files }),
    answerLine("2", { canRewind: true, skippedLinks: 0 }),
    answerLine("3", { canRewind: true, filesChanged: [], insertions: 0, deletions: 0 }),
    answerLine("4", { canRewind: false, error }),
    { type: "control_response", response: { subtype: "error", request_id: "5", error } },
  ]);
});
