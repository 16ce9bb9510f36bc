/** The updates of a load of an idle session, beside the updates that its client had before. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import { type OwnerOf, printedLines } from "./claude-lines.ts";
import type { Block, Loaded, Part } from "./session-law.ts";
import { messageOf, type Spoken, spokenBy } from "./text-laws.ts";

/**
 * A load sends each whole block and each call that the client had before once, in the same order and state. It
 * sends nothing from before a `/clear`. A copy may be lost with its source.
 */
export function loadFaults(
  loads: readonly Loaded[],
  claudes: readonly (readonly Traffic[])[],
  ownerOf: OwnerOf,
  deleted: ReadonlySet<unknown>,
): string[] {
  const spoken = spokenBy(claudes);
  const made = new Set(claudes.flatMap(callsMade));
  const all = claudes.flatMap((traffic) => clearsIn(traffic, ownerOf));
  return loads.flatMap((load) => {
    const isSame = load.sources.every(
      ({ session, since }) =>
        !deleted.has(session) &&
        all.every((clear) => clear.session !== session || clear.place < since),
    );
    const past = all.filter(
      ({ session, place }) => session === load.session && place <= load.place,
    );
    const gone = new Set(past.flatMap(({ calls }) => [...calls]));
    return [
      ...(isSame ? changes(load, spoken, { made, gone }) : []),
      ...past.flatMap(backIn(load)),
    ];
  });
}

const EMPTY: Part = { blocks: [], calls: new Map() };

type Calls = {
  /** The calls that a transcript has. */
  readonly made: ReadonlySet<unknown>;
  /** The calls of cleared conversations. Their agents go on, but no other conversation has the calls. */
  readonly gone: Set<unknown>;
};

function changes(
  { before, after }: Loaded,
  spoken: ReadonlyMap<string, Spoken>,
  { made, gone }: Calls,
): string[] {
  for (let size = -1; size !== gone.size; ) {
    size = gone.size;
    for (const [agent, { calls }] of before)
      if (gone.has(agent)) for (const id of calls.keys()) gone.add(id);
  }
  const kept = new Set([...made].filter((id) => !gone.has(id)));
  return [...before].flatMap(([agent, part]) =>
    gone.has(agent) ? [] : partChanges(part, after.get(agent) ?? EMPTY, spoken, kept),
  );
}

function partChanges(
  before: Part,
  after: Part,
  spoken: ReadonlyMap<string, Spoken>,
  made: ReadonlySet<unknown>,
): string[] {
  const had = wholeOf(before.blocks, spoken);
  // A load also sends the blocks from before a resume, which the client did not have.
  const known = new Set(had);
  const has = after.blocks.map(nameOf).filter((block) => known.has(block));
  const blocks = had.join("\n") === has.join("\n") ? [] : [`a load sends ${has} for ${had}`];
  const calls = [...before.calls].filter(
    ([id, state]) => made.has(id) && !isLater(after.calls.get(id), state),
  );
  return [
    ...blocks,
    ...calls.map(([id, state]) => `${id}: ${state} is ${after.calls.get(id)} after a load`),
  ];
}

/** The same state, or the end of a call that ran when the load was asked for. */
function isLater(state: string | undefined, before: string | undefined): boolean {
  return state === before || (before === "in_progress" && state === "completed");
}

/** Claude leaves a conversation: the place, and its blocks and calls until then. */
type Clear = {
  readonly session: string;
  readonly place: number;
  readonly blocks: ReadonlySet<string>;
  readonly calls: ReadonlySet<unknown>;
};

function clearsIn(traffic: readonly Traffic[], ownerOf: OwnerOf): Clear[] {
  const said = new Set<string>();
  const made = new Set<unknown>();
  return traffic.flatMap((one) => {
    if (one.from !== "claude") return [];
    const { type, message, new_conversation_id: next } = fieldsOf(one.line);
    const [block] = type === "assistant" ? contentOf(message) : [];
    if (block?.["type"] === "tool_use") made.add(block["id"]);
    if (block !== undefined) said.add(`${fieldsOf(message)["id"]}: ${block["text"]}`);
    if (type !== "conversation_reset") return [];
    const had = { blocks: new Set(said), calls: new Set(made) };
    return [{ session: ownerOf(String(next)), place: one.received, ...had }];
  });
}

function backIn({ after }: Loaded) {
  return ({ blocks }: Clear) => {
    const has = [...after.values()].flatMap((part) => part.blocks);
    const back = has.map(nameOf).filter((block) => blocks.has(block));
    return back.map((block) => `a load sends ${block}, which was cleared`);
  };
}

const nameOf = ({ id, text }: Block) => `${messageOf(id)}: ${text}`;

/** The blocks that Claude has printed whole. A block that was broken off may have the text of another one. */
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

/** The calls that a transcript has: Claude has printed each of them whole, and then its result. */
function callsMade(traffic: readonly Traffic[]): unknown[] {
  const ended = new Set<unknown>();
  return printedLines(traffic).flatMap(({ message }) =>
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
