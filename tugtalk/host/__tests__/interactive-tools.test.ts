/** Interactive tools, and the routes by tool call, over real sockets. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { askingTurn, interleavedTurn } from "../../testing/drivers/host-conversations.ts";
import { endHosts, startHost, type TestHost } from "../../testing/drivers/host-process.ts";
import { answerTo, asked, form, isAnswerTo, isOf, nextPrompt } from "./support/asked-session.ts";

let host: TestHost;
beforeAll(async () => {
  host = await startHost();
});
afterAll(endHosts);

test("two prompts of one turn are open at once and are answered in any order by tool call", async () => {
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

test("Claude decides what it asks, and the host passes on every question and permission in every mode", async () => {
  const modes = ["bypassPermissions", "default", "acceptEdits", "plan"];
  const command = { name: "Bash", input: { command: "ls" } };
  const tools = modes.flatMap((mode) => [form(`ask-${mode}`), { id: `run-${mode}`, ...command }]);
  // The mode that allows all is to be had at the start only.
  const { session, events } = await asked(host, tools, { permission_mode: modes[0] });
  for (const [at, { id }] of tools.entries()) {
    const [, mode = ""] = id.split("-");
    if (at > 1) expect((await session.run("mode", { mode })).status).toBe(200);
    if (at > 0) expect(await nextPrompt(session, events)).toMatchObject({ requestId: id });
    const { body } = await session.run("session");
    expect(body).toMatchObject({ permission_mode: mode, pending: 1 });
    expect(session.claudeInput.some(isAnswerTo(id))).toBe(false);
    await session.run("approve", { requestId: id, decision: "deny" });
    await events.next("turn_complete");
  }
});

test("what Claude says before, beside and after a prompt arrives once and in order", async () => {
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

test("an answer is taken once, and one of another kind is refused and leaves the prompt open", async () => {
  const { session } = await asked(host, [{ id: "p" }]);
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

test("the routes by tool call answer ok once, 409 after that, and 404 without such a call", async () => {
  const { session, events } = await asked(host, [
    form("submit-answers"),
    { id: "approve" },
    { id: "deny" },
  ]);
  for (const route of ["submit-answers", "approve", "deny"]) {
    if (route !== "submit-answers") await nextPrompt(session, events);
    const path = `/api/sessions/${session.id}/${route}`;
    const send = (toolCallId: string) =>
      host.request("POST", path, {
        toolCallId,
        ...(route === "submit-answers" && { answers: { 0: "Red" } }),
      });
    const unknown = await send("call-none");
    expect(unknown.status).toBe(404);
    if (route === "submit-answers") expect(unknown.body["error"]).toBe("No pending question");
    const first = await send(`call-${route}`);
    expect(first).toMatchObject({ status: 200, body: { ok: true } });
    const behavior = route === "deny" ? "deny" : "allow";
    expect(await answerTo(session, route)).toMatchObject({ behavior });
    const second = await send(`call-${route}`);
    expect(second).toMatchObject({ status: 409, body: { code: "already_resolved" } });
    await events.next("turn_complete");
  }
});

test("a denial by tool call reaches Claude as a denial, and an edited input as it was edited", async () => {
  const { session, events } = await asked(host, [{ id: "a" }, { id: "b" }, { id: "c" }]);
  const path = `/api/sessions/${session.id}/approve`;
  const denial = { toolCallId: "call-a", decision: "deny", reason: "not here", interrupt: false };
  expect(await host.request("POST", path, denial)).toMatchObject({ status: 200 });
  expect(await answerTo(session, "a")).toMatchObject({
    behavior: "deny",
    message: "not here",
    interrupt: false,
  });
  await events.next("turn_complete");
  await nextPrompt(session, events);
  const updatedInput = { command: "echo edited" };
  await host.request("POST", path, { toolCallId: "call-b", decision: "allow", updatedInput });
  expect(await answerTo(session, "b")).toMatchObject({ behavior: "allow", updatedInput });
  await events.next("turn_complete");
  await nextPrompt(session, events);
  const socket = await host.socket();
  const denied = await socket.run("approve", {
    s: session.id,
    toolCallId: "call-c",
    decision: "deny",
  });
  expect(denied).toMatchObject({ ok: true });
  expect(await answerTo(session, "c")).toMatchObject({ behavior: "deny" });
});

test("an answer with a field that is not known is refused, and leaves the prompt open", async () => {
  const { session } = await asked(host, [{ id: "p" }]);
  const misspelt = { requestId: "p", decision: "deny", reasn: "no" };
  expect(await session.run("approve", misspelt)).toMatchObject({
    status: 400,
    body: { code: "bad_request", field: "reasn" },
  });
  expect((await session.run("pending")).body).toMatchObject({ pending: [{ requestId: "p" }] });
});
