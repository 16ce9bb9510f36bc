/** Every view of every captured conversation, also in the middle of it. */
import { expect, test } from "bun:test";
import { CAPTURES, readCapture } from "../../../testing/captures/capture-files.ts";
import { playCapture } from "../../../testing/captures/capture-run.ts";
import { stampedAck } from "../../../testing/captures/reduced-capture.ts";
import { initialSession, reduceSession } from "../../reduce-session.ts";
import type { ReducedSession } from "../../reduced-session.ts";
import { viewBackgroundTasks } from "../background-task-view.ts";
import { viewContext } from "../context-view.ts";
import { viewCost } from "../cost-view.ts";
import { viewEntry } from "../entry-view.ts";
import { viewMcpServers } from "../mcp-view.ts";
import { viewPrompt } from "../prompt-view.ts";
import { viewSession, viewSessions } from "../session-view.ts";
import { viewHelp, viewSettings } from "../settings-view.ts";

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
  };
}

test.each(CAPTURES)("the views of %s are plain JSON, and equal each time", async (capture) => {
  let state = reduceSession(initialSession, stampedAck());
  for (const message of await playCapture(await readCapture(capture))) {
    const { prompts } = state;
    state = reduceSession(state, message);
    if (state.prompts === prompts) continue;
    // What a person is asked is drawn when it is asked.
    const dialogs = state.prompts.map((prompt) => viewPrompt(prompt, state.mcpServers));
    expect(JSON.parse(JSON.stringify(dialogs))).toEqual(dialogs);
  }
  const views = viewAll(state);
  expect(viewAll(structuredClone(state))).toEqual(views);
  expect(JSON.parse(JSON.stringify(views))).toEqual(views);
});
