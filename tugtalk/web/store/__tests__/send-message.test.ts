/** Messages on their way to the host. */
import { expect, test } from "bun:test";
import type { Fields } from "../../../client/claude-value.ts";
import { CommandError, disconnectedError } from "../../../client/transports/transport.ts";
import { Drafts } from "../drafts.ts";
import { openHostStore } from "../host-store.ts";
import { sendDraft } from "../send-message.ts";
import { Toasts } from "../toasts.ts";
import { memoryStorage } from "./support/memory-storage.ts";
import { testTransport } from "./support/test-transport.ts";

/** A page whose messages get these answers, one after the other. */
function pageWith(...answers: readonly (Fields | CommandError)[]) {
  const { transport, commands, setStatus } = testTransport(async () => {
    const answer = answers[commands.length - 1] ?? {};
    if (answer instanceof CommandError) throw answer;
    return answer;
  });
  const app = {
    host: openHostStore(transport),
    drafts: new Drafts(memoryStorage()),
    toasts: new Toasts(),
  };
  const draft = app.drafts.of("s");
  draft.text.value = "Go on";
  return { app, draft, sent: () => commands.map(({ fields }) => fields), setStatus };
}

test("a message that got no answer is sent again with the same id once the host is back", async () => {
  const { app, draft, sent, setStatus } = pageWith(disconnectedError(), {});
  setStatus("connecting");
  const sending = sendDraft(app, "s");
  expect(draft.unanswered.value).toHaveLength(1);
  setStatus("connected");
  await sending;
  expect(sent().map(({ id, message }) => ({ id, message }))).toEqual([
    { id: "s", message: "Go on" },
    { id: "s", message: "Go on" },
  ]);
  expect(new Set(sent().map(({ client_msg_id }) => client_msg_id)).size).toBe(1);
  expect(draft.unanswered.value).toEqual([]);
  expect(draft.text.value).toBe("");
});

test("a message that the host refuses comes back into the draft, with the reason", async () => {
  const refusal = new CommandError(409, { error: "the limit is reached", code: "over_limit" });
  const { app, draft, sent } = pageWith(refusal);
  await sendDraft(app, "s");
  expect(sent()).toHaveLength(1);
  expect(draft.text.value).toBe("Go on");
  expect(app.toasts.shown.value.map(({ text }) => text)).toEqual(["the limit is reached"]);
});

test("a blank draft is not sent", async () => {
  const { app, draft, sent } = pageWith();
  draft.text.value = " \n";
  await sendDraft(app, "s");
  expect(sent()).toEqual([]);
});
