/**
 * The scenarios: conversations for builders of frontends, each with things to draw. Each is a file in
 * `scenarios/`, whose first line is a note with its content and the texts to type.
 */
import { z } from "zod";
import background from "./scenarios/background.jsonl" with { type: "text" };
import compaction from "./scenarios/compaction.jsonl" with { type: "text" };
import conversation from "./scenarios/conversation.jsonl" with { type: "text" };
import crash from "./scenarios/crash.jsonl" with { type: "text" };
import demonstration from "./scenarios/demonstration.jsonl" with { type: "text" };
import dialog from "./scenarios/dialog.jsonl" with { type: "text" };
import diffs from "./scenarios/diffs.jsonl" with { type: "text" };
import errors from "./scenarios/errors.jsonl" with { type: "text" };
import fallback from "./scenarios/fallback.jsonl" with { type: "text" };
import forms from "./scenarios/forms.jsonl" with { type: "text" };
import history from "./scenarios/history.jsonl" with { type: "text" };
import hooks from "./scenarios/hooks.jsonl" with { type: "text" };
import hostTools from "./scenarios/host-tools.jsonl" with { type: "text" };
import images from "./scenarios/images.jsonl" with { type: "text" };
import mcp from "./scenarios/mcp.jsonl" with { type: "text" };
import permissions from "./scenarios/permissions.jsonl" with { type: "text" };
import plan from "./scenarios/plan.jsonl" with { type: "text" };
import protocol from "./scenarios/protocol.jsonl" with { type: "text" };
import questions from "./scenarios/questions.jsonl" with { type: "text" };
import shell from "./scenarios/shell.jsonl" with { type: "text" };
import slow from "./scenarios/slow.jsonl" with { type: "text" };
import startFailure from "./scenarios/start-failure.jsonl" with { type: "text" };
import streaming from "./scenarios/streaming.jsonl" with { type: "text" };
import subagents from "./scenarios/subagents.jsonl" with { type: "text" };
import tasks from "./scenarios/tasks.jsonl" with { type: "text" };
import unknown from "./scenarios/unknown.jsonl" with { type: "text" };

const TEXTS: Readonly<Record<string, string>> = {
  demonstration,
  conversation,
  history,
  streaming,
  permissions,
  questions,
  plan,
  forms,
  dialog,
  diffs,
  shell,
  images,
  tasks,
  subagents,
  background,
  mcp,
  hooks,
  "host-tools": hostTools,
  errors,
  fallback,
  compaction,
  slow,
  crash,
  "start-failure": startFailure,
  unknown,
  protocol,
};

/** The scenario that is played by default. */
export const DEFAULT_SCENARIO = "demonstration";

/** The summary in the first line of a scenario. */
const Summary = z.object({
  dir: z.literal("note"),
  msg: z.object({ shows: z.string(), type: z.string() }),
});

export type Scenario = {
  readonly name: string;
  readonly shows: string;
  /** The texts to type, turn by turn. */
  readonly type: string;
};

/** All scenarios, the default first. */
export function listScenarios(): readonly Scenario[] {
  return Object.entries(TEXTS).map(([name, text]) => {
    const [first = ""] = text.split("\n", 1);
    const { shows, type } = Summary.parse(JSON.parse(first)).msg;
    return { name, shows, type };
  });
}

/** The conversation file of a scenario. Throws with the list of names for an unknown one. */
export function scenarioText(name: string): string {
  const text = Object.hasOwn(TEXTS, name) ? TEXTS[name] : undefined;
  if (text !== undefined) return text;
  throw new Error(`no scenario "${name}"; there are ${Object.keys(TEXTS).join(", ")}`);
}
