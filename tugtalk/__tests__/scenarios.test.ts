/** Every scenario of `tugtalk simulate`, played through the bridge by a host that answers its prompts. */
import { afterEach, expect, test } from "bun:test";
import { listScenarios } from "../simulator/scenarios.ts";
import {
  type Received,
  startBridge,
  type TestBridge,
  UNDER_TEST,
} from "../testing/drivers/bridge-process.ts";
import { endCleanly } from "../testing/drivers/clean-end.ts";
import { observe } from "../testing/observer/observer.ts";
import { SCENARIO_PROMISES, type ScenarioPromise } from "./support/scenario-promises.ts";

let bridge: TestBridge | undefined;
afterEach(() => bridge?.kill());

/** Starts a scenario without its pauses. */
function start(
  name: string,
  options: object = { dialogs: ["refusal_fallback_prompt"] },
): TestBridge {
  bridge = startBridge({ command: [...UNDER_TEST, "simulate", name, "--speed=max"], claude: "" });
  bridge.send({ type: "protocol_init", version: 2, id: "init", options });
  return bridge;
}

type Questions = readonly { readonly question: string; readonly options: readonly Received[] }[];

/** The answer of a host that agrees to everything. */
function answerTo(prompt: Received): Record<string, unknown> {
  const { type, request_id } = prompt;
  const reply = { id: String(request_id), request_id };
  if (type === "host_tool_request") return { ...reply, type: "host_tool_answer", text: "done" };
  if (type === "hook_request") return { ...reply, type: "hook_answer" };
  if (type === "dialog_request")
    return { ...reply, type: "dialog_answer", behavior: "completed", result: {} };
  if (type === "elicitation_request")
    return { ...reply, type: "elicitation_answer", action: "accept", content: { answer: true } };
  if (prompt["is_question"] !== true) return { ...reply, type: "tool_approval", decision: "allow" };
  const { questions } = prompt["input"] as { readonly questions: Questions };
  const answers = questions.map(({ question, options }) => [question, options[0]?.["label"]]);
  return { ...reply, type: "question_answer", answers: Object.fromEntries(answers) };
}

const PROMPTS = ["control_request_forward", "elicitation_request", "dialog_request"];

const ASKED = [...PROMPTS, "host_tool_request", "hook_request"];

const FINAL = ["completed", "cancelled", "rejected", "failed"];

/** Reads until a message fits, and answers the prompts on the way except for those left alone. */
async function readUntil(
  playing: TestBridge,
  fits: (message: Received) => boolean,
  isLeft: ScenarioPromise["leaves"] = () => false,
): Promise<void> {
  for (;;) {
    const message = await playing.next(() => true);
    if (ASKED.includes(message.type) && !isLeft(message)) playing.send(answerTo(message));
    if (fits(message)) return;
  }
}

/** A page is reloaded and tried again: after its last turn a scenario begins anew. */
const ROUNDS = 2;

/** Sends a message for each turn of the user in every round, and reads until all promises are kept. */
async function play(
  name: string,
  { turns, shows, options, leaves }: ScenarioPromise,
): Promise<TestBridge> {
  const playing = start(name, options);
  for (let turn = 1; turn <= ROUNDS * turns; turn += 1) {
    playing.send({ type: "user_message", text: `message ${turn}`, id: `turn-${turn}` });
    let own: unknown;
    const isEnd = (message: Received) => {
      if (message["in_reply_to"] === `turn-${turn}`) own = message["message_id"];
      return message["message_id"] === own && FINAL.includes(String(message["status"]));
    };
    await readUntil(playing, isEnd, leaves);
  }
  const isKept = () => shows.every((part) => playing.received.some((one) => hasPart(one, part)));
  if (!isKept()) await readUntil(playing, isKept, leaves);
  return playing;
}

/** Whether every member of `part` is in `whole`; of texts, whether they match its patterns. */
function hasPart(whole: unknown, part: unknown): boolean {
  if (part instanceof RegExp) return typeof whole === "string" && part.test(whole);
  if (typeof part !== "object" || part === null) return Object.is(whole, part);
  if (typeof whole !== "object" || whole === null) return false;
  if (Array.isArray(part) && (!Array.isArray(whole) || whole.length !== part.length)) return false;
  const members = whole as Readonly<Record<string, unknown>>;
  return Object.entries(part).every(([key, inner]) => hasPart(members[key], inner));
}

/** The costs whose share of the turn is not the growth of the total since the turn before. */
function miscounted(received: readonly Received[]): readonly Received[] {
  let before = 0;
  return received.filter((message) => {
    if (message.type === "process_started") before = 0;
    if (message.type !== "cost_update") return false;
    const [total, turn] = [Number(message["total_cost_usd"]), Number(message["turn_cost_usd"])];
    const growth = total < before ? total : total - before;
    before = total;
    return Math.abs(turn - growth) > 1e-9;
  });
}

test("every scenario has promises, and every promise is one of a scenario", () => {
  expect(Object.keys(SCENARIO_PROMISES).sort()).toEqual(
    listScenarios()
      .map(({ name }) => name)
      .sort(),
  );
});

const PLAYED = Object.entries(SCENARIO_PROMISES).filter(([name]) => name !== "start-failure");

test.each(PLAYED)(
  "the scenario %s shows what it promises, ends its turns and keeps every guarantee; twice round",
  async (name, promise) => {
    const playing = await play(name, promise);
    await endCleanly(playing);
    const begun = playing.received.filter(({ type }) => type === "turn_started");
    const ended = playing.received.filter(({ type }) => /^turn_(complete|cancelled)$/.test(type));
    expect(ended.length).toBe(begun.length);
    expect(begun.length).toBeGreaterThanOrEqual(ROUNDS * promise.turns);
    const refused = playing.received.filter(({ type }) => type === "error");
    expect(refused).toEqual([]);
    expect(miscounted(playing.received)).toEqual([]);
  },
);

test("the scenario start-failure ends the bridge with the reason and exit code 1, as its text in the list says", async () => {
  const playing = start("start-failure");
  const code = await playing.exited;
  expect(code).toBe(1);
  const { received, sentIds } = playing;
  expect(received.at(-1)).toMatchObject({ code: "claude_start_failed", reason: "bad_flag" });
  const listed = listScenarios().find(({ name }) => name === "start-failure");
  for (const word of ["after protocol_init", "claude_start_failed", `exit code ${code}`])
    expect(listed?.shows).toContain(word);
  expect(observe({ received, sentIds, isOver: true })).toEqual([]);
});

test("a host that declares another kind of dialog is not asked, and the turn ends", async () => {
  const playing = start("dialog", { dialogs: ["survey"] });
  playing.send({ type: "user_message", text: "go", id: "go" });
  await playing.next("turn_complete");
  await endCleanly(playing);
  const types = playing.received.map(({ type }) => type);
  expect(types).not.toContain("dialog_request");
  expect(types).not.toContain("error");
});

test.each([...PROMPTS])(
  "an answer that refuses a %s is not played as one that allows",
  async (type) => {
    const names = {
      control_request_forward: "plan",
      elicitation_request: "forms",
      dialog_request: "dialog",
    };
    const playing = start(names[type as keyof typeof names]);
    playing.send({ type: "user_message", text: "go", id: "go" });
    const prompt = await playing.next(type);
    const refusals: Record<string, object> = {
      control_request_forward: { type: "tool_approval", decision: "deny", message: "no" },
      elicitation_request: { type: "elicitation_answer", action: "decline" },
      dialog_request: { type: "dialog_answer", behavior: "cancelled" },
    };
    playing.send({ ...refusals[type], request_id: prompt["request_id"], id: "no" });
    await playing.next("turn_complete");
    await endCleanly(playing);
    const outcomes = playing.received.filter(({ type }) => type === "control_request_resolved");
    expect(outcomes.map(({ outcome }) => outcome)).not.toContain("allow");
    const modes = playing.received.filter(({ type }) => type === "permission_mode_changed");
    // A plan that is refused does not end the plan mode.
    expect(modes.map(({ mode }) => mode)).toEqual(
      type === "control_request_forward" ? ["plan"] : [],
    );
  },
);
