/** An endless flood of numbered lines, so that a lost or repeated line shows. */
import type { Order } from "../../simulator/fault-control.ts";
import { textDelta } from "../../simulator/stream-events.ts";
import { HALF } from "../drivers/bridge-states.ts";
import { eventLine } from "../drivers/test-lines.ts";
import { type Findings, streamedText } from "./fault-run.ts";
import { type FaultState, hasText, type Scene } from "./fault-scenes.ts";

const TEXT = eventLine(textDelta("$count "));

/** Outside a text: an unknown kind. */
const NOTIFICATIONS = { type: "made_up_news", count: "$count", padding: "x".repeat(200) };

/** The flood for a state: more of the streamed text, or unknown events. */
export function floodIn(state: FaultState): Order {
  return { order: "flood", line: hasText(state) ? TEXT : NOTIFICATIONS };
}

/** The text that the host must have received, from its length. */
export function floodText(scene: Scene): string {
  return numbers(countsIn(streamedText(scene, scene.said[0]?.id).slice(HALF.length)).length);
}

/** The flood has at least this many lines and is complete and in order. Returns its length. */
export function judgeFlood(scene: Scene, findings: Findings, atLeast: number): number {
  const { length } = hasText(scene.state) ? countsIn(floodText(scene)) : newsOf(scene);
  findings.must(length >= atLeast, `the flood has ${length} lines, and not ${atLeast}`);
  const isWhole = hasText(scene.state) || newsOf(scene).join("") === numbers(length);
  findings.must(isWhole, "news are lost, or come twice");
  return length;
}

function countsIn(text: string): string[] {
  return text.split(" ").slice(0, -1);
}

function newsOf({ line }: Scene): string[] {
  return line.received
    .filter(({ original_type }) => original_type === "made_up_news")
    .map(({ raw }) => `${(raw as { readonly count: string }).count} `);
}

function numbers(length: number): string {
  return Array.from({ length }, (_, count) => `${count} `).join("");
}
