/**
 * Every type of message has a handler, or is in the list of types that change nothing. No message, whole or
 * broken, makes the reducer throw. The messages are the examples of the pages about the wire.
 */
import { describe, expect, test } from "bun:test";
import { protocolExamples } from "../../../__tests__/support/markdown.ts";
import { OutboundMessage } from "../../../src/types.ts";
import { initialSession } from "../../reduce-session.ts";
import type { OtherMessage } from "../../session-input.ts";
import { IGNORED_MESSAGES } from "../ignored-messages.ts";
import { HANDLERS } from "../message-handlers.ts";
import { HOST_EVENT_TYPES, HOST_EVENTS } from "./host-events.ts";
import { itemsOf, reduced, stored } from "./reduced.ts";

const [OWN, NOTIFICATIONS] = OutboundMessage.options;
const TYPES: readonly string[] = [...OWN.options, ...NOTIFICATIONS.options].map(
  (schema) => schema.shape.type.value,
);

const EXAMPLES: readonly OtherMessage[] = protocolExamples()
  .filter(({ isInbound }) => !isInbound)
  .map(({ message }) => message);

/** Examples that the table handles, without numbers, so that each is applied. */
const SAMPLES = [...EXAMPLES.map(unnumbered), ...HOST_EVENTS.map((event) => ({ ...event }))].filter(
  ({ type }) => HANDLERS.has(type),
);

function unnumbered({ seq: _seq, ...message }: OtherMessage): OtherMessage {
  return { ...message, type: message.type };
}

/** Values that a broken peer might send in place of a good one. */
const WRONG: readonly unknown[] = [null, true, 7, "__proto__", [], [null], {}, { constructor: {} }];

test("every type of the bridge is either handled or ignored for a reason", () => {
  const unclear = TYPES.filter((type) => HANDLERS.has(type) === IGNORED_MESSAGES.has(type));
  expect(unclear).toEqual([]);
});

test("the table has no types but those of the bridge and of a host", () => {
  const known = new Set([...TYPES, ...HOST_EVENT_TYPES]);
  const named = [...HANDLERS.keys(), ...IGNORED_MESSAGES];
  expect(named.filter((type) => !known.has(type))).toEqual([]);
  expect(HOST_EVENT_TYPES.filter((type) => !HANDLERS.has(type))).toEqual([]);
});

test("no example of a known type becomes an unknown item", () => {
  const samples = SAMPLES.filter(({ type }) => type !== "unknown_event");
  expect(new Set(samples.map(({ type }) => type)).size).toBeGreaterThan(50);
  const wrong = samples.filter((sample) =>
    itemsOf(reduced([sample])).some(({ kind }) => kind === "unknown"),
  );
  expect(wrong).toEqual([]);
});

test("the state after any one message is plain JSON, also without its number", () => {
  for (const sample of SAMPLES) {
    const state = reduced([sample]);
    expect(stored(state)).toStrictEqual(state);
  }
});

test.each([...IGNORED_MESSAGES])("the message %s changes nothing", (type) => {
  expect(reduced([{ type }])).toBe(initialSession);
});

test("a message of an unknown type is kept whole in the transcript", () => {
  const message = { type: "from_the_future", detail: [1] };
  expect(itemsOf(reduced([message]))).toEqual([
    { kind: "unknown", key: "#2", type: "from_the_future", message },
  ]);
});

test("notifications of a kind that the bridge does not know are one item of an entry, unknown content is one each", () => {
  const notification = {
    type: "unknown_event",
    original_type: "system",
    original_subtype: "a",
    raw: {},
  };
  const other = { ...notification, original_subtype: "b" };
  const content = { type: "unknown_event", original_type: "assistant", raw: {} };
  const items = itemsOf(
    reduced([notification, notification, other, content, content, notification]),
  );
  expect(items).toMatchObject(
    [notification, other, content, content].map((message) => ({ message })),
  );
});

test("a known message without a field that it must have is kept whole in the transcript", () => {
  const message = { type: "assistant_text", msg_id: "m", status: "complete", is_partial: false };
  expect(itemsOf(reduced([message]))).toMatchObject([{ kind: "unknown", message }]);
});

test.each(["constructor", "__proto__", "toString", ""])("the type %j is an unknown one", (type) => {
  expect(itemsOf(reduced([{ type }]))).toMatchObject([{ kind: "unknown", type }]);
});

describe("a message with a missing or wrong field never throws, and the state stays plain JSON", () => {
  test.each(SAMPLES.map((sample, index) => [`${sample.type} ${index}`, sample] as const))(
    "%s",
    (_name, sample) => {
      for (const broken of brokenVersions(sample)) {
        const state = reduced([broken, ...SAMPLES.slice(0, 5), broken]);
        expect(stored(state)).toStrictEqual(state);
      }
    },
  );
});

function brokenVersions(sample: OtherMessage): readonly OtherMessage[] {
  const names = Object.keys(sample).filter((name) => name !== "type");
  return names.flatMap((name) => {
    const { [name]: _removed, ...rest } = sample;
    return [rest, ...WRONG.map((value) => ({ ...sample, [name]: value }))] as OtherMessage[];
  });
}
