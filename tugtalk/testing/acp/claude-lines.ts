/** The lines on the pipes of the Claudes of an agent, as the laws read them. Pure. */
import { type Fields, fieldsOf, type Traffic } from "../observer/observed.ts";

/** The session that a conversation of Claude's is part of. */
export type OwnerOf = (conversation: string) => string;

/** The lines that Claude has printed and read, in order. */
export function linesOf(traffic: readonly Traffic[]): Fields[] {
  return traffic.flatMap((one) => ("line" in one ? [fieldsOf(one.line)] : []));
}

/** The lines that Claude has printed. */
export function printedLines(traffic: readonly Traffic[]): Fields[] {
  return linesOf(traffic.filter(({ from }) => from === "claude"));
}
