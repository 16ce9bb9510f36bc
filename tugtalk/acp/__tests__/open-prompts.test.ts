/** When prompts are answered, and how. */
import { expect, test } from "bun:test";
import { type BackgroundAgents, NO_AGENTS } from "../background-agents.ts";
import { OpenPrompts } from "../open-prompts.ts";
import type { MessageOf } from "../updates/update-state.ts";

const RUNNING: BackgroundAgents = { ...NO_AGENTS, running: new Map([["call", "t"]]) };
const ENDED: BackgroundAgents = { ...NO_AGENTS, unsaid: new Set(["t"]) };

const TURN: MessageOf<"turn_complete"> = {
  type: "turn_complete",
  turn_id: "t",
  result: "success",
  subtype: "success",
  is_error: false,
  permission_denials: [],
  message_ids: ["one"],
  trigger: "user",
};

/** A prompt whose turn has ended while its agent runs, with its answers and the timer. */
function hold(isHolding = true) {
  const answers: unknown[] = [];
  let timer: (() => void) | undefined;
  const after = (ms: number, run: () => void) => {
    expect(ms).toBe(5_000);
    timer = run;
    return () => {
      timer = undefined;
    };
  };
  const prompts = new OpenPrompts({ isHolding, after });
  const add = (id: string) =>
    prompts.add(id, {
      resolve: ({ stopReason }) => answers.push(`${id}: ${stopReason}`),
      reject: ({ message }) => answers.push(`${id}: ${message}`),
    });
  add("one");
  return { prompts, answers, add, timer: () => timer };
}

test("a held prompt is answered when nothing is left to wait for, or no turn comes about the end", () => {
  const { prompts, answers, timer } = hold();
  prompts.completed(TURN, RUNNING);
  prompts.watch(RUNNING);
  prompts.watch(ENDED);
  expect(timer()).toBeDefined();
  // Another agent is started meanwhile.
  prompts.watch(RUNNING);
  expect([timer(), answers]).toEqual([undefined, []]);
  prompts.watch(ENDED);
  timer()?.();
  expect(answers).toEqual(["one: end_turn"]);
  prompts.watch(NO_AGENTS);
  expect(answers).toHaveLength(1);
});

test("a cancelled prompt whose agents an interrupt stops is answered when that is done", () => {
  const { prompts, answers } = hold();
  prompts.cancel();
  const stopped = prompts.stopAgents();
  prompts.completed({ ...TURN, result: "cancelled" }, RUNNING);
  expect(answers).toEqual([]);
  stopped();
  expect(answers).toEqual(["one: cancelled"]);
});

test("the next prompt ends the hold, and one that waits already prevents it", () => {
  const { prompts, answers, add } = hold();
  prompts.completed(TURN, RUNNING);
  add("two");
  expect(answers).toEqual(["one: end_turn"]);
  add("three");
  prompts.completed({ ...TURN, message_ids: ["two"] }, RUNNING);
  expect(answers).toEqual(["one: end_turn", "two: end_turn"]);
});

test("a cancel decides the answer, whatever the turn or the hold ends with", () => {
  const held = hold();
  held.prompts.completed(TURN, RUNNING);
  held.prompts.cancel();
  held.prompts.watch(NO_AGENTS);
  const failed = hold();
  failed.prompts.cancel();
  failed.prompts.completed({ ...TURN, result: "error", errors: ["Aborted"] }, RUNNING);
  expect([held.answers, failed.answers]).toEqual([["one: cancelled"], ["one: cancelled"]]);
});

test("nothing is held without the wish, after an error, or when Claude has ended", () => {
  const off = hold(false);
  off.prompts.completed(TURN, RUNNING);
  const failed = hold();
  failed.prompts.completed({ ...TURN, result: "error", errors: ["Overloaded"] }, RUNNING);
  const dead = hold();
  dead.prompts.completed(TURN, RUNNING);
  dead.prompts.exited();
  expect([off.answers, failed.answers]).toEqual([["one: end_turn"], ["one: Overloaded"]]);
  expect(dead.answers).toEqual([expect.stringContaining("Claude has ended")]);
});

const ENDS = [
  ["error_max_turns", { subtype: "error_max_turns" }, "max_turn_requests"],
  ["a login that is gone", { api_error_status: 401 }, -32000],
  ["an error of the API", { api_error_status: 400, api_error_type: "bad" }, -32603],
] as const;

test.each([...ENDS])("after %s the answer to a prompt says why", (_name, fields, expected) => {
  const answers: unknown[] = [];
  const prompts = new OpenPrompts({ isHolding: true, after: () => () => {} });
  prompts.add("one", {
    resolve: ({ stopReason }) => answers.push(stopReason),
    reject: ({ code, message, data }) => answers.push(code, message, data),
  });
  // The client has the text already, as a chunk.
  const turn = { ...TURN, result: "error", is_error: true, text: "API Error: no" } as const;
  prompts.completed({ ...turn, ...fields }, NO_AGENTS);
  const [answer, message, data] = answers;
  expect(answer).toBe(expected);
  if (expected !== -32603) return;
  expect(message).toBe("The API failed (bad, status 400)");
  expect(data).toEqual({ tugtalk: { reason: "bad", status: 400 } });
});

test("cancelled prompts that had to wait are answered behind the one whose turn ends", () => {
  const { prompts, answers, add } = hold();
  add("two");
  add("three");
  prompts.cancel();
  for (const message_id of ["two", "three"])
    prompts.receipt({ type: "message_status", message_id, status: "cancelled" });
  expect(answers).toEqual([]);
  prompts.completed({ ...TURN, result: "cancelled" }, NO_AGENTS);
  expect(answers).toEqual(["one: cancelled", "two: cancelled", "three: cancelled"]);
});

test("a prompt without a turn is answered when the turn that seemed to be its own ends", () => {
  const { prompts, answers, add } = hold();
  add("two");
  prompts.started(TURN);
  prompts.withdraw("two");
  for (const message_id of ["one", "two"])
    prompts.receipt({ type: "message_status", message_id, status: "cancelled" });
  expect(answers).toEqual([]);
  prompts.completed({ ...TURN, message_ids: [] }, NO_AGENTS);
  expect(answers).toEqual(["two: the prompt was withdrawn", "one: cancelled"]);
});

test("a prompt without a turn does not wait for the turn of a later prompt", () => {
  const { prompts, answers, add } = hold();
  add("two");
  prompts.started({ ...TURN, message_ids: ["two"] });
  prompts.receipt({ type: "message_status", message_id: "one", status: "cancelled" });
  expect(answers).toEqual(["one: cancelled"]);
});

test("a held prompt is answered before one whose turn ends", () => {
  const { prompts, answers, add } = hold();
  add("two");
  prompts.cancel("one");
  prompts.stopAgents();
  prompts.completed({ ...TURN, result: "cancelled" }, RUNNING);
  expect(answers).toEqual([]);
  const broken = { type: "turn_cancelled", reason: "shutdown", partial_result: "" } as const;
  prompts.broken({ ...TURN, ...broken, turn_id: "u", message_ids: ["two"] });
  expect(answers).toEqual(["one: cancelled", "two: cancelled"]);
});

test("a prompt that the bridge drops because Claude does not start has an error", () => {
  const { prompts, answers } = hold();
  const dropped = {
    message_id: "one",
    status: "cancelled",
    reason: "claude_start_failed",
  } as const;
  prompts.receipt({ type: "message_status", ...dropped });
  expect(answers).toEqual(["one: the prompt was cancelled: claude_start_failed"]);
});
