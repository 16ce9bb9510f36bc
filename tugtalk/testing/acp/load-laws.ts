/** What a load sends of an idle session, beside what its client had before. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import type { Block, Loaded } from "./session-law.ts";
import { linesOf, messageOf, type Spoken, spokenBy } from "./text-laws.ts";

/** Each whole block and each call that was sent is sent again once, in the same order and state. */
export function loadFaults(
  loads: readonly Loaded[],
  claudes: readonly (readonly Traffic[])[],
): string[] {
  const spoken = spokenBy(claudes);
  const made = new Set(claudes.flatMap(callsMade));
  return loads.flatMap(({ before, after }) => {
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
  });
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
