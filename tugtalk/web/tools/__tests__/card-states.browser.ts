/** A tool card from its first character to its end, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import { askingTurn } from "../../../testing/drivers/host-conversations.ts";
import { INIT, into, out, SESSION } from "../../../testing/drivers/written-conversation.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { callOf } from "./support/tool-turn.ts";

const { host, browser } = await openBrowser();

async function begun(conversation: readonly object[], options: object = {}) {
  const session = await host.createSession({ conversation, ...options });
  await session.message("go");
  const page = await browser.tab(session.id);
  const card = page.locator(".tool");
  await card.waitFor();
  return { session, page, card };
}

const BUILD = { id: "build", name: "Bash", input: { command: "npm run build" } };

test("one card waits for a person in amber, goes on when it is allowed, and keeps who allowed it", async () => {
  const { session, card, page } = await begun(askingTurn(BUILD));
  await card.getByText("Waiting for you").waitFor();
  expect(await card.getAttribute("class")).toContain("tool-waiting");
  await page.getByRole("button", { name: "Allow Y" }).click();
  await session.claudeHears(({ type }) => type === "control_response");
  await page.locator(".tool-done").waitFor();
  expect(await card.count()).toBe(1);
  await card.locator(".tool-line").click();
  await card.getByText(/Allowed by Chrome at \d/).waitFor();
});

/** A prompt that holds the conversation until a test goes on. */
const GATE = { subtype: "can_use_tool", tool_name: "Write", input: {}, tool_use_id: "gate-call" };

test("an input is shown as it arrives, and the time while a command runs", async () => {
  const event = (body: object) =>
    out({ type: "stream_event", session_id: SESSION, parent_tool_use_id: null, event: body });
  const block = { type: "tool_use", id: "slow", name: "Bash", input: {} };
  const delta = { type: "input_json_delta", partial_json: '{"command":"make' };
  const progress = { tool_use_id: "slow", tool_name: "Bash", elapsed_time_seconds: 12 };
  const { session, page, card } = await begun(
    [
      into({ type: "user" }),
      out(INIT),
      event({ type: "message_start", message: { id: "message-slow", content: [] } }),
      event({ type: "content_block_start", index: 0, content_block: block }),
      event({ type: "content_block_delta", index: 0, delta }),
      out({ type: "control_request", request_id: "gate", request: GATE }),
      into({ type: "control_response", response: { request_id: "gate" } }),
      callOf({ id: "slow", name: "Bash", input: { command: "make all" } }),
      out({ type: "tool_progress", ...progress, parent_tool_use_id: null, session_id: SESSION }),
    ],
    { options: { tool_input_deltas: true } },
  );
  await card.locator(".tool-line").click();
  await card.getByText('{"command":"make', { exact: true }).waitFor();
  await session.run("approve", { requestId: "gate", decision: "allow" });
  await card.getByText("make all", { exact: true }).waitFor();
  await page.getByText(/^Running Bash · 1\d s · Esc stops$/).waitFor();
  expect(await card.getByText(/\d s$/).count()).toBe(0);
});
