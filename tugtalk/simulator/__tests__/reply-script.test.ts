/** The choice of the scripted reply for a request, over loopback only. */
import { afterEach, describe, expect, test } from "bun:test";
import { isSubagent, openingText, parseMessagesBody } from "../api-request.ts";
import { UNSCRIPTED_TEXT } from "../messages-api.ts";
import { ask, conversation, deltasOf, start, stopAll } from "./support/api-caller.ts";

afterEach(stopAll);

describe("the script", () => {
  test("replies come in order, and then one that says the script is empty", async () => {
    const api = start("one");
    api.script("two");
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await deltasOf(await ask(api)));

    expect(answers).toEqual([["one"], ["two"], [UNSCRIPTED_TEXT]]);
    expect(api.requests.map(({ answer }) => answer)).toEqual([
      "scripted",
      "scripted",
      "unscripted",
    ]);
    expect(api.remaining()).toBe(0);
  });

  test("an entry waits for the request of its choice", async () => {
    const api = start(
      { when: ({ body }) => openingText(body).includes("find"), reply: "for the subagent" },
      "for the others",
    );
    expect(await deltasOf(await ask(api))).toEqual(["for the others"]);
    const messages = [{ role: "user", content: [{ type: "text", text: "find it" }] }];
    expect(await deltasOf(await ask(api, { messages }))).toEqual(["for the subagent"]);
  });

  test("an entry with always answers every request", async () => {
    const api = start({ reply: "again", always: true });
    expect(await deltasOf(await ask(api))).toEqual(["again"]);
    expect(await deltasOf(await ask(api))).toEqual(["again"]);
  });

  test("a reply can be made from the request", async () => {
    const api = start(({ body }) => `You said: ${openingText(body)}`);
    expect(await deltasOf(await ask(api))).toEqual(["You said: hi"]);
  });

  test.each([
    ["without tools", { tools: [] }],
    ["with one token", { max_tokens: 1 }],
    ["with a web search only", { tools: [{ type: "web_search_20250305", name: "web_search" }] }],
  ])("a request %s does not eat the script", async (_, changes) => {
    const api = start("for the conversation");
    expect((await ask(api, changes)).status).toBe(200);
    expect(api.requests[0]).toMatchObject({ kind: "helper", answer: "default" });
    expect(await deltasOf(await ask(api))).toEqual(["for the conversation"]);
  });

  test("a helper request can be scripted by its kind", async () => {
    const api = start({ kind: "helper", reply: "a title" });
    expect(await deltasOf(await ask(api, { tools: [] }))).toEqual(["a title"]);
  });

  test("tokens are counted and anything else is not found", async () => {
    const api = start("untouched");
    const counted = await fetch(`${api.url}/v1/messages/count_tokens`, { method: "POST" });
    expect(await counted.json()).toEqual({ input_tokens: 2000 });
    const other = await fetch(`${api.url}/api/hello`);
    expect([other.status, await other.json()]).toEqual([404, {}]);
    expect(api.remaining()).toBe(1);
  });
});

describe("recorded requests", () => {
  test("body and headers are kept, and the subagent is known by its header", async () => {
    const api = start("x");
    const headers = { "x-claude-code-agent-id": "a1" };
    const arrived = api.waitForRequest(isSubagent);
    await ask(api, { extra: 1 }, { headers });
    const request = await arrived;
    expect(request.body).toMatchObject({ ...conversation, extra: 1 });
    expect(request.headers).toMatchObject(headers);
    expect(api.requests).toEqual([request]);
  });

  test.each(["", "nonsense", "[]", '{"messages":3}'])("a body of %j reads as empty", (body) => {
    expect(parseMessagesBody(body)).toMatchObject({ messages: [], tools: [], stream: false });
  });
});
