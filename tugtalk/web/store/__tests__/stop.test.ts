/** Stop, and the messages that came back by it. */
import { expect, test } from "bun:test";
import { effect } from "@preact/signals";
import { initialSession } from "../../../client/reduce-session.ts";
import { CommandError, disconnectedError } from "../../../client/transports/transport.ts";
import { Drafts } from "../drafts.ts";
import { takeBack } from "../returned.ts";
import { SessionStore } from "../session-store.ts";
import { onEscape, stop } from "../stop.ts";
import { Toasts } from "../toasts.ts";
import { memoryStorage } from "./support/memory-storage.ts";
import { testTransport } from "./support/test-transport.ts";

const MESSAGE = {
  message_id: "b",
  message: "Later",
  queued_at: 1,
  attachments: [{ filename: "a.txt", content: "x", media_type: "text/plain" }],
};

const SENT = [{ messageId: "a", text: "Now", isSent: true }];

/** A session with a queue, on a host that gives this answer. With the queue `SENT`, the session works. */
function working(answer: Parameters<typeof testTransport>[0], queue = SENT) {
  const { transport, commands, deliver } = testTransport(answer);
  const session = new SessionStore(transport, "s", (run) => run());
  const state = { ...initialSession, queue };
  deliver({ s: "s", t: "snapshot", d: { cursor: { epoch: 1, seq: 1 }, state } });
  const app = { drafts: new Drafts(memoryStorage()), toasts: new Toasts() };
  return { app, session, commands, draft: app.drafts.of("s") };
}

function until(isTrue: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    effect(() => {
      if (isTrue()) resolve();
    });
  });
}

test("a message that Stop gives back is in the composer before it is taken from the host", async () => {
  const texts: string[] = [];
  const { app, session, commands, draft } = working(() => {
    texts.push(draft.text.value);
    return Promise.resolve({ queued_messages: [MESSAGE] });
  });
  stop(app, session);
  await until(() => draft.text.value !== "");
  expect(draft.attachments.value).toEqual(MESSAGE.attachments);
  expect(commands).toEqual([
    { name: "interrupt", fields: { id: "s" } },
    { name: "take_returned", fields: { id: "s", message_id: "b" } },
  ]);
  expect(texts).toEqual(["", "Later"]);
});

test("where the answer to Stop is lost, nothing is put into the composer: the host offers it", async () => {
  const { app, session, commands, draft } = working(() => Promise.reject(disconnectedError()));
  stop(app, session);
  await until(() => app.toasts.shown.value.length > 0);
  expect(commands).toHaveLength(1);
  expect([draft.text.value, draft.recent.value]).toEqual(["", []]);
});

test.each([
  ["is added to", "wrong, right", ", right", ["wrong"]],
  ["was sent since", "", "", []],
])("Escape clears what the composer had then: a text that %s", (_name, text, left, recent) => {
  const { app, session, draft } = working(() => Promise.resolve({}), []);
  draft.text.value = text;
  onEscape(app, session, "wrong");
  expect(draft.text.value).toBe(left);
  expect(draft.recent.value).toEqual(recent);
});

test("a message that comes back twice, by a button and by the answer of Stop, is put in once", async () => {
  const { app, session, draft } = working(() =>
    Promise.resolve({ ...MESSAGE, queued_messages: [MESSAGE] }),
  );
  await takeBack(app, session, "b");
  stop(app, session);
  await takeBack(app, session, "b");
  expect(draft.text.value).toBe("Later");
});

test("a message that another tab has taken is reported, and not put in", async () => {
  const { app, session, draft } = working(() =>
    Promise.reject(
      new CommandError(409, { code: "already_taken", error: "it was taken back already" }),
    ),
  );
  await takeBack(app, session, "b");
  expect(app.toasts.shown.value).toHaveLength(1);
  expect(draft.text.value).toBe("");
});
