/** Runs a scenario on both agents, each in a home of its own. */
import { promptText } from "../../simulator/api-request.ts";
import { createIsolatedHome } from "../../simulator/isolated-home.ts";
import { startMessagesApi } from "../../simulator/messages-api.ts";
import type { ScriptEntry } from "../../simulator/reply-script.ts";
import { frameProblem } from "../drivers/acp-frames.ts";
import type { Agents } from "./agents.ts";
import { choosing } from "./answering.ts";
import { digestOf } from "./digest.ts";
import { type Claim, END_MS, type Scenario, Stage, type StartAgent } from "./scenario.ts";

/** The frames of one agent in a scenario as a digest, and the claims that do not hold of them. */
export type Side = { readonly digest: string; readonly missed: readonly string[] };

export type Row = { readonly name: string; readonly ours: Side; readonly theirs: Side };

export async function compareOn(scenario: Scenario, { ours, theirs }: Agents): Promise<Row> {
  const { name } = scenario;
  const played = (compared: StartAgent) =>
    play(scenario, { first: scenario.isBegunWithTheirs ? theirs : compared, compared });
  return { name, ours: await played(ours), theirs: await played(theirs) };
}

async function play(
  scenario: Scenario,
  agents: ConstructorParameters<typeof Stage>[1],
): Promise<Side> {
  const home = await createIsolatedHome();
  const place = { home, api: startMessagesApi() };
  place.api.script(SUGGESTION, ...(scenario.api?.(place) ?? []));
  const stage = new Stage(place, agents, scenario);
  try {
    const failure = await failureOfPlay(scenario, stage);
    const notes = stage.told.notes.map((note) => `(${note})`);
    const digest = digestOf(stage.told.frames)
      .replaceAll(home.project, "…")
      .replaceAll(home.root, "…");
    const claims = [...scenario.claims, OF_EACH];
    const missed = claims.flatMap(([words, holds]) => (holds(stage.told) ? [] : [words]));
    return { digest: [digest, ...notes, failure].filter(Boolean).join(" · "), missed };
  } finally {
    await stage.client.end(END_MS);
    await place.api.stop();
    await home.remove();
  }
}

/** The other agent has Claude ask the model for the next message of a person. */
const SUGGESTION: ScriptEntry = {
  when: ({ body }) => promptText(body).includes("Reply with ONLY the suggestion"),
  reply: "go on",
  always: true,
};

const OF_EACH: Claim = [
  "each frame fits the schema",
  ({ frames }) => frames.every((frame) => frameProblem(frame) === undefined),
];

/** The failure of an agent is part of the row. */
async function failureOfPlay(scenario: Scenario, stage: Stage): Promise<string> {
  stage.client.answering = scenario.answering ?? choosing("allow_once");
  try {
    if (scenario.isUnopened !== true) {
      await stage.initialize();
      await stage.open(scenario.session?.(stage.place));
      // The other agent starts in another mode: both are compared in the same mode.
      await stage.ask("session/set_mode", { modeId: scenario.mode ?? "default" });
      stage.mark();
    }
    await scenario.play(stage);
    return "";
  } catch (error) {
    return `(${error instanceof Error ? error.message : error})`;
  }
}
