/**
 * Lines of the host that are no valid messages: each is answered with one error, Claude is sent
 * nothing, and the session goes on. `inbound-line.test.ts` has the same lines without a process.
 */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { INBOUND_TYPES } from "../src/edge/plain-checks.generated.ts";
import { BAD_LINES, EXAMPLES } from "../testing/drivers/bad-host-lines.ts";
import type { TestBridge } from "../testing/drivers/bridge-process.ts";
import {
  type BridgeState,
  bringTo,
  openStdinLog,
  type StdinLog,
} from "../testing/drivers/bridge-states.ts";
import { answersTo } from "../testing/drivers/host-line.ts";
import { observe } from "../testing/observer/observer.ts";

test("every inbound message type has an example", () => {
  expect(EXAMPLES.map(({ type }) => String(type)).sort()).toEqual([...INBOUND_TYPES].sort());
});

/** Other states answer these lines like one of the two. Random lives have the lines in all states. */
const STATES: readonly BridgeState[] = ["before init", "idle"];

const ACCEPTED_EARLY: readonly unknown[] = [
  ...["protocol_init", "session_list", "session_history", "transcript_restore"],
];

describe.each([...STATES])("in the state %s", (state) => {
  let bridge: TestBridge;
  let log: StdinLog;
  beforeAll(async () => {
    log = openStdinLog();
    bridge = await bringTo(state, { env: log.env });
  });
  afterAll(() => bridge.kill());

  test(`each of ${BAD_LINES.length} bad lines is answered with its one error`, async () => {
    for (const { name, line, code, reply } of BAD_LINES) {
      const [error, ...others] = await answersTo(bridge, line);
      expect([name, others, error]).toMatchObject([
        name,
        [],
        { type: "error", code, recoverable: true, source: "host" },
      ]);
      expect([name, error?.["in_reply_to"]]).toEqual([name, reply]);
    }
  });

  if (state === "before init") {
    const early = EXAMPLES.filter(({ type }) => !ACCEPTED_EARLY.includes(type));
    test("every message before protocol_init is refused, apart from those about past conversations", async () => {
      for (const example of early) {
        expect(await answersTo(bridge, JSON.stringify({ ...example, id: "r" }))).toMatchObject([
          { type: "error", code: "not_initialized", in_reply_to: "r", recoverable: true },
        ]);
      }
    });
  } else {
    test("a second protocol_init is refused, whatever its version is", async () => {
      for (const version of [1, 2, 3]) {
        const line = JSON.stringify({ type: "protocol_init", version, id: "r" });
        expect(await answersTo(bridge, line)).toMatchObject([
          { type: "error", code: "already_initialized", in_reply_to: "r", recoverable: true },
        ]);
      }
    });
  }

  test("a blank line is not answered", async () => {
    for (const line of ["", "\r", " \t "]) expect(await answersTo(bridge, line)).toEqual([]);
  });

  test("a message after the bad lines gets its turn, and Claude gets no other line", async () => {
    if (state === "before init") bridge.send({ type: "protocol_init", version: 2, id: "init" });
    bridge.send({ type: "user_message", text: "still there?", id: "still" });
    await bridge.next("turn_started");
    bridge.closeInput();
    expect(await bridge.exited).toBe(0);
    const [handshake, message] = log.lines();
    expect(handshake).toMatchObject({ request: { subtype: "initialize" } });
    expect(message).toMatchObject({ type: "user" });
    expect(observe({ received: bridge.received, isOver: true })).toEqual([]);
  });
});

test("a line may end with CR LF, and the last line without LF", async () => {
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

test("a last line that is cut off by the end of the input is bad JSON", async () => {
  const bridge = await bringTo("idle");
  bridge.sendRaw('{"type":"interr');
  bridge.closeInput();
  expect((await bridge.next("error"))["code"]).toBe("bad_json");
  expect(await bridge.exited).toBe(0);
});

test("a line over the limit is refused, and the lines around it are not", async () => {
  const log = openStdinLog();
  const limit = 65_536;
  const args = [`--max-line-bytes=${limit}`];
  const bridge = await bringTo("idle", { env: log.env, args });
  const lineOf = (bytes: number) => {
    const empty = JSON.stringify({ type: "user_message", text: "" });
    return JSON.stringify({ type: "user_message", text: "x".repeat(bytes - empty.length) });
  };
  const tooLong = lineOf(limit + 1).replace("{", '{"id":"lost",');
  expect(await answersTo(bridge, tooLong)).toMatchObject([
    {
      type: "error",
      code: "line_too_long",
      source: "host",
      recoverable: true,
      in_reply_to: "lost",
    },
  ]);
  expect(log.lines()).toHaveLength(1);
  const [receipt] = await answersTo(bridge, lineOf(limit));
  expect(receipt?.["status"]).toBe("queued");
  bridge.closeInput();
  expect(await bridge.exited).toBe(0);
});

test("an unknown version in protocol_init ends the bridge with an error", async () => {
  const bridge = await bringTo("before init");
  bridge.send({ type: "protocol_init", version: 3, id: "v3" });
  expect(await bridge.exited).toBe(1);
  expect(bridge.received).toMatchObject([
    { type: "error", code: "unsupported_version", in_reply_to: "v3", recoverable: false },
  ]);
});
