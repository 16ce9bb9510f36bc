/**
 * The laws of the reducer over random lives of bridges, whose messages a host puts into its journal with
 * events of its own. Two bridges follow each other in one session.
 */
import { test } from "bun:test";
import * as fc from "fast-check";
import {
  type EventDraft,
  pendingPrompt,
  promptRequested,
} from "../../../host/prompts/prompt-events.ts";
import type { OutboundMessage } from "../../../src/types.ts";
import { end, open, runSetup, walk } from "../../../testing/random/harness-run.ts";
import { checkProperty } from "../../../testing/random/property-check.ts";
import { anyStep } from "../../../testing/random/random-steps.ts";
import type { ReducedSession } from "../../reduced-session.ts";
import type { HostFrame, OtherMessage, SessionInput } from "../../session-input.ts";
import { entriesOf, reduced, stored } from "./reduced.ts";

const RUNS = 30;
const LIMIT_MS = 25_000;

const life = fc.record({
  setup: runSetup,
  steps: fc.array(anyStep, { maxLength: 40, size: "max" }),
});

const lives = fc.record({
  one: life,
  other: life,
  isHostFirst: fc.boolean(),
  /** Where a journal is cut, in parts of it. */
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 5, maxLength: 5 }),
});
type Lives = typeof lives extends fc.Arbitrary<infer Value> ? Value : never;

/** The messages of one bridge from its start to its end. */
async function messagesOf({ setup, steps }: Lives["one"]): Promise<readonly OtherMessage[]> {
  const harness = await open(setup);
  await walk(harness, steps);
  await end(harness);
  return harness.host.received.map((message) => ({ ...message, type: String(message["type"]) }));
}

/** The same with ids of another bridge. */
function ofOtherBridge(messages: readonly OtherMessage[]): readonly OtherMessage[] {
  return JSON.parse(JSON.stringify(messages).replaceAll("00000000-0000-4", "11111111-0000-4"));
}

/** What a host tells of the same prompts, before or after the bridge. */
function withHostEvents(messages: readonly OtherMessage[], isHostFirst: boolean) {
  return messages.flatMap((message): readonly OtherMessage[] => {
    const event = hostEvent(message);
    if (event === undefined) return [message];
    return isHostFirst ? [event, message] : [message, event];
  });
}

/** What the reference host writes about a prompt when the bridge opens or closes it. */
function hostEvent(message: OtherMessage): OtherMessage | undefined {
  const { type, request_id: requestId } = message;
  const prompt = pendingPrompt(message as OutboundMessage, { sessionId: "s", createdAt: 1 });
  if (prompt !== undefined) return flat(promptRequested(prompt));
  const id = { sessionId: "s", stageId: "s", requestId };
  if (type === "control_request_resolved")
    return { type: "approval-resolved", ...id, decision: message["outcome"], at: 2 };
  if (type === "control_request_cancel")
    return { type: "approval-cancelled", ...id, reason: message["reason"], at: 2 };
  return undefined;
}

function flat({ type, data }: EventDraft): OtherMessage {
  return { ...data, type };
}

function framed(messages: readonly OtherMessage[]): readonly HostFrame[] {
  return messages.map(({ type, ...data }, index) => ({
    s: "s",
    e: "e",
    q: index + 1,
    t: type,
    d: data,
  }));
}

function isSame(one: ReducedSession, other: ReducedSession): boolean {
  return Bun.deepEquals(one, other, true);
}

function brokenLaws(journal: readonly SessionInput[], cuts: readonly number[]): readonly string[] {
  const whole = reduced(journal);
  // A host that has closed its pipe does not get the end.
  const hasEnded = whole.status === "exited";
  const laws: Readonly<Record<string, () => boolean>> = {
    "the same journal twice gives the same state": () => isSame(reduced(journal, whole), whole),
    "the state is plain JSON": () => isSame(stored(whole), whole),
    "a snapshot and the rest give the whole": () =>
      cuts.every((part) => {
        const at = Math.floor(part * journal.length);
        return isSame(reduced(journal.slice(at), stored(reduced(journal.slice(0, at)))), whole);
      }),
    "a message that is delivered again changes nothing": () =>
      isSame(reduced(journal.flatMap((message) => [message, message])), whole),
    "no prompt stays open after the end": () => !hasEnded || whole.prompts.length === 0,
    "nothing stays open after the end": () =>
      !hasEnded || !/"status":"(streaming|running|waiting)"/.test(JSON.stringify(entriesOf(whole))),
    "the keys of entries and of items are unique": () =>
      hasNoRepetition(entriesOf(whole).map(({ key }) => key)) &&
      entriesOf(whole).every(({ items, agents }) =>
        [items, ...Object.values(agents)].every((list) =>
          hasNoRepetition(list.map(({ key }) => key)),
        ),
      ),
    "complete texts are what the bridge has sent": () => hasAllTexts(whole, journal),
  };
  return Object.entries(laws).flatMap(([law, holds]) => (holds() ? [] : [`broken: ${law}`]));
}

function hasNoRepetition(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length;
}

/** Each complete text of the current conversation, which the bridge guarantees to equal its deltas. */
function hasAllTexts(whole: ReducedSession, journal: readonly SessionInput[]): boolean {
  const sent = new Set(
    journal
      .map((input) => ("d" in input ? input.d : input) as Readonly<Record<string, unknown>>)
      .filter(({ status }) => status === "complete")
      .map(({ text }) => text),
  );
  return entriesOf(whole)
    .flatMap(({ items, agents }) => [items, ...Object.values(agents)].flat())
    .filter((item) => "text" in item && item.kind !== "user" && item.status === "complete")
    .every((item) => "text" in item && sent.has(item.text));
}

async function faultsOf({ one, other, isHostFirst, cuts }: Lives): Promise<readonly string[]> {
  const bridges = [await messagesOf(one), ofOtherBridge(await messagesOf(other))].flat();
  const events = withHostEvents(bridges, isHostFirst);
  return [...brokenLaws(bridges, cuts), ...brokenLaws(framed(events), cuts)];
}

test(
  "the laws of the reducer hold for random sessions, as a bridge and as a host tell them",
  () =>
    checkProperty({
      name: "the laws of the reducer",
      values: lives,
      runs: RUNS,
      limitMs: LIMIT_MS,
      faultsOf,
    }),
  2 * LIMIT_MS,
);
