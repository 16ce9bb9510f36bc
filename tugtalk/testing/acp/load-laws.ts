/** The updates of a load of an idle session, beside those that its client had before. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import type { Block, Loaded } from "./session-law.ts";
import { linesOf, messageOf, type Spoken, spokenBy } from "./text-laws.ts";

/**
 * Each whole block and each call that was sent is sent again once, in the same order and state, unless the
 * conversation was cleared: what was before that is not sent.
 */
export function loadFaults(
  loads: readonly Loaded[],
  claudes: readonly (readonly Traffic[])[],
  ownerOf: (conversation: string) => string,
): string[] {
  const spoken = spokenBy(claudes);
  const made = new Set(claudes.flatMap(callsMade));
  const all = claudes.flatMap((traffic) => clearsIn(traffic, ownerOf));
  return loads.flatMap((load) => {
    const isSame = load.sources.every(({ session, since }) =>
      all.every((clear) => clear.session !== session || clear.place < since),
    );
    const past = all.filter(
      ({ session, place }) => session === load.session && place <= load.place,
    );
    return [...(isSame ? changes(load, spoken, made) : []), ...past.flatMap(backIn(load))];
  });
}

function changes(
  { before, after }: Loaded,
  spoken: ReadonlyMap<string, Spoken>,
  made: ReadonlySet<unknown>,
): string[] {
  const had = wholeOf(before.blocks, spoken);
  // It has the blocks of before a resume, too.
  const known = new Set(had);
  const has = after.blocks.map(nameOf).filter((block) => known.has(block));
  const blocks = had.join("\n") === has.join("\n") ? [] : [`a load sends ${has} for ${had}`];
  const calls = [...before.calls].filter(
    ([id, state]) => made.has(id) && after.calls.get(id) !== state,
  );
  return [
    ...blocks,
    ...calls.map(([id, state]) => `${id}: ${state} is ${after.calls.get(id)} after a load`),
  ];
}

/** Claude leaves a conversation: when, and what it has said until then. */
type Clear = {
  readonly session: string;
  readonly place: number;
  readonly blocks: ReadonlySet<string>;
};

function clearsIn(traffic: readonly Traffic[], ownerOf: (conversation: string) => string): Clear[] {
  const said = new Set<string>();
  return traffic.flatMap((one) => {
    if (one.from !== "claude") return [];
    const { type, message, new_conversation_id: next } = fieldsOf(one.line);
    const [block] = type === "assistant" ? contentOf(message) : [];
    if (block !== undefined) said.add(`${fieldsOf(message)["id"]}: ${block["text"]}`);
    if (type !== "conversation_reset") return [];
    return [{ session: ownerOf(String(next)), place: one.received, blocks: new Set(said) }];
  });
}

function backIn({ after }: Loaded) {
  return ({ blocks }: Clear) => {
    const back = after.blocks.map(nameOf).filter((block) => blocks.has(block));
    return back.map((block) => `a load sends ${block}, which was cleared`);
  };
}

const nameOf = ({ id, text }: Block) => `${messageOf(id)}: ${text}`;

/** Those that Claude has printed whole. One that was broken off may have the text of another. */
function wholeOf(blocks: readonly Block[], spoken: ReadonlyMap<string, Spoken>): string[] {
  const left = new Map([...spoken].map(([id, { whole }]) => [id, [...whole]]));
  return blocks.flatMap((block) => {
    const whole = left.get(messageOf(block.id)) ?? [];
    const at = whole.indexOf(block.text);
    if (at === -1) return [];
    whole.splice(at, 1);
    return [nameOf(block)];
  });
}

/** The calls that a transcript can tell: Claude has printed each whole, and its result after that. */
function callsMade(traffic: readonly Traffic[]): unknown[] {
  const ended = new Set<unknown>();
  return linesOf(traffic).flatMap(({ message }) =>
    contentOf(message).flatMap(({ type, id, tool_use_id }) => {
      if (type === "tool_result") ended.add(tool_use_id);
      return type === "tool_use" && !ended.has(id) ? [id] : [];
    }),
  );
}

function contentOf(message: unknown): Fields[] {
  const { content } = fieldsOf(message);
  return Array.isArray(content) ? content.map(fieldsOf) : [];
}
