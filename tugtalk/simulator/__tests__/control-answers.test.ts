/** How the stand-in answers control requests that no conversation scripts. */
import { expect, test } from "bun:test";
import { INTERRUPT, playOut } from "../../testing/drivers/written-conversation.ts";
import { fieldOf, textOf } from "../json-value.ts";
import { answerLine, controlLine, kindOfLine } from "./support/claude-driver.ts";

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
