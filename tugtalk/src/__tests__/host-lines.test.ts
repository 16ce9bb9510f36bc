/**
 * What a host says that cannot be taken: each line gets its one error, Claude hears nothing of it,
 * and the session goes on.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { INBOUND_TYPES } from "../types.ts";
import { BAD_LINES, EXAMPLES } from "./support/bad-host-lines.ts";
import type { TestBridge } from "./support/bridge-process.ts";
import { type BridgeState, bringTo, openStdinLog, type StdinLog } from "./support/bridge-states.ts";
import { answersTo } from "./support/host-line.ts";
import { observe } from "./support/observer.ts";

test("every type that a host may send has its example", () => {
  expect(EXAMPLES.map(({ type }) => String(type)).sort()).toEqual([...INBOUND_TYPES].sort());
});

/** What Claude gets on the way into the state, and afterwards. */
const STATES: readonly (readonly [state: BridgeState, lines: readonly string[]])[] = [
  ["before init", ["initialize", "user"]],
  ["idle", ["initialize", "user"]],
  ["streaming", ["initialize", "user", "interrupt", "user"]],
  ["prompt open", ["initialize", "user", "interrupt", "user"]],
];

describe.each(STATES)("%s", (state, lines) => {
  let bridge: TestBridge;
  let log: StdinLog;
  beforeAll(async () => {
    log = openStdinLog();
    bridge = await bringTo(state, { env: log.env });
  });
  afterAll(() => bridge.kill());

  test.each([...BAD_LINES])("$name", async ({ line, code, reply }) => {
    const answers = await answersTo(bridge, line);
    expect(answers).toMatchObject([{ type: "error", code, recoverable: true, source: "host" }]);
    expect(answers[0]?.["in_reply_to"]).toBe(reply);
  });

  if (state === "before init") {
    const early = EXAMPLES.filter(({ type }) => type !== "protocol_init");
    test.each(early)("$type is early", async (example) => {
      const answers = await answersTo(bridge, JSON.stringify({ ...example, id: "r" }));
      expect(answers).toMatchObject([
        { type: "error", code: "not_initialized", in_reply_to: "r", recoverable: true },
      ]);
    });
  } else {
    test.each([1, 2, 3])("a second protocol_init of version %d is late", async (version) => {
      const line = JSON.stringify({ type: "protocol_init", version, id: "r" });
      expect(await answersTo(bridge, line)).toMatchObject([
        { type: "error", code: "already_initialized", in_reply_to: "r", recoverable: true },
      ]);
    });
  }

  test.each([
    ["nothing", ""],
    ["a carriage return", "\r"],
    ["spaces and tabs", " \t "],
  ])("a line of %s means nothing", async (_name, line) => {
    expect(await answersTo(bridge, line)).toEqual([]);
  });

  test("afterwards a message gets its turn, and Claude has heard of nothing else", async () => {
    if (state === "before init") bridge.send({ type: "protocol_init", version: 2, id: "init" });
    if (lines.includes("interrupt")) {
      bridge.send({ type: "interrupt", id: "stop" });
      await bridge.next("turn_complete");
    }
    bridge.send({ type: "user_message", text: "still there?", id: "still" });
    await bridge.next("turn_started");
    bridge.closeInput();
    expect(await bridge.exited).toBe(0);
    expect(log.lines().map(kindOf).slice(0, lines.length)).toEqual([...lines]);
    expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
  });
});

function kindOf({ type, request }: Readonly<Record<string, unknown>>): unknown {
  return type === "control_request" ? (request as { subtype: string }).subtype : type;
}

test("a line may end with a carriage return, and the last one with nothing", async () => {
  const bridge = await bringTo("idle");
  bridge.sendRaw(`${JSON.stringify({ type: "user_message", text: "one" })}\r\n`);
  await bridge.next("turn_complete");
  bridge.sendRaw('{"type":"permission_mode","mode":"pl');
  bridge.sendRaw('an","id":"last"}');
  bridge.closeInput();
  const { in_reply_to, ok } = await bridge.next("control_result");
  expect([in_reply_to, ok]).toEqual(["last", true]);
  expect(await bridge.exited).toBe(0);
});

test("a last line that is cut off is bad JSON", async () => {
  const bridge = await bringTo("idle");
  bridge.sendRaw('{"type":"interr');
  bridge.closeInput();
  expect((await bridge.next("error"))["code"]).toBe("bad_json");
  expect(await bridge.exited).toBe(0);
});

test("a line over the limit is thrown away, and the lines around it count", async () => {
  const log = openStdinLog();
  const limit = 65_536;
  const args = [`--max-line-bytes=${limit}`];
  const bridge = await bringTo("idle", { env: log.env, args });
  const lineOf = (bytes: number) => {
    const empty = JSON.stringify({ type: "user_message", text: "" });
    return JSON.stringify({ type: "user_message", text: "x".repeat(bytes - empty.length) });
  };
  expect(await answersTo(bridge, lineOf(limit + 1))).toMatchObject([
    { type: "error", code: "line_too_long", source: "host", recoverable: true },
  ]);
  expect(log.lines()).toHaveLength(1);
  const [receipt] = await answersTo(bridge, lineOf(limit));
  expect(receipt?.["status"]).toBe("queued");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
});

test("another version of the wire is refused for good", async () => {
  const bridge = await bringTo("before init");
  bridge.send({ type: "protocol_init", version: 3, id: "v3" });
  expect(await bridge.exited).toBe(1);
  expect(bridge.received).toMatchObject([
    { type: "error", code: "unsupported_version", in_reply_to: "v3", recoverable: false },
  ]);
});
