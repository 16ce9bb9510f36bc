/** The texts that a client has, beside the texts that Claude has printed. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";
import { printedLines } from "./claude-lines.ts";
import type { Block } from "./session-law.ts";

/** Claude's texts of one message: whole blocks, and the streamed part of each. */
export type Spoken = { readonly whole: string[]; readonly streamed: string[] };

/** The chunks of a block joined are the block, or its beginning where it was broken off. None is lost. */
export function textFaults(
  sent: readonly Block[],
  claudes: readonly (readonly Traffic[])[],
  isOver: boolean,
): string[] {
  const spoken = spokenBy(claudes);
  const faults = sent.flatMap(({ id, text }) => {
    const { whole, streamed } = spoken.get(messageOf(id)) ?? { whole: [], streamed: [] };
    const isSaid = [...whole, ...streamed].some((said) => said.startsWith(text));
    return isSaid ? [] : [`${id}: Claude has not said: ${text}`];
  });
  if (!isOver) return faults;
  const have = new Set(sent.map(({ id, text }) => `${messageOf(id)} ${text}`));
  for (const [id, { whole }] of spoken)
    for (const text of whole) if (!have.has(`${id} ${text}`)) faults.push(`${id}: lost: ${text}`);
  return faults;
}

/** The id of a chunk begins with the id of its message. */
export const messageOf = (id: string) => id.slice(0, id.lastIndexOf("/"));

export function spokenBy(claudes: readonly (readonly Traffic[])[]): ReadonlyMap<string, Spoken> {
  const all = new Map<string, Spoken>();
  const of = (message: unknown) => {
    const id = String(fieldsOf(message)["id"]);
    const spoken = all.get(id) ?? { whole: [], streamed: [] };
    all.set(id, spoken);
    return spoken;
  };
  for (const traffic of claudes) {
    let open = of(undefined);
    for (const line of printedLines(traffic)) {
      const event = fieldsOf(line["event"]);
      if (event["type"] === "message_start") open = of(event["message"]);
      else stream(open, event);
      if (line["type"] === "assistant") finish(of(line["message"]), fieldsOf(line["message"]));
    }
  }
  return all;
}

function stream({ streamed }: Spoken, { type, delta }: Fields): void {
  if (type === "content_block_start") streamed.push("");
  const { text, thinking = text } = fieldsOf(delta);
  if (typeof thinking === "string") streamed.push((streamed.pop() ?? "") + thinking);
}

function finish({ whole }: Spoken, { content }: Fields): void {
  const [block] = Array.isArray(content) ? content : [];
  const { text, thinking = text } = fieldsOf(block);
  if (typeof thinking === "string" && thinking !== "") whole.push(thinking);
}
