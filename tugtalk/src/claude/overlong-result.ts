/** A line of Claude that is too long: only its two ends are known. */
import type { OverlongLine } from "../base/lines.ts";

/**
 * Whether it is a result. Every other kind begins with its type, so that a tool may print an object of that
 * type; a result may have it at its end (V330).
 */
export function isOverlongResult({ edges }: OverlongLine): boolean {
  const [, first] = /^\{"type":"(\w+)"/.exec(edges) ?? [];
  return first === undefined ? /"type":"result"/.test(edges) : first === "result";
}
