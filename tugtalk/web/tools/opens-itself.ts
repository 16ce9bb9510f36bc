/** Which tool cards are open without a click: small ones, and cards that a person would look for. Pure. */
import type { ToolCallView } from "../../client/entry-models.ts";
import type { ToolItem } from "../../client/transcript-models.ts";
import { toolRow } from "../../client/views/tools.ts";

/** How many lines a person reads at a glance. */
const MAX_LINES = 20;

export function opensItself({ name, result }: ToolItem, call: ToolCallView): boolean {
  const { status, diff, output, preview } = call;
  if (status === "done" && diff !== undefined)
    return changedLines(diff.structuredPatch) <= MAX_LINES;
  if (output !== undefined && output.images.length > 0) return true;
  if (status !== "failed" || result === undefined || toolRow(name)?.icon === "fork") return false;
  const tried = preview?.body.kind === "diff" ? changedLines(preview.body.hunks) : 0;
  return tried + result.output.split("\n").length <= MAX_LINES;
}

type Hunks = NonNullable<ToolCallView["diff"]>["structuredPatch"];

function changedLines(hunks: Hunks): number {
  return hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}
