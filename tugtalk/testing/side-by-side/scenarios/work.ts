/** Work beside the conversation: a list of tasks, agents, and commands in the background. */
import { fieldsOf } from "../../../src/base/json.ts";
import { agentInput, as, callTool, holdWhole, startGate } from "../../real/real-replies.ts";
import { commandAt } from "../gated-command.ts";
import type { Scenario, Stage } from "../scenario.ts";
import { callsIn, countOf, endsIn, firstCall, marksIn, plansIn, tells } from "../told.ts";

/** Claude's text about a launch, which says that nobody is to be shown it. */
const LAUNCH_TEXT = "Async agent launched";

/** An agent in the background whose report is held back, and the texts of Claude after "Started.". */
function scriptAgent(stage: Stage, ...texts: readonly string[]) {
  const held = holdWhole("It is at the weir.");
  const launch = callTool("Agent", agentInput("find the heron"));
  stage.place.api.script(launch, as("find the heron", held.reply), "Started.", ...texts);
  return held;
}

/** The call of the agent that each call is of, in order. Both agents use this mark. */
function parentsIn(frames: Parameters<typeof callsIn>[0]): unknown[] {
  return [...callsIn(frames).values()].map(
    ({ fields }) => fieldsOf(fieldsOf(fields["_meta"])["claudeCode"])["parentToolUseId"],
  );
}

export const WORK: readonly Scenario[] = [
  {
    name: "tasks",
    // The usual model of this Claude has no tool for them.
    env: { ANTHROPIC_MODEL: "claude-sonnet-4-5" },
    api: () => [
      callTool("TaskCreate", { subject: "Look", description: "At the weir." }),
      callTool("TaskUpdate", { taskId: "1", status: "in_progress" }),
      callTool("TaskUpdate", { taskId: "1", status: "completed" }),
      "Done.",
    ],
    play: (stage) => stage.prompt("plan it"),
    claims: [
      ["they are a plan", ({ frames }) => countOf(frames, "plan") > 0],
      [
        "with the task's own words, to its end",
        ({ frames }) => plansIn(frames).at(-1) === "Look: completed",
      ],
    ],
  },
  {
    name: "an agent that its call waits for",
    api: () => [
      callTool("Agent", agentInput("find the heron", { run_in_background: false })),
      as("find the heron", callTool("Bash", { command: "echo heron" })),
      as("find the heron", "It is at the weir."),
      "Found.",
    ],
    play: (stage) => stage.prompt("look"),
    claims: [
      [
        "the agent's own call is told",
        ({ frames }) => callsIn(frames).size === 2 && tells(frames, "echo heron"),
      ],
      ["its report is told", ({ frames }) => tells(frames, "It is at the weir.")],
      ["the turn ends", ({ frames }) => endsIn(frames).join() === "end_turn"],
    ],
  },
  {
    name: "an agent of an agent",
    api: () => [
      callTool("Agent", agentInput("find the heron", { run_in_background: false })),
      as("find the heron", callTool("Agent", agentInput("ask the eel", { run_in_background: false }))),
      as("ask the eel", callTool("Bash", { command: "echo eel" })),
      as("ask the eel", "By the sluice."),
      as("find the heron", "The eel has seen it."),
      "Found.",
    ],
    play: (stage) => stage.prompt("look"),
    claims: [
      ["the calls of both are told", ({ frames }) => callsIn(frames).size === 3],
      [
        "each call says of which call it is",
        ({ frames }) => parentsIn(frames).join() === [undefined, ...[...callsIn(frames).keys()].slice(0, 2)].join(),
      ],
      [
        "the reports of both are told",
        ({ frames }) => tells(frames, "By the sluice.") && tells(frames, "The eel has seen it."),
      ],
      [
        "what is above a report for the model is not shown",
        ({ frames }) =>
          [...callsIn(frames).values()].every(
            ({ contents }) => !JSON.stringify(contents).includes("<tools-used"),
          ),
      ],
      [
        "each goes forward to its end",
        ({ frames }) =>
          [...callsIn(frames).values()].every(({ statuses }) => statuses.at(-1) === "completed"),
      ],
    ],
  },
  {
    name: "an agent in the background",
    play: async (stage) => {
      const held = scriptAgent(stage, "Found.");
      const answer = stage.prompt("look");
      await stage.heard("Started.");
      held.release();
      await Promise.all([answer, stage.heard("Found.")]);
    },
    claims: [
      [
        "the answer waits for the turn about its end",
        ({ frames }) => endsIn(frames.slice(-1)).join() === "end_turn",
      ],
      ["its launch text is not shown", ({ frames }) => !tells(frames, LAUNCH_TEXT)],
      ["its report is told", ({ frames }) => tells(frames, "It is at the weir.")],
      ["its call ends", ({ frames }) => firstCall(frames).statuses.at(-1) === "completed"],
    ],
  },
  {
    name: "a prompt while an agent runs",
    play: async (stage) => {
      const held = scriptAgent(stage, "Answered.", "Found.");
      const first = stage.prompt("look");
      await stage.heard("Started.");
      const second = stage.prompt("and now?");
      await stage.heard("Answered.");
      held.release();
      await Promise.all([first, second, stage.heard("Found.")]);
    },
    claims: [
      [
        "both prompts are answered",
        ({ frames }) => endsIn(frames).join() === "end_turn,end_turn",
      ],
      ["its report is told", ({ frames }) => tells(frames, "It is at the weir.")],
      ["its call ends", ({ frames }) => firstCall(frames).statuses.at(-1) === "completed"],
    ],
  },
  {
    name: "a command in the background",
    play: async (stage) => {
      using gate = startGate();
      stage.place.api.script(
        callTool("Bash", { command: commandAt(stage, gate), run_in_background: true }),
        "Started.",
        "It has ended.",
      );
      await stage.prompt("run it");
      gate.open();
      await stage.heard("It has ended.");
      await Bun.sleep(300);
    },
    claims: [
      ["the answer does not wait for it", ({ frames }) => endsIn(frames).join() === "end_turn"],
      [
        "Claude's turn about its end is marked",
        ({ frames }) => marksIn(frames, "trigger").length > 0,
      ],
    ],
  },
];
