/** The updates of messages for a client. */
import type { OutboundDraft } from "../../../../src/types.ts";
import { type ClientFeatures, clientFeatures } from "../../../client-features.ts";
import { firstState, type Update } from "../../update-state.ts";
import { updatesOf } from "../../updates-of.ts";

export type MessageUpdates = {
  readonly message: OutboundDraft;
  readonly updates: readonly Update[];
};

/** Each message with its updates. */
export function updatesByMessage(
  messages: readonly OutboundDraft[],
  features: ClientFeatures,
): MessageUpdates[] {
  let state = firstState("/work/project", features);
  return messages.map((message) => {
    const step = updatesOf(state, message);
    state = step.state;
    return { message, updates: step.updates };
  });
}

/** All updates, by default for a client that has announced nothing. */
export function allUpdates(
  messages: readonly OutboundDraft[],
  features = clientFeatures({}),
): Update[] {
  return updatesByMessage(messages, features).flatMap(({ updates }) => updates);
}
