/** Applies messages for the tests of the reducer; everything that goes in and out is frozen. */

import { initialSession, reduceSession } from "../../reduce-session.ts";
import type { ReducedSession } from "../../reduced-session.ts";
import type { SessionInput } from "../../session-input.ts";
import type { TranscriptEntry, TranscriptItem } from "../../transcript-models.ts";

deepFreeze(initialSession);

/** The state after these messages. */
export function reduced(
  messages: readonly SessionInput[],
  state: ReducedSession = initialSession,
): ReducedSession {
  return messages.reduce<ReducedSession>(
    (before, message) => deepFreeze(reduceSession(before, deepFreeze(message))),
    deepFreeze(state),
  );
}

/** All entries, oldest first. */
export function entriesOf({ entries, openEntries }: ReducedSession): readonly TranscriptEntry[] {
  return [...entries, ...openEntries];
}

/** The items of the main conversation, entry by entry. */
export function itemsOf(state: ReducedSession): readonly TranscriptItem[] {
  return entriesOf(state).flatMap(({ items }) => items);
}

/** The state as a host stores and sends it. */
export function stored(state: ReducedSession): ReducedSession {
  return JSON.parse(JSON.stringify(state));
}

/** Freezes a value with all that is in it, so that a change of it throws. */
function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) deepFreeze(inner);
  return value;
}
