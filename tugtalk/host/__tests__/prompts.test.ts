/** Permissions, questions and their answers, over real sockets. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { endingTurn, withdrawingTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import {
  answerTo,
  asked,
  COLOUR,
  form,
  isAnswerTo,
  isOf,
  nextPrompt,
  QUESTIONS,
  SIZES,
} from "./support/asked-session.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

test("a permission is announced and listed with its session, request, tool call, input as an object, suggestions and blocked path", async () => {
  const suggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const request = { permission_suggestions: [suggestion], blocked_path: "/etc/a" };
  const { session, prompt } = await asked(host, [
    { id: "p", input: { file_path: "/etc/a" }, request },
  ]);
  const expected = {
    sessionId: session.id,
    stageId: session.id,
    requestId: "p",
    toolName: "Write",
    toolUseId: "call-p",
    input: { file_path: "/etc/a" },
    suggestions: [suggestion],
    blockedPath: "/etc/a",
    createdAt: expect.any(Number),
  };
  const age = Date.now() - Number(prompt["createdAt"]);
  expect(age >= 0 && age < 60_000).toBe(true);
  expect(prompt).toMatchObject(expected);
  const { body } = await session.run("pending");
  expect(body).toMatchObject({ pending: [{ type: "approval", ...expected }] });
});

test("a form is announced and listed as a question with its questions and their options", async () => {
  const { session, prompt } = await asked(host, [form("p")]);
  const expected = {
    sessionId: session.id,
    stageId: session.id,
    requestId: "p",
    toolUseId: "call-p",
    questions: QUESTIONS,
    input: { questions: QUESTIONS },
    createdAt: expect.any(Number),
  };
  expect(prompt).toMatchObject(expected);
  const { body } = await session.run("pending");
  expect(body).toMatchObject({ pending: [{ type: "question", ...expected }] });
});

test("a form without questions, or with malformed ones, is a question with none of these", async () => {
  const inputs = [{}, { questions: "none" }, { questions: [7, { question: 1 }] }];
  const tools = inputs.map((input, at) => ({ id: `p${at}`, name: "AskUserQuestion", input }));
  const [first = form("p"), ...more] = tools;
  const { session, events, prompt } = await asked(host, [first, ...more]);
  expect(prompt).toMatchObject({ questions: [], input: {} });
  for (const { id, input } of more) {
    await session.run("interrupt");
    await events.next("turn_complete");
    expect(await nextPrompt(session, events)).toMatchObject({
      requestId: id,
      questions: [],
      input,
    });
  }
});

const INPUT = { file_path: "b" };
const DECISIONS = [
  { body: { decision: "allow" }, answer: { behavior: "allow", updatedInput: INPUT } },
  {
    body: { decision: "allow", updatedInput: { file_path: "c" } },
    answer: { behavior: "allow", updatedInput: { file_path: "c" } },
  },
  {
    body: { decision: "deny", reason: "not that" },
    answer: { behavior: "deny", message: "not that" },
  },
  { body: { decision: "deny" }, answer: { behavior: "deny", message: expect.any(String) } },
].map((row, at) => ({ id: `p${at}`, ...row }));

test("allow gives Claude the original input, and deny a reason or a text of its own", async () => {
  const [first = form("p"), ...more] = DECISIONS.map(({ id }) => ({ id, input: INPUT }));
  const { session, events } = await asked(host, [first, ...more]);
  for (const { id, body, answer } of DECISIONS) {
    if (id !== first.id) await nextPrompt(session, events);
    const reply = await session.run("approve", { requestId: id, ...body });
    expect(reply).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await answerTo(session, id)).toMatchObject(answer);
    await events.next("turn_complete");
  }
});

test("accepted suggestions go to Claude as it has made them", async () => {
  const rule = {
    type: "addRules",
    rules: [{ toolName: "Write" }],
    behavior: "allow",
    destination: "session",
  };
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const { session } = await asked(host, [
    { id: "p", request: { permission_suggestions: [rule, mode] } },
  ]);
  await session.run("approve", { requestId: "p", decision: "allow", suggestions: [1] });
  expect(await answerTo(session, "p")).toMatchObject({ updatedPermissions: [mode] });
});

const EXPECTED_ANSWERS = { [COLOUR]: "Red", [SIZES]: ["S", "M"] };

test.each([
  ["by the text of the question", { [COLOUR]: "Red", [SIZES]: ["S", "M"] }],
  ["by index, several labels as JSON", { 0: "Red", 1: '["S","M"]' }],
])(
  "answers %s reach Claude beside the questions, by text, several labels as an array",
  async (_name, answers) => {
    for (const [command, id] of [
      ["answer", { requestId: "p" }],
      ["submit-answers", { toolCallId: "call-p" }],
    ] as const) {
      const { session } = await asked(host, [form("p")]);
      const path = `/api/sessions/${session.id}/${command}`;
      const reply = await host.request("POST", path, { ...id, answers });
      expect(reply.status).toBe(200);
      expect(await answerTo(session, "p")).toMatchObject({
        behavior: "allow",
        updatedInput: { questions: QUESTIONS, answers: EXPECTED_ANSWERS },
      });
    }
  },
);

test("an answer to a prompt that never existed is 404, and a second one 409 with who answered", async () => {
  for (const [command, fields] of [
    ["approve", { decision: "deny" }],
    ["answer", { answers: { [COLOUR]: "Red" } }],
  ] as const) {
    const { session } = await asked(host, [command === "answer" ? form("p") : { id: "p" }]);
    const unknown = await session.run(command, { requestId: "never", ...fields });
    expect(unknown).toMatchObject({ status: 404, body: { error: expect.any(String) } });
    const path = `/api/sessions/${session.id}/${command}`;
    const first = await fetch(host.url + path, {
      method: "POST",
      headers: {
        ...host.authorization,
        "content-type": "application/json",
        "x-client-name": "the first",
      },
      body: JSON.stringify({ requestId: "p", ...fields }),
    });
    expect(first.status).toBe(200);
    const second = await session.run(command, { requestId: "p", ...fields });
    const outcome = command === "answer" ? expect.any(String) : "deny";
    expect(second).toMatchObject({
      status: 409,
      body: { code: "already_resolved", by: "the first", outcome },
    });
  }
});

test.each(["approval", "question"])(
  "when Claude takes back a prompt, here of the kind %s, all clients are told and nothing is pending",
  async (kind) => {
    const tool = kind === "question" ? form("p") : { id: "p" };
    const session = await host.createSession({ conversation: withdrawingTurn(tool) });
    const [one, other] = [await session.events(), await session.events()];
    await session.message("go");
    for (const events of [one, other]) {
      const { data } = await events.next("approval-cancelled");
      expect(data).toMatchObject({ requestId: "p", sessionId: session.id, reason: "withdrawn" });
    }
    expect((await session.run("pending")).body).toEqual({ pending: [] });
  },
);

test("a cancellation of a prompt that is unknown changes nothing", async () => {
  const cancel = { dir: "out", msg: { type: "control_cancel_request", request_id: "never" } };
  const [first, init, ...rest] = endingTurn({});
  const conversation = [first, init, cancel, ...rest].filter((entry) => entry !== undefined);
  const session = await host.createSession({ conversation });
  const events = await session.events();
  await session.message("go");
  await events.next("turn_complete");
  expect(events.events.map(({ type }) => type)).not.toContain("approval-cancelled");
});

test("prompts belong to their session, also two with the same id, and end with its Claude", async () => {
  const [one, other] = [await asked(host, [{ id: "same" }]), await asked(host, [form("same")])];
  expect((await one.session.run("pending")).body).toMatchObject({
    pending: [{ type: "approval", stageId: one.session.id }],
  });
  expect((await other.session.run("pending")).body).toMatchObject({
    pending: [{ type: "question", stageId: other.session.id }],
  });
  await host.request("DELETE", `/api/sessions/${one.session.id}?keep=1`);
  const { data } = await one.events.next("approval-cancelled");
  expect(data).toMatchObject({ requestId: "same" });
  expect((await one.session.run("pending")).body).toEqual({ pending: [] });
  expect((await other.session.run("pending")).body).toMatchObject({ pending: [{}] });
});

test("a page that opens late finds the open turn, prompt and queue in its snapshot", async () => {
  const { session } = await asked(host, [{ id: "p" }]);
  await session.message("waits");
  const late = await host.events(`/api/sessions/${session.id}/events`);
  const { data } = await late.next("snapshot");
  expect(data).toMatchObject({
    state: {
      prompts: [{ requestId: "p" }],
      queue: [{ text: "waits" }],
      openEntries: [{ kind: "turn", status: "running" }],
    },
  });
  expect((await session.run("pending")).body).toMatchObject({ pending: [{ requestId: "p" }] });
});

test("a decision is on Claude's stdin when the client has its answer", async () => {
  const { session } = await asked(host, [{ id: "p" }]);
  const start = performance.now();
  const reply = await session.run("approve", { requestId: "p", decision: "allow" });
  expect(reply.status).toBe(200);
  await session.claudeHears(isAnswerTo("p"));
  // A promise of the product; how much quicker it is shows `npm run bench`.
  expect(performance.now() - start).toBeLessThan(500);
});

test("a prompt stays open unless the session has a limit, and then it is refused and told as timed out", async () => {
  const options = { prompt_timeout_ms: 50 };
  const { session, events } = await asked(host, [{ id: "p" }], { options });
  const { data } = await events.next("approval-cancelled");
  expect(data).toMatchObject({ requestId: "p", reason: "timeout" });
  expect(await answerTo(session, "p")).toMatchObject({ behavior: "deny" });
  const reply = await session.run("approve", { requestId: "p", decision: "allow" });
  expect(reply).toMatchObject({ status: 409, body: { code: "already_resolved" } });
});

test("what is missing or ill-typed in an answer is 400 and leaves the prompt open", async () => {
  const { session } = await asked(host, [form("p")]);
  for (const [command, body] of [
    ["approve", { decision: "allow" }],
    ["approve", { requestId: "p", decision: "maybe" }],
    ["answer", { answers: { [COLOUR]: "Red" } }],
    ["answer", { requestId: "p" }],
    ["answer", { requestId: "p", answers: "Red" }],
  ] as const) {
    const reply = await session.run(command, body);
    expect(reply).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  }
  const path = `/api/sessions/${session.id}/submit-answers`;
  for (const body of [{}, { toolCallId: "call-p" }, { answers: {} }]) {
    const reply = await host.request("POST", path, body);
    const error = "toolCallId and answers are required";
    expect(reply).toMatchObject({ status: 400, body: { error } });
  }
  expect((await session.run("pending")).body).toMatchObject({ pending: [{ requestId: "p" }] });
});

test("the open prompts of a session are a list, empty without any, and 404 for an unknown session", async () => {
  const session = await host.createSession();
  expect(await session.run("pending")).toMatchObject({ status: 200, body: { pending: [] } });
  const reply = await host.run("pending", { id: crypto.randomUUID() });
  expect(reply).toMatchObject({ status: 404, body: { error: expect.any(String) } });
});

test("every client is told of the decision and who made it", async () => {
  const { session, events } = await asked(host, [{ id: "p" }]);
  const [other, socket] = [await session.events(), await host.socket()];
  await socket.run("subscribe", { s: session.id, after: 0 });
  await session.run("approve", { requestId: "p", decision: "allow" });
  const expected = { stageId: session.id, requestId: "p", decision: "allow" };
  for (const reader of [events, other])
    expect((await reader.next(isOf("approval-resolved", "p"))).data).toMatchObject(expected);
  expect((await socket.next("approval-resolved")).d).toMatchObject(expected);
});
