/**
 * Every view of every captured conversation, also in the middle of it; and none throws, whatever a peer
 * has in place of a field at any depth.
 */
import { expect, test } from "bun:test";
import { protocolExamples } from "../../../__tests__/support/markdown.ts";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { stampedAck } from "../../../testing/captures/reduced-capture.ts";
import { initialSession, reduceSession } from "../../reduce-session.ts";
import type { ReducedSession } from "../../reduced-session.ts";
import { HOST_EVENTS } from "../../reducer/__tests__/host-events.ts";
import type { OtherMessage } from "../../session-input.ts";
import { viewBackgroundTasks } from "../background-task-view.ts";
import { viewContext } from "../context-view.ts";
import { viewCost } from "../cost-view.ts";
import { viewEntry } from "../entry-view.ts";
import { viewHelp } from "../help-view.ts";
import { viewMcpServers } from "../mcp-view.ts";
import { viewPrompt } from "../prompt-view.ts";
import { viewSession, viewSessions } from "../session-view.ts";
import { viewSettings } from "../settings-view.ts";

function viewAll(state: ReducedSession): unknown {
  const entries = [...state.entries, ...state.openEntries];
  return {
    session: viewSession(state),
    sessions: viewSessions(state),
    settings: viewSettings(state),
    help: viewHelp(state),
    context: viewContext(state),
    cost: viewCost(state),
    servers: viewMcpServers(state),
    tasks: viewBackgroundTasks(state),
    entries: entries.map((entry) => viewEntry(entry, state.mcpServers)),
    prompts: state.prompts.map((prompt) => viewPrompt(prompt, state.mcpServers)),
  };
}

test.each(CAPTURES)("the views of %s are plain JSON, and equal each time", async (capture) => {
  let state = reduceSession(initialSession, stampedAck());
  for (const message of await playCapture(await readCapture(capture))) {
    const { prompts } = state;
    state = reduceSession(state, message);
    if (state.prompts === prompts) continue;
    // A question to a person is drawn when it is asked.
    const dialogs = state.prompts.map((prompt) => viewPrompt(prompt, state.mcpServers));
    expect(JSON.parse(JSON.stringify(dialogs))).toEqual(dialogs);
  }
  const views = viewAll(state);
  expect(viewAll(structuredClone(state))).toEqual(views);
  expect(JSON.parse(JSON.stringify(views))).toEqual(views);
});

/**
 * The examples of the pages about the wire, which have every type, and the events of a host. A client trusts
 * the entries that a host has made, like the state of that host.
 */
const MESSAGES: readonly OtherMessage[] = [
  ...protocolExamples()
    .filter(({ isInbound }) => !isInbound)
    .map(({ message: { seq: _seq, ...message } }) => ({ ...message, type: message.type })),
  ...HOST_EVENTS.filter(({ type }) => type !== "history_added").map((event) => ({ ...event })),
];

test.each(MESSAGES.map((message, index) => [`${message.type} ${index}`, message] as const))(
  "no view throws after a broken %s",
  (_name, message) => {
    for (const broken of brokenAnywhere(message)) {
      if (typeof broken !== "object" || broken === null) continue;
      viewAll(reduceSession(initialSession, { ...broken, type: message.type }));
    }
  },
);

const WRONG: readonly unknown[] = [null, 7, "constructor", "__proto__", [null], {}];

/** The value with something wrong in place of each of its parts, at any depth. */
function* brokenAnywhere(value: unknown): Generator<unknown> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    for (const wrong of [...WRONG, ...brokenAnywhere(part)]) {
      if (Array.isArray(value)) yield value.with(Number(key), wrong);
      else yield { ...value, [key]: wrong };
    }
  }
}
