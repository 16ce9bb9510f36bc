/** The laws of the reducer, for captured conversations and random lives alike. */
import type { ReducedSession } from "../../reduced-session.ts";
import type { SessionInput } from "../../session-input.ts";
import { entriesOf, reduced, stored } from "./reduced.ts";

function isSame(one: ReducedSession, other: ReducedSession): boolean {
  return Bun.deepEquals(one, other, true);
}

/** The laws of the reducer that a journal breaks; it is cut at these places. */
export function brokenLaws(
  journal: readonly SessionInput[],
  cuts: readonly number[],
): readonly string[] {
  const whole = reduced(journal);
  // A host that has closed its pipe does not get the end.
  const hasEnded = whole.status === "exited";
  const laws: Readonly<Record<string, () => boolean>> = {
    "the same journal twice gives the same state": () => isSame(reduced(journal, whole), whole),
    "the state is plain JSON": () => isSame(stored(whole), whole),
    "a snapshot and the rest give the whole": () =>
      cuts.every((at) =>
        isSame(reduced(journal.slice(at), stored(reduced(journal.slice(0, at)))), whole),
      ),
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
