/** How the stand-in answers control requests that no conversation scripts. */
import { expect, test } from "bun:test";
import { INTERRUPT, playOut } from "../../testing/drivers/written-conversation.ts";
import type { ImitatedVersion } from "../imitated-version.ts";
import { fieldOf, textOf } from "../json-value.ts";
import { answerLine, controlLine, kindOfLine } from "./support/claude-driver.ts";

const VERSIONS: readonly ImitatedVersion[] = ["2.1.38", "2.1.197", "2.1.330"];

test("an idle interrupt is answered and ends nothing", async () => {
  const { lines, code } = await playOut({}, INTERRUPT);
  expect(lines.map(kindOfLine)).toEqual(["control_response"]);
  expect(code).toBe(0);
});

test.each(VERSIONS)("%s answers initialize before any message", async (version) => {
  const { lines } = await playOut({ version }, controlLine("i", { subtype: "initialize" }));
  const payload = fieldOf(lines[0], "response", "response");
  expect(payload).toMatchObject({ models: expect.any(Array), commands: expect.any(Array) });
  expect(typeof fieldOf(payload, "pid")).toBe(version === "2.1.38" ? "undefined" : "number");
});

const unknownAnswers: readonly [version: ImitatedVersion, answers: readonly unknown[]][] = [
  ["2.1.38", []],
  [
    "2.1.197",
    [{ subtype: "error", request_id: "r", error: "Unsupported control request subtype: x" }],
  ],
  [
    "2.1.330",
    [
      {
        subtype: "error",
        request_id: "r",
        error: "Unsupported control request subtype: x",
        error_code: "unsupported_request",
      },
    ],
  ],
];

test.each(unknownAnswers)(
  "%s answers an unknown control request as the real one does",
  async (version, answers) => {
    const { lines } = await playOut({ version }, controlLine("r", { subtype: "x" }));
    expect(lines.map((line) => line["response"])).toEqual([...answers]);
  },
);

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

const modeKinds: readonly [version: ImitatedVersion, mode: string, kinds: readonly string[]][] = [
  ["2.1.38", "acceptEdits", ["control_response success", "control_response success"]],
  ["2.1.197", "acceptEdits", ["control_response success", "system undefined"]],
  ["2.1.330", "acceptEdits", ["control_response success", "system undefined"]],
  ["2.1.38", "bogus", ["control_response success", "control_response success"]],
  ["2.1.197", "bogus", ["control_response success"]],
  ["2.1.330", "bogus", ["control_response error"]],
  ["2.1.197", "bypassPermissions", ["control_response error"]],
];

test.each(modeKinds)(
  "%s answers set_permission_mode to %s as the real one does",
  async (version, mode, kinds) => {
    const { lines } = await playOut(
      { version },
      controlLine("m", { subtype: "set_permission_mode", mode }),
    );
    const seen = lines.map((line) => `${line["type"]} ${textOf(line, "response", "subtype")}`);
    expect(seen).toEqual([...kinds]);
  },
);
