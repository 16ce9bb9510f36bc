/** Whether a contender delivers every message: only then do its figures count. */
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { Contender } from "./contenders.ts";
import type { Heard } from "./dialects.ts";
import { withPeers } from "./peer.ts";
import type { Workspace } from "./peer-process.ts";
import { floodPieces, promptInput, type TurnPart } from "./turn-plan.ts";

const PIECES = [
  "Hel",
  "lo, ",
  '"wörld" \\ \n',
  "\u2028\u2029\u0000\u001f",
  "👋🏽",
  " ",
  "</script>",
];
const FLOOD = { kind: "flood", messages: 3, deltas: 700, chars: 16 } as const;
const PROMPTS = { kind: "prompts", count: 6, atOnce: 3 } as const;
const PARTS: readonly TurnPart[] = [{ kind: "said", pieces: PIECES }, PROMPTS, FLOOD];

const Allowed = z.object({ behavior: z.literal("allow"), updatedInput: z.unknown() });

/** The messages that the contender loses or changes. */
export async function findLosses(contender: Contender, workspace: Workspace): Promise<string[]> {
  return await withPeers(contender, workspace, 1, async ([peer]) => {
    const heard: Heard[] = [];
    const { answers } = await peer.turn(PARTS, (one) => heard.push(one));
    const unsaid = contender.dialect.cannotSay ?? [];
    return lossesIn(heard, answers).filter((what) => !unsaid.includes(what));
  });
}

function lossesIn(heard: readonly Heard[], answers: readonly unknown[]): string[] {
  const flood = floodPieces(FLOOD.deltas, FLOOD.chars);
  const floods = Array.from({ length: FLOOD.messages }, () => flood);
  const inputs = Array.from({ length: PROMPTS.count }, (_, number) => promptInput(number));
  const textsOf = (kind: string) =>
    heard.flatMap((one) => (one.kind === kind && "text" in one ? [one.text] : []));
  const prompts = heard.flatMap((one) => (one.kind === "prompt" ? [one.prompt.input] : []));
  const allowed = answers.map((answer) => Allowed.safeParse(answer).data?.updatedInput);
  const compared = {
    pieces: [textsOf("piece"), [...PIECES, ...floods.flat()]],
    "whole texts": [textsOf("whole"), [PIECES.join(""), ...floods.map((all) => all.join(""))]],
    prompts: [prompts, inputs],
    answers: [allowed, inputs],
    result: [textsOf("end"), [flood.join("")]],
  };
  return Object.entries(compared).flatMap(([what, [delivered, wanted]]) =>
    isDeepStrictEqual(delivered, wanted) ? [] : [what],
  );
}
