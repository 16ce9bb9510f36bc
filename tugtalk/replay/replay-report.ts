/** The result of a replay as text for people. */

import { type Difference, isSame, kindOf } from "./comparison.ts";
import { IGNORED_KINDS } from "./ignored-kinds.ts";
import type { Replay } from "./player.ts";

/** Whether nothing differs, and no line of Claude was lost. */
export function isAsItWas({ differences, silent }: Replay): boolean {
  return differences.length === 0 && silent.unlisted.size === 0;
}

/** The report, in lines. */
export function formatReplay(replay: Replay): string {
  const { hostLines, claudeLines, claudes, emitted, isCut } = replay;
  return [
    `${count(hostLines, "line")} of the host's and ${claudeLines} of Claude's (${count(claudes, "process", "es")}) gave ${count(emitted.length, "message")}`,
    ...(isCut ? ["the recording has no end: it was cut short there"] : []),
    ...silenceIn(replay),
    ...differencesIn(replay),
    ...(isAsItWas(replay) ? ["all is as it was"] : []),
  ].join("\n");
}

function silenceIn({ silent: { listed, unlisted } }: Replay): string[] {
  return [
    ...(listed.size === 0 ? [] : ["lines of Claude's that mean nothing to a host:"]),
    ...[...listed].map(([kind, times]) => `  ${times} × ${kind}: ${IGNORED_KINDS[kind]}`),
    ...[...unlisted].map(
      ([kind, times]) => `LOST: ${times} × ${kind} gave no message and is not on the list`,
    ),
  ];
}

/** Further differences are counted only. */
const MAX_SHOWN = 20;

function differencesIn({ differences }: Replay): string[] {
  if (differences.length === 0) return [];
  const rest = differences.length - MAX_SHOWN;
  return [
    `${count(differences.length, "difference")}:`,
    ...differences.slice(0, MAX_SHOWN).map((difference) => `  ${formatDifference(difference)}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function formatDifference({ was, is }: Difference): string {
  if (was === undefined) return `new: ${shortened(is)}`;
  if (is === undefined) return `missing: ${shortened(was)}`;
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  const fields = keys
    .filter((key) => !isSame(was[key], is[key]))
    .map((key) => `${key} was ${shortened(was[key])}, is ${shortened(is[key])}`);
  return `${kindOf(was)}: ${fields.join("; ")}`;
}

const MAX_CHARS = 200;

function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > MAX_CHARS ? `${text.slice(0, MAX_CHARS)}…` : text;
}

function count(number: number, noun: string, plural = "s"): string {
  return `${number} ${noun}${number === 1 ? "" : plural}`;
}
