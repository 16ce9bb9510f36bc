/** The stand-in as a process: its lines, its ids, its end. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ASKING,
  folder,
  INIT,
  into,
  out,
  playOut,
  RESULT,
  writeConversation,
} from "../../testing/drivers/written-conversation.ts";
import { fieldOf } from "../json-value.ts";
import {
  controlLine,
  GOLDEN_FLAGS,
  isPrompt,
  isResult,
  kindOfLine,
  startClaude,
  userLine,
} from "./support/claude-driver.ts";

test("a message is echoed, with its turn in the order of the real one", async () => {
  const { code, lines } = await playOut({}, userLine("hi", "u1"));
  expect(lines.map(kindOfLine)).toEqual([
    ...["command_lifecycle queued", "command_lifecycle started"],
    ...["system init", "system status", "user replay"],
    ...["stream_event message_start", "stream_event content_block_start"],
    ...["stream_event content_block_delta", "assistant", "stream_event content_block_stop"],
    ...["stream_event message_delta", "stream_event message_stop"],
    ...["result success", "command_lifecycle completed"],
  ]);
  expect(lines.find((line) => line["isReplay"] === true)?.["uuid"]).toBe("u1");
  expect(lines.find(isResult)?.["result"]).toBe("You said: hi");
  expect(code).toBe(0);
});

test("each queued message gets a turn, and the cost adds up", async () => {
  const { lines } = await playOut({}, userLine("one", "u1"), userLine("two", "u2"));
  const results = lines.filter(isResult);
  expect(results.map((line) => line["result"])).toEqual(["You said: one", "You said: two"]);
  const [first, second] = results.map((line) => Number(line["total_cost_usd"]));
  expect(second).toBeCloseTo(2 * (first ?? 0));
});

test("the session id is the one of the command line", async () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const args = [...GOLDEN_FLAGS, "--session-id", id];
  const { lines } = await playOut(
    { args, env: writeConversation(ASKING.slice(0, 2)) },
    userLine("x"),
  );
  expect(lines.map((line) => line["session_id"])).toEqual([id]);
});

test("a second session id of the conversation stays as it is", async () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const script = [into({ type: "user" }), out(INIT), out({ ...RESULT, session_id: "other" })];
  const options = { args: [...GOLDEN_FLAGS, `--resume=${id}`], env: writeConversation(script) };
  const { lines } = await playOut(options, userLine("x"));
  expect(lines.map((line) => line["session_id"])).toEqual([id, "other"]);
});

test("ids of the host replace those in the conversation", async () => {
  const script = [
    into({ type: "user", uuid: "written" }),
    out({ type: "user", uuid: "written", message: { content: "$content" }, marker: "$uuid" }),
    into({ type: "control_request", request_id: "r1", request: { subtype: "mcp_status" } }),
    out({ type: "control_response", response: { subtype: "success", request_id: "r1" } }),
    out(RESULT),
  ];
  const said = userLine("really", "chosen");
  const asked = controlLine("mine", { subtype: "mcp_status" });
  const { lines } = await playOut({ env: writeConversation(script) }, said, asked);
  expect(lines[0]).toMatchObject({
    uuid: "chosen",
    marker: "chosen",
    message: { content: [{ type: "text", text: "really" }] },
  });
  expect(fieldOf(lines[1], "response", "request_id")).toBe("mine");
});

test("a repeated uuid is echoed and starts no turn", async () => {
  const { lines } = await playOut({}, userLine("one", "u1"), userLine("again", "u1"));
  expect(lines.filter((line) => line["isReplay"] === true)).toHaveLength(2);
  expect(lines.filter(isResult)).toHaveLength(1);
});

test("bad lines of a conversation are printed as they are", async () => {
  const script = [
    into({ type: "user" }),
    out("{bad"),
    { dir: "err", msg: "careful\n" },
    out({ __unterminated: '{"type":' }),
    { dir: "exit", msg: { code: 7, signal: null } },
  ];
  const { texts, code, stderr } = await playOut({ env: writeConversation(script) }, userLine("x"));
  expect(texts).toEqual(["{bad", '{"type":']);
  expect({ code, stderr }).toEqual({ code: 7, stderr: "careful\n" });
});

/** `refusals.test.ts` has the other lines. */
test("the stand-in exits at a line that ends the real one", async () => {
  const claude = startClaude();
  claude.send("garbage", userLine("too late"));
  const ended = await claude.ended();
  expect(ended.code).toBe(1);
  expect(ended.stderr).toMatch(/type=unknown, 7 chars/);
  expect(claude.texts).toEqual([]);
});

test("a resume of an unknown session ends before any input", async () => {
  const id = "11111111-2222-4333-8444-555555555555";
  const args = [...GOLDEN_FLAGS, `--resume=${id}`];
  const claude = startClaude({ args, env: { TUGTALK_SIM_SESSIONS: "other" } });
  const { code, stderr } = await claude.ended();
  const error = `No conversation found with session ID: ${id}`;
  expect({ code, stderr }).toEqual({ code: 1, stderr: `${error}\n` });
  expect(claude.lines()).toMatchObject([
    { type: "result", is_error: true, session_id: id, errors: [error] },
  ]);
});

test("every line of stdin is logged as it came", async () => {
  const path = join(folder, "stdin.log");
  const odd = '{"type" : "keep_alive"}';
  await playOut({ env: { TUGTALK_SIM_STDIN_LOG: path } }, odd, userLine("hi"));
  expect(readFileSync(path, "utf8")).toBe(`${odd}\n${JSON.stringify(userLine("hi"))}\n`);
});

test.each([
  ["SIGTERM", 143, "control_request can_use_tool"],
  ["SIGINT", 0, "result error_during_execution"],
] as const)("%s at a prompt ends it with the code %p", async (signal, code, last) => {
  const claude = startClaude({ env: writeConversation(ASKING) });
  claude.send(userLine("x"));
  await claude.waitFor(isPrompt);
  claude.kill(signal);
  expect((await claude.ended()).code).toBe(code);
  const line = claude.lines().at(-1) ?? {};
  const seen = isPrompt(line) ? "control_request can_use_tool" : kindOfLine(line);
  expect(seen).toBe(last);
});

test("a flood arrives whole at a reader that starts late", async () => {
  const [deltas, bytes] = [3000, 200];
  const claude = Bun.spawn(
    [process.execPath, join(import.meta.dir, "..", "claude.ts"), ...GOLDEN_FLAGS],
    {
      env: { ...process.env, TUGTALK_SIM_FLOOD: `${deltas}x${bytes}` },
      stdin: new Blob([`${JSON.stringify(userLine("x"))}\n`]),
      stdout: "pipe",
    },
  );
  // Reading chunk by chunk with turns of the loop in between serves as a slow reader.
  const reader = claude.stdout.getReader();
  const chunks: Uint8Array[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const lines = Buffer.concat(chunks)
    .toString("utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(lines.filter((line) => line.event?.type === "content_block_delta")).toHaveLength(deltas);
  expect(lines.find((line) => line.type === "result").result).toBe("x".repeat(deltas * bytes));
  expect(await claude.exited).toBe(0);
});

test("a flood may be spread over messages, each with its own id and text", async () => {
  const claude = startClaude({ env: { TUGTALK_SIM_FLOOD: "3x2x4" } });
  claude.send(userLine("x"));
  claude.close();
  await claude.ended();
  const lines = claude.lines();
  const emitted = lines.filter(({ type }) => type === "assistant");
  expect(emitted.map((line) => fieldOf(line, "message", "content"))).toEqual(
    Array(3).fill([{ type: "text", text: "x".repeat(8) }]),
  );
  expect(new Set(emitted.map((line) => fieldOf(line, "message", "id"))).size).toBe(3);
  const result = lines.find(({ type }) => type === "result");
  expect(result).toMatchObject({ result: "x".repeat(8), num_turns: 3 });
});

test("the version is printed as by the real CLI", async () => {
  const claude = startClaude({ args: ["--version"] });
  expect((await claude.ended()).code).toBe(0);
  expect(claude.texts).toEqual(["2.1.330 (Claude Code)"]);
});

test("under a usage limit each turn is refused, and the event of the reached limit comes once", async () => {
  const resetsAt = Math.ceil(Date.now() / 1000) + 600;
  const claude = startClaude({ env: { TUGTALK_SIM_LIMIT: `${resetsAt}` } });
  for (const text of ["one", "two"]) {
    claude.send(userLine(text));
    await claude.waitFor(isResult, claude.texts.length);
  }
  claude.close();
  await claude.ended();
  const lines = claude.lines();
  expect(lines.filter(isResult)).toMatchObject([
    { is_error: true, api_error_status: 429 },
    { is_error: true, api_error_status: 429 },
  ]);
  expect(lines.filter(({ type }) => type === "rate_limit_event")).toMatchObject([
    { rate_limit_info: { status: "rejected", resetsAt } },
  ]);
});
