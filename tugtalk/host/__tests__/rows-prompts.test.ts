/** The rows about permissions, questions and their answers, over real sockets; see rows.test.ts. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { EventReader, Fields, SentEvent } from "../../testing/drivers/host-clients.ts";
import {
  type AskedTool,
  askingTurn,
  endingTurn,
  interleavedTurn,
  withdrawingTurn,
} from "../../testing/drivers/host-conversations.ts";
import {
  endHosts,
  startHost,
  type TestHost,
  type TestHostSession,
} from "../../testing/drivers/host-process.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

const COLOUR = "Which colour?";
const SIZES = "Which sizes?";
const labels = (...names: string[]) => names.map((label) => ({ label, description: label }));
const QUESTIONS = [
  { question: COLOUR, header: "Colour", options: labels("Red", "Blue"), multiSelect: false },
  { question: SIZES, header: "Sizes", options: labels("S", "M", "L"), multiSelect: true },
];
const form = (id: string): AskedTool => ({
  id,
  name: "AskUserQuestion",
  input: { questions: QUESTIONS },
});

type Asked = {
  readonly session: TestHostSession;
  readonly events: EventReader;
  /** The data of the event with which the prompt came. */
  readonly prompt: Fields;
};

/** A session whose Claude asks, up to the prompt. */
async function asked(tool: AskedTool, fields: Fields = {}): Promise<Asked> {
  const session = await host.createSession({ conversation: askingTurn(tool), ...fields });
  const events = await session.events();
  await session.message("go");
  const { data } = await events.next(({ type }) => type.endsWith("-requested"));
  return { session, events, prompt: data };
}

/** What Claude was told for a prompt: the innermost `response`. */
async function answerTo(session: TestHostSession, requestId: string): Promise<unknown> {
  const line = await session.claudeHears(isAnswerTo(requestId));
  return Object(line["response"])["response"];
}

const isAnswerTo = (requestId: string) => (line: Fields) =>
  line["type"] === "control_response" && Object(line["response"])["request_id"] === requestId;

const isOf =
  (type: string, requestId: string) =>
  (event: SentEvent): boolean =>
    event.type === type && event.data["requestId"] === requestId;

test("K8, K32: a permission is announced and listed with its session, request, tool call, input, suggestions and blocked path", async () => {
  const suggestion = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const request = { permission_suggestions: [suggestion], blocked_path: "/etc/a" };
  const { session, prompt } = await asked({ id: "p", input: { file_path: "/etc/a" }, request });
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

test("K9, K33, D1: a form is announced and listed as a question with its questions and their options", async () => {
  const { session, prompt } = await asked(form("p"));
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

test("K9: a form without questions, or with malformed ones, is a question with none of these", async () => {
  for (const input of [{}, { questions: "none" }, { questions: [7, { question: 1 }] }]) {
    const { prompt } = await asked({ id: "p", name: "AskUserQuestion", input });
    expect(prompt).toMatchObject({ questions: [], input });
  }
});

test("K10, K27: allow gives Claude the original input, and deny a reason or a text of its own", async () => {
  const input = { file_path: "b" };
  const cases = [
    { body: { decision: "allow" }, answer: { behavior: "allow", updatedInput: input } },
    {
      body: { decision: "allow", updatedInput: { file_path: "c" } },
      answer: { behavior: "allow", updatedInput: { file_path: "c" } },
    },
    {
      body: { decision: "deny", reason: "not that" },
      answer: { behavior: "deny", message: "not that" },
    },
    {
      body: { decision: "deny" },
      answer: { behavior: "deny", message: expect.stringMatching(/./) },
    },
  ];
  for (const { body, answer } of cases) {
    const { session } = await asked({ id: "p", input });
    const reply = await session.run("approve", { requestId: "p", ...body });
    expect(reply).toMatchObject({ status: 200, body: { status: "ok" } });
    expect(await answerTo(session, "p")).toMatchObject(answer);
  }
});

test("K8: accepted suggestions go to Claude as it has made them", async () => {
  const rule = {
    type: "addRules",
    rules: [{ toolName: "Write" }],
    behavior: "allow",
    destination: "session",
  };
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const { session } = await asked({ id: "p", request: { permission_suggestions: [rule, mode] } });
  await session.run("approve", { requestId: "p", decision: "allow", suggestions: [1] });
  expect(await answerTo(session, "p")).toMatchObject({ updatedPermissions: [mode] });
});

const EXPECTED_ANSWERS = { [COLOUR]: "Red", [SIZES]: ["S", "M"] };

test.each([
  ["by the text of the question", { [COLOUR]: "Red", [SIZES]: ["S", "M"] }],
  ["by index, several labels as JSON", { 0: "Red", 1: '["S","M"]' }],
])(
  "K11, K28, D9: answers %s reach Claude beside the questions, by text, several labels as an array",
  async (_name, answers) => {
    for (const [command, id] of [
      ["answer", { requestId: "p" }],
      ["submit-answers", { toolCallId: "call-p" }],
    ] as const) {
      const { session } = await asked(form("p"));
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

test("K12, K27, K28: an answer to a prompt that never existed is 404, and a second one 409 with who answered", async () => {
  for (const [command, fields] of [
    ["approve", { decision: "deny" }],
    ["answer", { answers: { [COLOUR]: "Red" } }],
  ] as const) {
    const { session } = await asked(command === "answer" ? form("p") : { id: "p" });
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
  "K13, K34: Claude takes back a %s: all clients are told, and nothing is pending",
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

test("K13: a cancellation of a prompt that is unknown changes nothing", async () => {
  const cancel = { dir: "out", msg: { type: "control_cancel_request", request_id: "never" } };
  const [first, init, ...rest] = endingTurn({});
  const conversation = [first, init, cancel, ...rest].filter((entry) => entry !== undefined);
  const session = await host.createSession({ conversation });
  const events = await session.events();
  await session.message("go");
  await events.next("turn_complete");
  expect(events.events.map(({ type }) => type)).not.toContain("approval-cancelled");
});

test("K14, K16: prompts belong to their session, also two with the same id, and end with its Claude", async () => {
  const [one, other] = [await asked({ id: "same" }), await asked(form("same"))];
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

test("K17, K31: a page that opens late finds the open turn, prompt and queue in its snapshot", async () => {
  const { session } = await asked({ id: "p" });
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

test("K18: a decision is on Claude's stdin when the client has its answer", async () => {
  const { session } = await asked({ id: "p" });
  const start = performance.now();
  const reply = await session.run("approve", { requestId: "p", decision: "allow" });
  expect(reply.status).toBe(200);
  await session.claudeHears(isAnswerTo("p"));
  // A promise of the product; how much quicker it is shows `npm run bench`.
  expect(performance.now() - start).toBeLessThan(500);
});

test("K19, D7: a prompt stays open unless the session has a limit, and then it is refused and told as timed out", async () => {
  const options = { prompt_timeout_ms: 50 };
  const { session, events } = await asked({ id: "p" }, { options });
  const { data } = await events.next("approval-cancelled");
  expect(data).toMatchObject({ requestId: "p", reason: "timeout" });
  expect(await answerTo(session, "p")).toMatchObject({ behavior: "deny" });
  const reply = await session.run("approve", { requestId: "p", decision: "allow" });
  expect(reply).toMatchObject({ status: 409, body: { code: "already_resolved" } });
});

test("K27, K28, D9: what is missing or ill-typed in an answer is 400 and leaves the prompt open", async () => {
  const { session } = await asked(form("p"));
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

test("K30: the open prompts of a session are a list, empty without any, and 404 for an unknown session", async () => {
  const session = await host.createSession();
  expect(await session.run("pending")).toMatchObject({ status: 200, body: { pending: [] } });
  const reply = await host.run("pending", { id: crypto.randomUUID() });
  expect(reply).toMatchObject({ status: 404, body: { error: expect.any(String) } });
});

test("K35: every client is told of the decision and who made it", async () => {
  const { session, events } = await asked({ id: "p" });
  const [other, socket] = [await session.events(), await host.socket()];
  await socket.run("subscribe", { s: session.id, after: 0 });
  await session.run("approve", { requestId: "p", decision: "allow" });
  const expected = { stageId: session.id, requestId: "p", decision: "allow" };
  for (const reader of [events, other])
    expect((await reader.next(isOf("approval-resolved", "p"))).data).toMatchObject(expected);
  expect((await socket.next("approval-resolved")).d).toMatchObject(expected);
});

test("D2: a permission has its input as an object, of which the plan's text is the JSON", async () => {
  const input = { command: "ls", nested: [1, { a: null }] };
  const { prompt } = await asked({ id: "p", name: "Bash", input });
  expect(prompt["input"]).toEqual(input);
});

test("D4: two prompts of one turn are open at once and are answered in any order by tool call", async () => {
  const conversation = askingTurn({ id: "a" }, { id: "b" });
  const session = await host.createSession({ conversation });
  const events = await session.events();
  await session.message("go");
  await events.next(isOf("approval-requested", "b"));
  expect((await session.run("pending")).body).toMatchObject({
    pending: [{ toolUseId: "call-a" }, { toolUseId: "call-b" }],
  });
  for (const id of ["b", "a"]) {
    await host.request("POST", `/api/sessions/${session.id}/approve`, { toolCallId: `call-${id}` });
    await events.next(isOf("approval-resolved", id));
  }
  await events.next("turn_complete");
});

test("D5: Claude decides what it asks, and the host passes on every question and permission in every mode", async () => {
  for (const permission_mode of ["default", "acceptEdits", "plan", "bypassPermissions"]) {
    for (const tool of [form("p"), { id: "p", name: "Bash", input: { command: "ls" } }]) {
      const { session } = await asked(tool, { permission_mode });
      expect(session.claudes[0]?.args).toContain(`--permission-mode=${permission_mode}`);
      expect(session.claudeInput.some(isAnswerTo("p"))).toBe(false);
    }
  }
});

test("D6: what Claude says before, beside and after a prompt arrives once and in order", async () => {
  const session = await host.createSession({ conversation: interleavedTurn({ id: "p" }) });
  const events = await session.events();
  await session.message("go");
  await events.next("approval-requested");
  await events.next(({ data }) => data["text"] === "beside" && data["status"] === "complete");
  await session.run("approve", { requestId: "p", decision: "allow" });
  await events.next("turn_complete");
  const texts = events.events.filter(
    ({ type, data }) => type === "assistant_text" && data["status"] === "complete",
  );
  expect(texts.map(({ data }) => data["text"])).toEqual(["before", "beside", "after"]);
});

test("D8: an answer is taken once, and one of another kind is refused and leaves the prompt open", async () => {
  const { session } = await asked({ id: "p" });
  const wrong = await session.run("answer", { requestId: "p", answers: { 0: "Red" } });
  expect(wrong.status).toBe(400);
  const deny = await host.request("POST", `/api/sessions/${session.id}/deny`, {
    toolCallId: "call-p",
  });
  expect(deny).toMatchObject({ status: 200, body: { ok: true } });
  expect(await answerTo(session, "p")).toMatchObject({
    behavior: "deny",
    message: expect.any(String),
  });
});

test("D9, D10: the routes by tool call answer ok once, 409 after that, and 404 without such a call", async () => {
  for (const route of ["submit-answers", "approve", "deny"]) {
    const { session } = await asked(route === "submit-answers" ? form("p") : { id: "p" });
    const path = `/api/sessions/${session.id}/${route}`;
    const answers = { 0: "Red" };
    const unknown = await host.request("POST", path, { toolCallId: "call-q", answers });
    expect(unknown.status).toBe(404);
    if (route === "submit-answers") expect(unknown.body["error"]).toBe("No pending question");
    const first = await host.request("POST", path, { toolCallId: "call-p", answers });
    expect(first).toMatchObject({ status: 200, body: { ok: true } });
    expect(await answerTo(session, "p")).toMatchObject({
      behavior: route === "deny" ? "deny" : "allow",
    });
    const second = await host.request("POST", path, { toolCallId: "call-p", answers });
    expect(second).toMatchObject({ status: 409, body: { code: "already_resolved" } });
  }
});
