/** Stop, where its answer is lost. */
import { expect, test } from "bun:test";
import { effect } from "@preact/signals";
import { initialSession } from "../../../client/reduce-session.ts";
import { disconnectedError } from "../../../client/transports/transport.ts";
import { Drafts } from "../drafts.ts";
import { SessionStore } from "../session-store.ts";
import { stop } from "../stop.ts";
import { Toasts } from "../toasts.ts";
import { deliveringTransport } from "./support/delivering-transport.ts";
import { memoryStorage } from "./support/memory-storage.ts";

test("where the answer to Stop is lost, what waited is in the history of the composer", async () => {
  const { transport, deliver } = deliveringTransport(() => Promise.reject(disconnectedError()));
  const session = new SessionStore(transport, "s", (run) => run());
  const queue = [
    { messageId: "a", text: "Now", isSent: true },
    { messageId: "b", text: "Later" },
  ];
  const state = { ...initialSession, queue };
  deliver({ s: "s", t: "snapshot", d: { cursor: { epoch: 1, seq: 1 }, state } });
  const app = { drafts: new Drafts(memoryStorage()), toasts: new Toasts() };
  stop(app, session);
  await new Promise<void>((resolve) => {
    effect(() => {
      if (app.toasts.shown.value.length > 0) resolve();
    });
  });
  expect(app.drafts.of("s").recent.value).toEqual(["Later"]);
  expect(app.drafts.of("s").text.value).toBe("");
});
