/** Claude's questions to a person, over the pipes of the agent, whose Claude is the stand-in. */
import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Fields, fieldsOf } from "../../src/base/json.ts";
import { AcpAgent } from "../../testing/drivers/acp-agent.ts";
import type { AcpFrame } from "../../testing/drivers/acp-client.ts";
import { descendantsOf, signalIfRunning } from "../../testing/drivers/processes.ts";

const FORMS = { elicitation: { form: {}, url: {} } };

let agent: AcpAgent;
afterEach(() => agent.kill());

/** An editor with one session, and the lines that its Claude has read. */
async function start(scenario: string, capabilities: Fields = {}) {
  const dir = mkdtempSync(join(tmpdir(), "acp-"));
  const log = join(dir, "stdin.jsonl");
  const env = { TUGTALK_SIM_SCENARIO: scenario, TUGTALK_SIM_STDIN_LOG: log };
  agent = new AcpAgent({ env });
  await agent.initialize(capabilities);
  const id = await agent.open(dir);
  const answers = () =>
    readFileSync(log, "utf8")
      .split("\n")
      .filter((line) => line.includes('"control_response"'))
      .map((line) => fieldsOf(JSON.parse(line)["response"]));
  return { id, say: (text = "go") => agent.prompt(id, text), answers };
}

const isAsked = ({ method, id }: AcpFrame) => typeof method === "string" && id !== undefined;
const asked = () => agent.next(isAsked);

/** The next request, which must match `expected`. */
async function request(expected: object): Promise<AcpFrame> {
  const frame = await asked();
  expect(frame).toMatchObject(expected);
  return frame;
}

function choose(frame: AcpFrame, optionId: string): void {
  agent.answer(frame, { outcome: { outcome: "selected", optionId } });
}

const withdrawn = ({ id: requestId }: AcpFrame) =>
  agent.next(
    ({ method, params }) =>
      method === "$/cancel_request" && Object(params)["requestId"] === requestId,
  );

const PERMISSION = "session/request_permission";
const FORM = "elicitation/create";
const ended = { result: { stopReason: "end_turn" } };

/** How each tool call that has ended did so, and with which text. */
function ends(sessionId: string): string[] {
  return agent
    .updates(sessionId)
    .filter(({ status }) => status === "completed" || status === "failed")
    .map(({ status, content }) => `${status} ${JSON.stringify(content)}`);
}

test("a permission has one outcome, whatever the client answers, and the model reads why it is none", async () => {
  const { id, say, answers } = await start("permissions", FORMS);
  let turn = say();
  choose(await request({ method: PERMISSION, params: { sessionId: id } }), "reject-why");
  agent.answer(await request({ method: FORM }), {
    action: "accept",
    content: { reason: "Use make." },
  });
  expect(await turn).toMatchObject(ended);

  turn = say();
  const failed = await asked();
  agent.send({ id: failed["id"], error: { code: -32603, message: "a secret of the client" } });
  expect(await turn).toMatchObject(ended);

  turn = say();
  const twice = await asked();
  choose(twice, "nothing");
  choose(twice, "allow");
  choose(await asked(), "allow-0");
  expect(await turn).toMatchObject(ended);

  turn = say();
  agent.answer(await asked(), { outcome: 7 });
  choose(await asked(), "allow-0");
  expect(await turn).toMatchObject(ended);

  turn = say();
  const [one, other] = [await asked(), await asked()];
  agent.send({ id: one["id"] });
  agent.sendRaw(`{"id":${other["id"]},"result":{"outcome":{"outcome":"selected"}}}\n`);
  expect(await turn).toMatchObject(ended);

  expect(ends(id)).toMatchObject([
    expect.stringContaining("Use make."),
    expect.stringContaining("could not show the request"),
    expect.stringContaining("not offered"),
    expect.stringMatching(/^completed/),
    expect.stringContaining("no valid answer"),
    expect.stringMatching(/^completed/),
    expect.stringContaining("could not show the request"),
    expect.stringContaining("could not show the request"),
  ]);
  expect(JSON.stringify(agent.updates(id))).not.toContain("a secret");
  expect(new Set(answers().map((answer) => answer["request_id"])).size).toBe(8);
  expect(answers()).toHaveLength(8);
});

test("a rejected plan does not end the turn", async () => {
  const { id, say } = await start("plan");
  const turn = say();
  const plan = await request({ method: PERMISSION, params: { toolCall: { kind: "switch_mode" } } });
  expect(JSON.stringify(plan)).toContain("Write `greet(name)`");
  choose(plan, "reject");
  expect(await turn).toMatchObject(ended);
  expect(ends(id).at(-1)).toMatch(/^failed .*keep planning/);
});

test("questions are a form where the client has them, and Claude gets its answers by question", async () => {
  const { say, answers } = await start("questions", FORMS);
  let turn = say();
  agent.answer(await request({ method: FORM }), {
    ...{ action: "accept", content: { answer_1: "SQLite" } },
  });
  expect(await turn).toMatchObject(ended);
  turn = say();
  agent.answer(await request({ method: FORM }), {
    ...{ action: "accept", content: { answer_1: ["Lint", "Types"], other_1: "Spelling" } },
  });
  expect(await turn).toMatchObject(ended);
  turn = say();
  agent.answer(await request({ method: FORM }), { action: "decline" });
  expect(await turn).toMatchObject(ended);
  const inputs = answers().map(({ response }) => Object(response));
  expect(inputs.map(({ updatedInput, message }) => updatedInput?.answers ?? message)).toEqual([
    { "Which database should the service use?": "SQLite" },
    { "Which checks should run before each commit?": ["Types", "Lint", "Spelling"] },
    "The user does not want to answer the questions.",
  ]);
});

test("without forms questions are options, one question after the other", async () => {
  const { say, answers } = await start("questions");
  for (const options of [["option-2"], ["option-0", "option-1", "done"], ["option-1"]]) {
    const turn = say();
    for (const option of options) choose(await request({ method: PERMISSION }), option);
    if (options[0] === "option-1")
      for (const option of ["option-2", "done", "option-0"])
        choose(await request({ method: PERMISSION }), option);
    expect(await turn).toMatchObject(ended);
  }
  const given = answers().map(({ response }) => Object(response)["updatedInput"].answers);
  expect(given).toEqual([
    { "Which database should the service use?": "None" },
    { "Which checks should run before each commit?": ["Types", "Lint"] },
    {
      "What should the command be called?": "start",
      "Which ports may it use?": ["Any free"],
      "Should it open a browser?": "Yes",
    },
  ]);
});

test("a server gets the answers to its form and its page, and a form that Claude withdraws is withdrawn", async () => {
  const { id, say, answers } = await start("forms", FORMS);
  let turn = say();
  const form = await request({ method: FORM, params: { mode: "form", sessionId: id } });
  agent.answer(form, { action: "accept", content: { name: "me", size: "M" } });
  expect(await turn).toMatchObject(ended);
  turn = say();
  const page = await request({ method: FORM, params: { mode: "url" } });
  agent.answer(page, { action: "accept" });
  const { elicitationId } = Object(page["params"]);
  const complete = await agent.next(({ method }) => method === "elicitation/complete");
  expect(complete).toMatchObject({ params: { elicitationId } });
  expect(await turn).toMatchObject(ended);
  turn = say();
  const open = await request({ method: FORM });
  await withdrawn(open);
  agent.answer(open, { action: "accept", content: { answer: true } });
  expect(await turn).toMatchObject(ended);
  expect(answers().map(({ response }) => response)).toEqual([
    { action: "accept", content: { name: "me", size: "M" } },
    { action: "accept" },
  ]);
});

test("a cancel withdraws open requests, a late answer is dropped, and the session goes on", async () => {
  const { id, say, answers } = await start("permissions", FORMS);
  const turn = say();
  choose(await asked(), "reject-why");
  const form = await request({ method: FORM });
  agent.send({ method: "session/cancel", params: { sessionId: id } });
  await withdrawn(form);
  agent.answer(form, { action: "accept", content: { reason: "late" } });
  expect(await turn).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(answers()).toEqual([]);
  const next = say();
  choose(await request({ method: PERMISSION }), "allow");
  expect(await next).toMatchObject(ended);
  expect(answers()).toHaveLength(1);
});

test("a prompt that is given up is -32800 while it waits, and cancelled once its turn has begun", async () => {
  const { id } = await start("permissions");
  const prompt = [{ type: "text", text: "go" }];
  const send = (requestId: string) =>
    agent.request(requestId, "session/prompt", { sessionId: id, prompt });
  const giveUp = (requestId: unknown) =>
    agent.send({ method: "$/cancel_request", params: { requestId } });
  const begun = send("begun");
  const open = await asked();
  const [waiting, next] = [send("waiting"), send("next")];
  giveUp("waiting");
  expect(await waiting).toMatchObject({ error: { code: -32800 } });
  giveUp("begun");
  await withdrawn(open);
  expect(await begun).toMatchObject({ result: { stopReason: "cancelled" } });
  giveUp("begun");
  choose(await asked(), "allow");
  expect(await next).toMatchObject(ended);
});

test("two sessions that ask at once have their own answers", async () => {
  const one = await start("permissions");
  const otherId = await agent.open(mkdtempSync(join(tmpdir(), "acp-")));
  const turns = [one.say(), agent.prompt(otherId, "go")];
  const requests = [await asked(), await asked()];
  for (const frame of requests)
    choose(frame, Object(frame["params"])["sessionId"] === one.id ? "allow" : "reject");
  expect(await Promise.all(turns)).toMatchObject([ended, ended]);
  expect(ends(one.id)).toMatchObject([expect.stringMatching(/^completed/)]);
  expect(ends(otherId)).toMatchObject([expect.stringMatching(/^failed/)]);
});

test("nothing stays open when Claude dies, when the session is closed, and when the client ends", async () => {
  const { id, say } = await start("permissions");
  const turn = say();
  const open = await asked();
  for (const pid of descendantsOf(agent.pid)) signalIfRunning(pid, "SIGKILL");
  await withdrawn(open);
  expect(await turn).toMatchObject({ error: { code: -32603 } });

  const next = say();
  const again = await asked();
  const closed = agent.ask("session/close", { sessionId: id });
  await withdrawn(again);
  expect(await next).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(await closed).toMatchObject({ result: {} });

  const last = agent.prompt(await agent.open(tmpdir()), "go");
  const left = await asked();
  const exited = agent.end();
  expect(await last).toMatchObject({ result: { stopReason: "cancelled" } });
  await withdrawn(left);
  expect(await exited).toBe(0);
});
