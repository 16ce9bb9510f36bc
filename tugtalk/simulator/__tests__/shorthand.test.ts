/** Shorthands of conversations, played: turns, parts for several processes, ids, repetition. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Fields, isJsonObject } from "../../src/base/json.ts";
import { into, out, writeConversation } from "../../testing/drivers/written-conversation.ts";
import { parseConversation } from "../conversation.ts";
import { openIds } from "../ids.ts";
import { fieldOf, textOf } from "../json-value.ts";
import { fillIds } from "../scenario-ids.ts";
import { parseSpeed } from "../speed.ts";
import {
  type ClaudeDriver,
  isResult,
  kindOfLine,
  startClaude,
  userLine,
} from "./support/claude-driver.ts";

const CAPTURES = join(import.meta.dir, "..", "..", "testing", "fixtures", "captures", "2.1.330");

const UUID = "11111111-2222-4333-8444-555555555555";

const CALL = { type: "tool_use", id: "$toolu_1", name: "Read", input: { file_path: "a" } };

const TURN: readonly object[] = [
  into({ type: "user" }),
  { dir: "open", msg: { mcp_servers: [{ name: "files", status: "failed" }] } },
  { dir: "reply", msg: { content: [{ type: "text", text: "I read it." }, CALL], pieceChars: 4 } },
  { dir: "reply", msg: { content: [{ type: "text", text: "Inside." }], parent: "$toolu_1" } },
  out({
    type: "user",
    message: { role: "user", content: [{ type: "tool_result", tool_use_id: "$toolu_1" }] },
    parent_tool_use_id: null,
    session_id: "$session",
    uuid: "$new",
  }),
  { dir: "reply", msg: { content: [{ type: "text", text: "Done." }] } },
  { dir: "end" },
];

async function playTurn(claude: ClaudeDriver, uuid: string): Promise<readonly Fields[]> {
  const from = claude.texts.length;
  claude.send(userLine("go", uuid));
  await claude.waitFor((line) => kindOfLine(line) === "command_lifecycle completed", from);
  return claude.lines().slice(from);
}

test("a turn in short is played as the lines that the CLI prints for it, in its order", async () => {
  const claude = startClaude({ env: writeConversation(TURN) });
  const lines = await playTurn(claude, UUID);
  claude.close();
  await claude.ended();
  const kinds = lines.map(kindOfLine).filter((kind) => !kind.endsWith("_delta"));
  expect(kinds).toEqual([
    ...["command_lifecycle queued", "command_lifecycle started"],
    ...["system init", "system status", "user replay", "stream_event message_start"],
    ...["stream_event content_block_start", "assistant", "stream_event content_block_stop"],
    ...["stream_event content_block_start", "assistant", "stream_event content_block_stop"],
    ...["stream_event message_stop", "assistant", "user", "system status"],
    ...["stream_event message_start", "stream_event content_block_start", "assistant"],
    ...["stream_event content_block_stop", "stream_event message_stop"],
    ...["result success", "command_lifecycle completed"],
  ]);
  expect(lines[2]?.["mcp_servers"]).toEqual([{ name: "files", status: "failed" }]);
  expect(lines.find(isResult)).toMatchObject({ result: "Done.", num_turns: 2 });
  const agent = lines.find((line) => typeof line["parent_tool_use_id"] === "string");
  expect(textOf(agent, "parent_tool_use_id")).toMatch(/^toolu_sim/);
});

/** The kinds of the first lines of Claude in a capture. */
function recordedKinds(name: string): readonly string[] {
  return parseConversation(readFileSync(join(CAPTURES, `${name}.jsonl`), "utf8")).entries.flatMap(
    ({ dir, msg }) => (dir === "out" && isJsonObject(msg) ? [kindOfLine(msg)] : []),
  );
}

test.each([
  ["errors", "api_529_once", 1],
  ["fallback", "fallback_model_529", 2],
])(
  "in the scenario %s the echo of the message comes after the failed attempts, as in the capture %s",
  async (scenario, capture, retries) => {
    const claude = startClaude({ env: { TUGTALK_SIM_SCENARIO: scenario } });
    const kinds = (await playTurn(claude, UUID)).map(kindOfLine);
    claude.close();
    await claude.ended();
    const isLifecycle = (kind: string) => kind.startsWith("command_lifecycle");
    const recorded = recordedKinds(capture);
    const opening = recorded.slice(0, recorded.indexOf("stream_event message_start") + 1);
    expect(opening.filter((kind) => kind === "system api_retry").length).toBe(retries);
    const played = kinds.filter((kind) => !isLifecycle(kind));
    // Each scenario has two failed attempts.
    expect(played.slice(0, opening.length + 2 - retries)).toEqual(
      opening.toSpliced(3, 0, ...Array(2 - retries).fill("system api_retry")),
    );
  },
);

test("each process plays its part, and after the last part comes the first again", () => {
  const text = [1, 2, 3]
    .map((ms) => `{"dir":"spawn","msg":{}}\n{"dir":"pause","msg":${ms}}`)
    .join("\n");
  const played = [1, 2, 3, 4].map((process) => parseConversation(text, process).entries[0]?.msg);
  expect(played).toEqual([1, 2, 3, 1]);
});

test("a name stands for one id in all its places, and for another one the next time", () => {
  const session = { sessionId: "the-session", newId: openIds("seed") };
  const entries = [{ id: "$toolu_1", text: "see $toolu_1", of: "$session" }, { id: "$uuid_2" }];
  const [first, second] = [fillIds(entries, session), fillIds(entries, session)];
  expect(first[0]).toEqual({
    id: expect.stringMatching(/^toolu_sim\w{20}$/),
    text: `see ${first[0]?.id}`,
    of: "the-session",
  });
  expect(first[0]?.id).not.toBe(second[0]?.id);
  expect(first[1]?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
});

test("$new is another id in each place, and other texts with a dollar stay as they are", () => {
  const filled = fillIds(["$new", "$new", "$news", "a $new", "$session_1"], {
    sessionId: "s",
    newId: openIds("seed"),
  });
  expect(new Set(filled).size).toBe(5);
  expect(filled.slice(2)).toEqual(["$news", "a $new", "$session_1"]);
});

test("the same seed gives the same ids", () => {
  const [one, same, other] = [openIds("a"), openIds("a"), openIds("b")];
  expect([one(), one()]).toEqual([same(), same()]);
  expect(one()).not.toBe(other());
});

test.each([
  ["1", 1],
  ["0.5", 0.5],
  ["20", 20],
  ["0", Number.POSITIVE_INFINITY],
  ["max", Number.POSITIVE_INFINITY],
  ["-1", undefined],
  ["fast", undefined],
  ["", undefined],
] as const)("the speed %j is %p", (text, speed) => {
  expect(parseSpeed(text)).toBe(speed);
});

const WRITE = { type: "tool_use", id: "$toolu_1", name: "Write", input: {} };

test("an answer that allows a tool and changes the mode is reported with the new mode", async () => {
  const prompt = {
    subtype: "can_use_tool",
    tool_name: "Write",
    input: {},
    tool_use_id: "$toolu_1",
  };
  const claude = startClaude({
    env: writeConversation([
      into({ type: "user" }),
      { dir: "open" },
      { dir: "reply", msg: { content: [WRITE] } },
      out({ type: "control_request", request_id: "p", request: prompt }),
      into({ type: "control_response", response: { request_id: "p" } }),
      { dir: "end" },
    ]),
  });
  claude.send(userLine("go", UUID));
  await claude.waitFor((line) => line["type"] === "control_request");
  const updatedPermissions = [{ type: "setMode", mode: "acceptEdits", destination: "session" }];
  const response = { behavior: "allow", updatedInput: {}, updatedPermissions };
  claude.send({
    type: "control_response",
    response: { subtype: "success", request_id: "p", response },
  });
  const status = await claude.waitFor((line) => fieldOf(line, "permissionMode") === "acceptEdits");
  expect(kindOfLine(status)).toBe("system status");
  claude.close();
  await claude.ended();
});
