/**
 * What depends on the CLI, feature by feature: what was measured on three versions, and what this CLI
 * says itself, which counts for more. Pure. Protocol reference §1, §4c, §10–§19.
 */
import { compareVersions } from "../src/base/versions.ts";
import type { Feature, FeatureState } from "./report.ts";

/** What this CLI told; what it did not tell is absent. */
export type Facts = {
  readonly version?: string | undefined;
  /** The flags that `--help` lists. */
  readonly flags?: ReadonlySet<string> | undefined;
  readonly permissionModes?: readonly string[] | undefined;
  /** The names and aliases of its commands. */
  readonly commands?: readonly string[] | undefined;
  /** Control requests that it was sent, and whether it takes them. Silence is a no. */
  readonly requests: ReadonlyMap<string, boolean>;
  /** The answer to an interrupt while nothing ran. */
  readonly interruptReceipt?: boolean | undefined;
};

/** The versions that were measured, oldest first. */
const MEASURED = ["2.1.38", "2.1.197", "2.1.330"] as const;

type Row = {
  readonly name: string;
  /** One state for each measured version. */
  readonly measured: readonly [FeatureState, FeatureState, FeatureState];
  readonly asked?: (facts: Facts) => boolean | undefined;
  readonly notes: Readonly<Partial<Record<FeatureState, string>>>;
};

const request = (subtype: string) => (facts: Facts) => facts.requests.get(subtype);
const flag = (name: string) => (facts: Facts) => facts.flags?.has(name);

const ROWS: readonly Row[] = [
  {
    name: "hook_events",
    measured: ["no", "yes", "yes"],
    asked: flag("--include-hook-events"),
    notes: {
      yes: "The option `hook_events` tells of all hooks.",
      no: "The CLI has no --include-hook-events: with the option `hook_events` it does not start.",
    },
  },
  {
    name: "forward_subagent_text",
    // Asked for in `initialize`, which an older CLI ignores without a word; the flag came later.
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "The option `forward_subagent_text` tells the texts of foreground subagents.",
      no: "The texts of foreground subagents stay untold; the option `forward_subagent_text` does nothing.",
    },
  },
  {
    name: "auto_mode",
    measured: ["no", "yes", "yes"],
    asked: ({ permissionModes }) => permissionModes?.includes("auto"),
    notes: {
      yes: "The permission mode `auto` can be chosen.",
      no: "The CLI does not know the permission mode `auto`.",
    },
  },
  {
    name: "stop_task",
    measured: ["no", "yes", "yes"],
    asked: request("stop_task"),
    notes: {
      yes: "`stop_task` ends a task in the background.",
      no: "The CLI never answers `stop_task`: tugtalk answers `unsupported` for it, and the task runs on.",
    },
  },
  {
    name: "cancel_message",
    measured: ["no", "yes", "yes"],
    asked: request("cancel_async_message"),
    notes: {
      yes: "A message that was handed over and has not begun can be taken back.",
      no: "The CLI never answers a withdrawal: only messages that tugtalk still holds can be taken back.",
    },
  },
  {
    name: "background_events",
    measured: ["no", "partly", "yes"],
    notes: {
      yes: "Tasks in the background are told of, their list too, and their end starts a turn.",
      partly:
        "Tasks in the background are told of one by one; the CLI gives no list, so `session_state.background_tasks` is absent.",
      no: "The CLI says nothing of tasks in the background, and their end starts no turn.",
    },
  },
  {
    name: "background_by_request",
    measured: ["no", "yes", "yes"],
    asked: request("background_tasks"),
    notes: {
      yes: "Running work can be sent to the background.",
      no: "The CLI never answers the request to send running work to the background.",
    },
  },
  {
    name: "steer",
    measured: ["partly", "yes", "yes"],
    notes: {
      yes: "A message sent while Claude works joins the running turn after the tool in hand, or the next turn with the others.",
      partly:
        "A message sent while a tool runs joins the turn; one sent while text streams gets a turn of its own.",
    },
  },
  {
    name: "message_lifecycle",
    measured: ["no", "no", "yes"],
    notes: {
      yes: "Claude itself tells when a message is queued, begun and done.",
      no: "Claude does not tell when a message begins: receipts follow its echo and the turn's end.",
    },
  },
  {
    name: "interrupt_receipt",
    measured: ["no", "no", "yes"],
    asked: ({ interruptReceipt }) => interruptReceipt,
    notes: {
      yes: "An interrupt is answered with what is still queued at Claude.",
      no: "An interrupt is only acknowledged: `still_queued` names what tugtalk itself holds.",
    },
  },
  {
    name: "text_after_interrupt",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "The words before an interrupt stay in the conversation.",
      no: "The words before an interrupt are lost: the model does not remember them.",
    },
  },
  {
    name: "clear",
    measured: ["no", "yes", "yes"],
    asked: ({ commands }) => commands?.includes("clear"),
    notes: {
      yes: "/clear begins another session in the same process.",
      no: "The CLI does not know /clear; `session_command{new}` does the same.",
    },
  },
  {
    name: "unknown_commands",
    measured: ["partly", "yes", "no"],
    notes: {
      yes: "An unknown /command is refused with words.",
      partly: "An unknown /command is refused in the result of its turn only.",
      no: "An unknown /command is not refused: the model gets it as a prompt.",
    },
  },
  {
    name: "effort",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "The option `effort` is obeyed.",
      no: "The CLI takes the option `effort` and ignores it.",
    },
  },
  {
    name: "cost_after_resume",
    measured: ["no", "no", "yes"],
    notes: {
      yes: "The total cost goes on after a resume.",
      no: "The total cost starts at 0 again after a resume or a restart.",
    },
  },
  {
    name: "model_after_resume",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "A resumed conversation keeps its model.",
      no: "A resumed conversation gets the default model unless `protocol_init.model` names one.",
    },
  },
  {
    name: "api_retry_news",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "Repeated calls of the API are told as `api_retry`.",
      no: "Calls of the API are repeated in silence.",
    },
  },
  {
    name: "question_annotations",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "`question_answer` may carry `annotations` and `response`.",
      no: "The CLI drops `annotations` and `response` of a `question_answer`.",
    },
  },
  {
    name: "structured_output",
    measured: ["partly", "yes", "yes"],
    notes: {
      yes: "The option `json_schema` gives `structured_output`.",
      partly:
        "The option `json_schema` works, but a model that never gives the answer is asked for ever.",
    },
  },
  {
    name: "start_errors",
    measured: ["partly", "yes", "yes"],
    notes: {
      yes: "A start that fails is explained.",
      partly: "A bad `mcp_config` path or `json_schema` ends the CLI without a word.",
    },
  },
  {
    name: "session_information",
    measured: ["no", "yes", "yes"],
    asked: request("get_settings"),
    notes: {
      yes: "Settings, usage and context can be asked for by `control`.",
      no: "The CLI never answers requests for settings, usage or context.",
    },
  },
  {
    name: "list_models",
    measured: ["no", "no", "yes"],
    asked: request("list_models"),
    notes: {
      yes: "The models can be asked for again at any time.",
      no: "The models are told once, in `session_capabilities`.",
    },
  },
];

/** The requests that are sent to learn of features; harmless in an empty home. */
export const QUESTIONS: readonly { readonly subtype: string; readonly [field: string]: unknown }[] =
  [
    { subtype: "stop_task", task_id: "none" },
    { subtype: "cancel_async_message", message_uuid: "00000000-0000-4000-8000-000000000000" },
    { subtype: "background_tasks" },
    { subtype: "get_settings" },
    { subtype: "list_models" },
    { subtype: "interrupt" },
  ];

/** Every feature with its state on this CLI, and how that is known. */
export function judgeFeatures(facts: Facts): Feature[] {
  return ROWS.map((row) => {
    const emitted = row.asked?.(facts);
    const measured = measuredState(row, facts.version);
    // Claude says that it has a thing; in what it differs only the measurement knows.
    const isRefined = emitted === true && measured === "partly";
    const works = emitted === undefined || isRefined ? measured : emitted ? "yes" : "no";
    const known_by =
      emitted !== undefined ? "claude" : works === "unknown" ? "nothing" : "measurement";
    return { name: row.name, works, known_by, note: noteOf(row, works) };
  });
}

/** As the newest measured version that is not newer; unknown where that changed before the next one. */
function measuredState({ measured }: Row, version: string | undefined): FeatureState {
  if (version === undefined) return "unknown";
  const after = MEASURED.findIndex((other) => compareVersions(version, other) < 0);
  if (after === 0) return "unknown";
  const last = after === -1 ? MEASURED.length - 1 : after - 1;
  const state = measured[last] ?? "unknown";
  const isBetween = after !== -1 && version !== MEASURED[last];
  return isBetween && measured[after] !== state ? "unknown" : state;
}

function noteOf({ notes }: Row, works: FeatureState): string {
  return notes[works] ?? "This version was not measured, and the CLI does not tell.";
}

/** The names of all rows. */
export const FEATURE_NAMES: readonly string[] = ROWS.map(({ name }) => name);
