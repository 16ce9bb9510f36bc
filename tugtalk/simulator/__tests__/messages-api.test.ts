/** The stand-in API seen from the wire, over loopback only. */
import { afterEach, describe, expect, test } from "bun:test";
import type { MessageReply } from "../reply.ts";
import { ask, deltasOf, eventsOf, start, stopAll, textReply } from "./support/api-caller.ts";

afterEach(stopAll);

test("its port is its own", async () => {
  const { hostname, port } = new URL(start().url);
  const takePort = () =>
    Bun.serve({ hostname, port, development: false, reusePort: true, fetch: () => new Response() });
  expect(takePort).toThrow(expect.objectContaining({ code: "EADDRINUSE" }));
});

describe("the event stream", () => {
  test("a text is framed as the API frames it", async () => {
    const response = await ask(start(textReply("Hello", { ping: true })));

    expect(response.headers.get("content-type")).toStartWith("text/event-stream");
    expect(await eventsOf(response)).toEqual([
      {
        type: "message_start",
        message: {
          id: "msg_01Mock0001",
          type: "message",
          role: "assistant",
          model: "some-model",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 100,
            cache_creation_input_tokens: 400,
            cache_read_input_tokens: 1500,
            output_tokens: 1,
            cache_creation: { ephemeral_5m_input_tokens: 400, ephemeral_1h_input_tokens: 0 },
            service_tier: "standard",
          },
        },
      },
      { type: "ping" },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hello" } },
      { type: "content_block_stop", index: 0 },
      {
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: {
          input_tokens: 100,
          cache_creation_input_tokens: 400,
          cache_read_input_tokens: 1500,
          output_tokens: 42,
        },
      },
      { type: "message_stop" },
    ]);
  });

  test("thinking ends with its signature and a tool's input comes as JSON text", async () => {
    const reply: MessageReply = {
      content: [
        { type: "thinking", thinking: "Let me", pieces: ["Let ", "me"] },
        { type: "tool_use", name: "Write", input: { file_path: "/a" } },
      ],
    };
    const events = await eventsOf(await ask(start(reply)));

    expect(events.slice(1, -2)).toEqual([
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "thinking", thinking: "", signature: "" },
      },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "thinking_delta", thinking: "Let " },
      },
      { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "me" } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "signature_delta", signature: "c2lnbmF0dXJl" },
      },
      { type: "content_block_stop", index: 0 },
      {
        type: "content_block_start",
        index: 1,
        content_block: { type: "tool_use", id: "toolu_01Mock0001", name: "Write", input: {} },
      },
      {
        type: "content_block_delta",
        index: 1,
        delta: { type: "input_json_delta", partial_json: '{"file_path":"/a"}' },
      },
      { type: "content_block_stop", index: 1 },
    ]);
    expect(events.at(-2)).toMatchObject({ delta: { stop_reason: "tool_use" } });
  });

  test("a piece size cuts between characters, never inside one", async () => {
    const reply = textReply("a👋bé漢", { pieceChars: 2 });
    expect(await deltasOf(await ask(start(reply)))).toEqual(["a👋", "bé", "漢"]);
  });

  test("a tool's input can be cut anywhere, into text that is no JSON", async () => {
    const pieces = ['{"a', '":', "oops"];
    const reply: MessageReply = { content: [{ type: "tool_use", name: "X", input: {}, pieces }] };
    expect(await deltasOf(await ask(start(reply)))).toEqual(pieces);
  });

  test("message and tool ids count on over all replies", async () => {
    const call: MessageReply = { content: [{ type: "tool_use", name: "X", input: {} }] };
    const api = start(call, call);
    await eventsOf(await ask(api));
    const second = JSON.stringify(await eventsOf(await ask(api)));
    expect(second).toContain("msg_01Mock0002");
    expect(second).toContain("toolu_01Mock0002");
  });

  test("stop reason and usage are the script's", async () => {
    const reply = textReply("x", { stopReason: "max_tokens", usage: { input: 7, output: 9 } });
    const events = await eventsOf(await ask(start(reply)));
    expect(events.at(-2)).toMatchObject({
      delta: { stop_reason: "max_tokens" },
      usage: { input_tokens: 7, output_tokens: 9, cache_read_input_tokens: 1500 },
    });
  });

  test("without stream the same reply is one message", async () => {
    const response = await ask(start("Hello"), { stream: false });
    expect(await response.json()).toMatchObject({
      id: "msg_01Mock0001",
      content: [{ type: "text", text: "Hello" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 100, output_tokens: 42 },
    });
  });
});

test("every size of chunk on the wire gives the same events", async () => {
  const reply = textReply("é漢👋", { pieceChars: 1 });
  for (let wireBytes = 1; wireBytes <= 16; wireBytes += 1) {
    const response = await ask(start({ ...reply, wireBytes }));
    expect(await deltasOf(response)).toEqual(["é", "漢", "👋"]);
  }
});
