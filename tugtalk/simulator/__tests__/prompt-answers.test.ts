/** The stand-in's reactions to answers to its prompts, and to interrupts. */
import { expect, test } from "bun:test";
import {
  ASKING,
  event,
  HOLD,
  INTERRUPT,
  OPENING,
  out,
  playOut,
  RESULT,
  writeConversation,
} from "../../testing/drivers/written-conversation.ts";
import { fieldOf, textOf } from "../json-value.ts";
import { messageStart, textDelta, textStart } from "../stream-events.ts";
import {
  answerLine,
  type ClaudeDriver,
  controlLine,
  GOLDEN_FLAGS,
  isPrompt,
  isResult,
  kindOfLine,
  startClaude,
  textIn,
  userLine,
} from "./support/claude-driver.ts";

test("an allowed tool runs as written, and the answer comes back", async () => {
  const claude = startClaude({ env: writeConversation(ASKING) });
  claude.send(userLine("x"));
  await claude.waitFor(isPrompt);
  const answer = answerLine("prompt1", { behavior: "allow", updatedInput: { file_path: "a" } });
  claude.send(answer);
  await claude.waitFor(isResult);
  claude.close();
  expect((await claude.ended()).code).toBe(0);
  expect(claude.lines().slice(3).map(kindOfLine)).toEqual([
    "control_response",
    "user",
    "result success",
  ]);
  expect(claude.lines()[3]).toEqual(answer);
});

test.each([
  ["a denial", { behavior: "deny", message: "not now" }, "not now"],
  ["a decision", { decision: "allow" }, "The canUseTool callback returned"],
])("%s fails the tool and the turn goes on", async (_, response, text) => {
  const claude = startClaude({ env: writeConversation(ASKING) });
  claude.send(userLine("x"));
  await claude.waitFor(isPrompt);
  claude.send(answerLine("prompt1", response));
  const result = await claude.waitFor(isResult);
  const [echo, tool] = claude.lines().slice(3);
  expect(echo).toEqual(answerLine("prompt1", response));
  expect(textIn(tool)).toStartWith(text);
  expect(JSON.stringify(tool)).toContain('"is_error":true');
  expect(result["permission_denials"]).toEqual([
    { tool_name: "Write", tool_use_id: "tool1", tool_input: { file_path: "a" } },
  ]);
  claude.close();
  expect((await claude.ended()).code).toBe(0);
});

test("a denial that interrupts ends the turn", async () => {
  const claude = startClaude({ env: writeConversation(ASKING) });
  claude.send(userLine("x"));
  await claude.waitFor(isPrompt);
  claude.send(answerLine("prompt1", { behavior: "deny", message: "stop", interrupt: true }));
  const result = await claude.waitFor(isResult);
  expect(result).toMatchObject({
    subtype: "error_during_execution",
    terminal_reason: "aborted_tools",
  });
  claude.close();
  expect((await claude.ended()).code).toBe(1);
});

test("answers to nothing that is open are ignored", async () => {
  const allow = { behavior: "allow", updatedInput: {} };
  const claude = startClaude({ env: writeConversation(ASKING) });
  claude.send(userLine("x"));
  await claude.waitFor(isPrompt);
  claude.send(
    answerLine("nobody", allow),
    answerLine("prompt1", allow),
    answerLine("prompt1", allow),
  );
  claude.close();
  await claude.ended();
  expect(claude.lines().filter((line) => line["type"] === "control_response")).toHaveLength(1);
});

test("stdin closed at a prompt fails the tool, and the turn is completed", async () => {
  const { code, lines } = await playOut({ env: writeConversation(ASKING) }, userLine("x"));
  expect(textIn(lines.at(-2))).toBe(
    "Tool permission request failed: AbortError: Tool permission stream closed before response received",
  );
  expect(kindOfLine(lines.at(-1) ?? {})).toBe("result success");
  expect(code).toBe(0);
});

test("an interrupt withdraws the prompt first", async () => {
  const args = GOLDEN_FLAGS.filter((flag) => flag !== "--replay-user-messages");
  const claude = startClaude({ args, env: writeConversation(ASKING) });
  claude.send(userLine("x"));
  await claude.waitFor(isPrompt);
  claude.send(INTERRUPT);
  const result = await claude.waitFor(isResult);
  expect(claude.lines().slice(3).map(kindOfLine)).toEqual([
    "control_cancel_request",
    "control_response",
    "user",
    "user",
    "result error_during_execution",
  ]);
  expect(result["is_error"]).toBe(true);
  expect(claude.lines()[4]).toEqual({
    type: "control_response",
    response: { subtype: "success", request_id: "stop", response: { still_queued: [] } },
  });
  claude.close();
  expect((await claude.ended()).code).toBe(1);
});

test("an interrupted text is closed and marked, and the next turn plays", async () => {
  const script = [
    ...OPENING,
    event(messageStart("m")),
    event(textStart()),
    event(textDelta("half")),
    HOLD,
    out(RESULT),
    ...OPENING,
    out({ ...RESULT, result: "second turn" }),
  ];
  const claude = startClaude({ env: writeConversation(script) });
  claude.send(userLine("x", "u1"));
  await claude.waitFor((line) => textOf(line, "event", "type") === "content_block_delta");
  claude.send(INTERRUPT);
  await claude.waitFor(isResult);
  const partial = claude.lines().find((line) => line["aborted"] === true);
  expect(textIn(partial)).toBe("half");
  expect(claude.lines().map((line) => textOf(line, "event", "type"))).toContain("message_stop");
  const before = claude.texts.length;
  claude.send(userLine("next", "u2"));
  expect((await claude.waitFor(isResult, before))["result"]).toBe("second turn");
  claude.close();
  expect((await claude.ended()).code).toBe(0);
});

/** A turn that is silent for ten minutes, at normal speed. */
function startPaused() {
  const pause = { dir: "pause", msg: 600_000 };
  const turn = [...OPENING, pause, out(RESULT)];
  const env = { ...writeConversation(turn), TUGTALK_SIM_SPEED: "1" };
  const claude = startClaude({ env });
  claude.send(userLine("x", "u1"));
  return claude;
}

test("in a pause control requests are answered, an interrupt ends it at once, and the next message is heard", async () => {
  const claude = startPaused();
  await claude.waitFor((line) => line["subtype"] === "init");
  claude.send(controlLine("cost", { subtype: "get_session_cost" }));
  await claude.waitFor((line) => textOf(line, "response", "request_id") === "cost");
  claude.send(INTERRUPT);
  expect(kindOfLine(await claude.waitFor(isResult))).toBe("result error_during_execution");
  const before = claude.texts.length;
  claude.send(userLine("next", "u2"));
  expect((await claude.waitFor(isResult, before))["result"]).toBe("You said: next");
  claude.close();
  expect((await claude.ended()).code).toBe(0);
});

test("SIGTERM ends a pause at once", async () => {
  const claude = startPaused();
  await claude.waitFor((line) => line["subtype"] === "init");
  claude.kill("SIGTERM");
  expect((await claude.ended()).code).toBe(143);
});

/** Plays one round of the scenario permissions and allows every prompt. Gives the tools of the prompts. */
async function askedTools(
  claude: ClaudeDriver,
  updatesFor: (suggestions: unknown) => unknown,
): Promise<readonly unknown[]> {
  const asked: unknown[] = [];
  for (let turn = 1; turn <= 5; turn += 1) {
    let next = claude.texts.length;
    claude.send(userLine("go", crypto.randomUUID()));
    for (;;) {
      const line = await claude.waitFor((seen) => isPrompt(seen) || isResult(seen), next);
      if (isResult(line)) break;
      next = claude.texts.findIndex((text) => text.includes(String(line["request_id"]))) + 1;
      asked.push(fieldOf(line, "request", "tool_name"));
      const updatedPermissions = updatesFor(fieldOf(line, "request", "permission_suggestions"));
      claude.send(answerLine(line["request_id"], { behavior: "allow", updatedPermissions }));
    }
  }
  return asked;
}

const ALL_TOOLS = ["Bash", "Write", "Bash", "Bash", "Read", "WebFetch", "Write", "Write"];

test("a scenario does not ask again where all suggestions were taken, and plays the tools as allowed", async () => {
  const claude = startClaude({ env: { TUGTALK_SIM_SCENARIO: "permissions" } });
  // The mode of the second prompt covers the last two.
  expect(await askedTools(claude, (suggestions) => suggestions)).toEqual(ALL_TOOLS.slice(0, 6));
  expect(await askedTools(claude, () => [])).toEqual([]);
  expect(
    claude.lines().filter(({ tool_use_result }) => tool_use_result !== undefined),
  ).toHaveLength(2 * ALL_TOOLS.length);
  claude.send(controlLine("mode", { subtype: "set_permission_mode", mode: "default" }));
  const withMode = ["Write", "Bash", "Write", "Write"];
  expect(await askedTools(claude, () => [])).toEqual(withMode);
  claude.close();
  await claude.ended();
});

test("a prompt of a scenario comes again when it was allowed once, or for other commands", async () => {
  const claude = startClaude({ env: { TUGTALK_SIM_SCENARIO: "permissions" } });
  const rules = [{ toolName: "Bash", ruleContent: "npm test" }];
  const other = { type: "addRules", rules, behavior: "allow", destination: "session" };
  expect(await askedTools(claude, () => [other])).toEqual(ALL_TOOLS);
  expect(await askedTools(claude, () => undefined)).toEqual(ALL_TOOLS);
  claude.close();
  await claude.ended();
});

test("an interrupt stops a flood on the way", async () => {
  const claude = startClaude({ env: { TUGTALK_SIM_FLOOD: "200000x100" } });
  claude.send(userLine("x"));
  await claude.waitFor((line) => textOf(line, "event", "type") === "content_block_delta");
  claude.send(INTERRUPT);
  claude.close();
  const { code } = await claude.ended();
  expect(claude.texts.length).toBeLessThan(200_000);
  expect({ code, last: kindOfLine(claude.lines().at(-1) ?? {}) }).toEqual({
    code: 1,
    last: "result error_during_execution",
  });
});
