/**
 * Checks the examples and pictures of the pages about the wire and of the guide to interactive tools.
 * Every line is a message of its direction, and every message has one. The whole conversation comes
 * out of the bridge as it is printed.
 */
import { afterEach, expect, test } from "bun:test";
import { InboundMessage, OutboundMessage } from "../src/types.ts";
import { startBridge, type TestBridge, UNDER_TEST } from "../testing/drivers/bridge-process.ts";
import { observe } from "../testing/observer/observer.ts";
import {
  codeBlocks,
  document,
  type ExampleMessage,
  exampleLines,
  headedNames,
  protocolExamples,
  referencePage,
  rowNames,
  section,
} from "./support/markdown.ts";

const PROTOCOL = document("tugtalk/PROTOCOL.md");
const GUIDE = document("roadmap/interactive-tools.md");
const CONVERSATION = exampleLines(section(PROTOCOL, "## A whole conversation"));

/** Shortened in the conversation: some of their fields, and of the entries of their lists. */
const SHORTENED = new Set(["session_capabilities", "system_metadata", "cost_update"]);

const bridges: TestBridge[] = [];
afterEach(() => {
  for (const bridge of bridges.splice(0)) bridge.kill();
});

test.each([
  ["the pages about the wire", protocolExamples()],
  ["roadmap/interactive-tools.md", exampleLines(GUIDE)],
])(
  "every example line of %s is a message of its direction, with known fields only",
  (_path, examples) => {
    const faults = examples.flatMap(({ isInbound, message }) => {
      const parsed = (isInbound ? InboundMessage : OutboundMessage).safeParse(message);
      if (!parsed.success) return [`${message.type}: ${parsed.error.message}`];
      return Bun.deepEquals(parsed.data, message) ? [] : [`${message.type} has unknown fields`];
    });
    expect(faults).toEqual([]);
    expect(examples.length).toBeGreaterThan(8);
  },
);

test.each([
  ["messages-to-tugtalk", true],
  ["messages-to-the-host", false],
  ["notifications", false],
] as const)("%s has an example of each message under its heading", (name, isInbound) => {
  const page = referencePage(name);
  const missing = headedNames(page).filter((name) => {
    const examples = exampleLines(section(page, `## \`${name}\``));
    return !examples.some((line) => line.isInbound === isInbound && line.message.type === name);
  });
  expect(missing).toEqual([]);
});

test("the conversation of PROTOCOL.md keeps the guarantees", () => {
  const sentIds = CONVERSATION.flatMap(({ isInbound, message }) =>
    isInbound ? [String(message["id"])] : [],
  );
  const received = CONVERSATION.filter(({ isInbound }) => !isInbound);
  expect(
    observe({ received: received.map(({ message }) => message), sentIds, isOver: true }),
  ).toEqual([]);
});

test("the bridge produces the conversation of PROTOCOL.md line by line", async () => {
  const command = [...UNDER_TEST, "simulate", "protocol", "--seed=1", "--speed=max"];
  const bridge = startBridge({ command, claude: "" });
  bridges.push(bridge);
  for (const { isInbound, message } of CONVERSATION) {
    if (isInbound) bridge.send(message);
    else expect(asPrinted(await bridge.next(() => true), message)).toEqual(comparable(message));
  }
  expect(await bridge.exited).toBe(0);
  const printed = CONVERSATION.filter(({ isInbound }) => !isInbound);
  expect(bridge.received.map(({ type }) => type)).toEqual(
    printed.map(({ message }) => message.type),
  );
});

/** Differs from run to run, or with the version of tugtalk. */
const UNREPEATABLE = new Set(["instance_id", "pid", "tugtalk_version"]);

function comparable(message: ExampleMessage): ExampleMessage {
  return JSON.parse(
    JSON.stringify(message, (key, value) => (UNREPEATABLE.has(key) ? typeof value : value)),
  );
}

/** A received message without the fields that its line in the document leaves out. */
function asPrinted(received: ExampleMessage, printed: ExampleMessage): unknown {
  const whole = comparable(received);
  return SHORTENED.has(received.type) ? shorten(whole, printed) : whole;
}

function shorten(value: unknown, to: unknown): unknown {
  if (Array.isArray(value) && Array.isArray(to))
    return value.slice(0, to.length).map((entry, index) => shorten(entry, to[index]));
  if (!isObject(value) || !isObject(to)) return value;
  const kept = Object.entries(value).filter(([key]) => Object.hasOwn(to, key));
  return Object.fromEntries(kept.map(([key, entry]) => [key, shorten(entry, to[key])]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

test.each([
  ["protocol", "I will create the file."],
  ["forms", "I place the order."],
])(
  "a host that reads only the seven messages, and waits for nothing before it writes, gets through the scenario %s",
  async (scenario, begin) => {
    const handled = rowNames(section(PROTOCOL, "## What a host must handle"));
    expect(handled).toHaveLength(7);
    const command = [...UNDER_TEST, "simulate", scenario, "--speed=max"];
    const bridge = startBridge({ command, claude: "" });
    bridges.push(bridge);
    bridge.send({ type: "protocol_init", version: 2 });
    for (const text of ["one", "two"]) bridge.send({ type: "user_message", text });
    const texts: unknown[] = [];
    for (let turns = 0; turns < 2; ) {
      const message = await bridge.next(({ type }) => handled.includes(type));
      if (message.type === "turn_complete") turns += 1;
      else if (message["is_partial"] === true) texts.push(message["text"]);
      else if (message.type === "control_request_forward") bridge.send(denialOf(message));
      else if (message.type === "elicitation_request") bridge.send(cancelOf(message));
    }
    bridge.closeInput();
    expect(await bridge.exited).toBe(0);
    expect(texts.join("")).toStartWith(begin);
    expect(bridge.received.filter(({ type }) => type === "error")).toEqual([]);
  },
);

function denialOf({ request_id }: ExampleMessage) {
  return { type: "tool_approval", request_id, decision: "deny" };
}

function cancelOf({ request_id }: ExampleMessage) {
  return { type: "elicitation_answer", request_id, action: "cancel" };
}

test("the contents of PROTOCOL.md link to every chapter", () => {
  const contents = section(PROTOCOL, "## Contents");
  const chapters = [...PROTOCOL.matchAll(/^## (?!Contents)(.+)$/gm)].map(([, title = ""]) => title);
  const missing = chapters.filter(
    (title) => !contents.toLowerCase().includes(`[${title.toLowerCase()}](`),
  );
  expect(missing).toEqual([]);
});

test("the pictures of PROTOCOL.md name only messages that exist", () => {
  const diagrams = codeBlocks(PROTOCOL, "mermaid");
  const pages = ["messages-to-tugtalk", "messages-to-the-host", "notifications"];
  const names = new Set(pages.flatMap((name) => headedNames(referencePage(name))));
  const arrows = diagrams.flatMap((diagram) => [
    ...diagram.matchAll(/^ *(?:H->>T|T-->>H): (\w+)/gm),
  ]);
  expect(arrows.length).toBeGreaterThan(30);
  expect(arrows.flatMap(([, name = ""]) => (names.has(name) ? [] : [name]))).toEqual([]);
});
