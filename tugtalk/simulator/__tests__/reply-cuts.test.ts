/** Replies that wait, break off or are no message, over loopback only. */
import { afterEach, describe, expect, test } from "bun:test";
import { failureOf } from "../../testing/drivers/failure.ts";
import {
  ask,
  deltasOf,
  eventsOf,
  readerOf,
  readUntil,
  start,
  stopAll,
  textReply,
} from "./support/api-caller.ts";

afterEach(stopAll);

describe("holds", () => {
  test("a stream stays open until its hold is released", async () => {
    const gate = Promise.withResolvers<void>();
    const holds = [{ at: { afterDeltas: 1 }, until: gate.promise }];
    const api = start({ content: [{ type: "text", text: "ab", pieces: ["a", "b"] }], holds });
    const reader = readerOf(await ask(api));

    const before = await readUntil(reader, '"text":"a"');
    expect(before).not.toContain('"text":"b"');
    gate.resolve();
    expect(await readUntil(reader, "message_stop")).toContain('"text":"b"');
  });

  test("a hold without a place keeps the response back", async () => {
    const gate = Promise.withResolvers<void>();
    const api = start(textReply("late", { holds: [{ until: gate.promise }] }), "early");
    const late = ask(api).then(async (response) => ["late", await deltasOf(response)]);
    await api.waitForRequest(() => true);
    const early = ask(api).then(async (response) => ["early", await deltasOf(response)]);

    expect(await Promise.race([late, early])).toEqual(["early", ["early"]]);
    gate.resolve();
    expect(await late).toEqual(["late", ["late"]]);
  });

  test("the request shows that its caller has given up", async () => {
    const holds = [{ at: { afterBlocks: 0 }, until: new Promise(() => {}) }];
    const api = start(textReply("never", { holds }));
    const abort = new AbortController();
    const response = await ask(api, {}, { signal: abort.signal });
    await readUntil(readerOf(response), "message_start");
    const [request] = api.requests;
    if (request === undefined) throw new Error("no request was recorded");
    const seen = new Promise((resolve) => request.signal.addEventListener("abort", resolve));
    abort.abort();
    await seen;
    expect(request.signal.aborted).toBe(true);
  });

  test("a complete answer does not count as given up", async () => {
    const api = start("done");
    await eventsOf(await ask(api));
    expect(api.requests[0]?.signal.aborted).toBe(false);
  });

  test("stopping ends a held stream", async () => {
    const holds = [{ at: { afterBlocks: 0 }, until: new Promise(() => {}) }];
    const api = start(textReply("never", { holds }));
    const reader = readerOf(await ask(api));
    await readUntil(reader, "message_start");
    await api.stop();
    const end = await reader.read().then(
      ({ done }) => (done ? "ended" : "more"),
      () => "broken",
    );
    expect(end).not.toBe("more");
  });
});

describe("cuts and errors", () => {
  test("an aborted stream delivers the bytes before the cut and then breaks", async () => {
    const at = { afterDeltas: 2 };
    const gate = Promise.withResolvers<void>();
    const holds = [{ at, until: gate.promise }];
    const api = start(textReply("abcdef", { pieceChars: 2, cut: { at }, holds }));
    const reader = readerOf(await ask(api));
    const seen = await readUntil(reader, '"text":"cd"');
    expect(seen).not.toContain("content_block_stop");
    gate.resolve();
    expect(await failureOf(reader.read())).toBeInstanceOf(Error);
  });

  test("a closed stream ends like a complete one, without its last events", async () => {
    const cut = { at: { afterBlocks: 1 }, as: "close" } as const;
    const events = await eventsOf(await ask(start(textReply("abc", { cut }))));
    expect(events.at(-1)).toEqual({ type: "content_block_stop", index: 0 });
  });

  test("a stream can end with an error event", async () => {
    const error = { type: "overloaded_error", message: "Overloaded" };
    const reply = textReply("abc", { cut: { at: { afterDeltas: 1 }, as: error } });
    const events = await eventsOf(await ask(start(reply)));
    expect(events.at(-1)).toEqual({ type: "error", error });
  });

  test.each([
    [400, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "api_error"],
    [529, "overloaded_error"],
  ])("HTTP %d has the API's error shape", async (status, type) => {
    const response = await ask(start({ status, message: "no" }));
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ type: "error", error: { type, message: "no" } });
  });

  test("any body and header can be sent with any status", async () => {
    const headers = { "content-type": "text/html", "retry-after": "3" };
    const response = await ask(start({ status: 200, body: "<html>", headers }));
    expect(response.headers.get("retry-after")).toBe("3");
    expect(await response.text()).toBe("<html>");
  });
});
