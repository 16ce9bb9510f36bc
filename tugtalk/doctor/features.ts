/**
 * The features that depend on the CLI: as measured on three versions, as inferred from these for others, and
 * as this CLI reports, which takes precedence. Pure. Protocol reference §1, §4c, §10–§19.
 */
import { MEASURED_VERSIONS } from "../simulator/measured-versions.ts";
import { compareVersions } from "../src/base/versions.ts";
import type { Feature, FeatureState } from "./report.ts";
import { supportOf } from "./version-support.ts";

/** What this CLI reported. */
export type Facts = {
  readonly version?: string | undefined;
  /** The flags that `--help` lists. */
  readonly flags?: ReadonlySet<string> | undefined;
  readonly permissionModes?: readonly string[] | undefined;
  /** The names and aliases of its commands. */
  readonly commands?: readonly string[] | undefined;
  /** Whether it knows each control request that it was sent. No answer means no. */
  readonly requests: ReadonlyMap<string, boolean>;
  /** Whether the answer to an interrupt has a receipt. */
  readonly interruptReceipt?: boolean | undefined;
};

type Row = {
  readonly name: string;
  /** One state for each measured version. */
  readonly measured: readonly [FeatureState, FeatureState, FeatureState];
  readonly reported?: (facts: Facts) => boolean | undefined;
  readonly notes: Readonly<Partial<Record<FeatureState, string>>>;
};

const request = (subtype: string) => (facts: Facts) => facts.requests.get(subtype);
const flag = (name: string) => (facts: Facts) => facts.flags?.has(name);

const ROWS: readonly Row[] = [
  {
    name: "hook_events",
    measured: ["no", "yes", "yes"],
    reported: flag("--include-hook-events"),
    notes: {
      yes: "The option `hook_events` reports all hooks.",
      no: "The CLI has no --include-hook-events: it does not start with the option `hook_events`.",
    },
  },
  {
    name: "forward_subagent_text",
    // A field of `initialize`, which an older CLI ignores; the flag came later.
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "The option `forward_subagent_text` emits the texts of foreground subagents.",
      no: "The option `forward_subagent_text` does nothing.",
    },
  },
  {
    name: "auto_mode",
    measured: ["no", "yes", "yes"],
    reported: ({ permissionModes }) => permissionModes?.includes("auto"),
    notes: {
      yes: "The permission mode `auto` can be chosen.",
      no: "The CLI does not know the permission mode `auto`.",
    },
  },
  {
    name: "stop_task",
    measured: ["no", "yes", "yes"],
    reported: request("stop_task"),
    notes: {
      yes: "`stop_task` ends a background task.",
      no: "The CLI never answers `stop_task`: tugtalk answers `unsupported`, and the task continues.",
    },
  },
  {
    name: "cancel_message",
    measured: ["no", "yes", "yes"],
    reported: request("cancel_async_message"),
    notes: {
      yes: "A message that Claude has queued can be cancelled.",
      no: "Only a message that tugtalk has queued can be cancelled.",
    },
  },
  {
    name: "background_events",
    measured: ["no", "partly", "yes"],
    notes: {
      yes: "Background tasks and their list are reported, and their end starts a turn.",
      partly: "Background tasks are reported without a list (`session_state.background_tasks`).",
      no: "Background tasks are not reported, and their end starts no turn.",
    },
  },
  {
    name: "background_by_request",
    measured: ["no", "yes", "yes"],
    reported: request("background_tasks"),
    notes: {
      yes: "A running tool or agent can be moved to the background.",
      no: "The CLI never answers the request to move running work to the background.",
    },
  },
  {
    name: "steer",
    measured: ["partly", "yes", "yes"],
    notes: {
      yes: "A message sent during a turn joins it after the current tool, or joins the next turn.",
      partly: "A message joins the turn while a tool runs; while text streams it gets its own.",
    },
  },
  {
    name: "message_lifecycle",
    measured: ["no", "no", "yes"],
    notes: {
      yes: "Claude reports when a message is queued, started and completed.",
      no: "Receipts follow the echo of a message and the end of its turn.",
    },
  },
  {
    name: "interrupt_receipt",
    measured: ["no", "no", "yes"],
    reported: ({ interruptReceipt }) => interruptReceipt,
    notes: {
      yes: "The answer to an interrupt names the messages that Claude has queued.",
      no: "The answer to an interrupt names only the messages that tugtalk has queued.",
    },
  },
  {
    name: "text_after_interrupt",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "Text before an interrupt stays in the conversation.",
      no: "Text before an interrupt is lost: the model does not see it.",
    },
  },
  {
    name: "clear",
    measured: ["no", "yes", "yes"],
    reported: ({ commands }) => commands?.includes("clear"),
    notes: {
      yes: "/clear starts another session in the same process.",
      no: "The CLI does not know /clear; `session_command{new}` does the same.",
    },
  },
  {
    name: "unknown_commands",
    measured: ["partly", "yes", "no"],
    notes: {
      yes: "An unknown /command is rejected with a message.",
      partly: "An unknown /command is rejected only in the result of its turn.",
      no: "An unknown /command is a prompt for the model.",
    },
  },
  {
    name: "effort",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "The option `effort` takes effect.",
      no: "The CLI ignores the option `effort`.",
    },
  },
  {
    name: "cost_after_resume",
    measured: ["no", "no", "yes"],
    notes: {
      yes: "The total cost continues after a resume.",
      no: "The total cost starts at 0 again after a resume or a restart.",
    },
  },
  {
    name: "model_after_resume",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "A resumed conversation keeps its model.",
      no: "A resumed conversation has the default model unless `protocol_init.model` names one.",
    },
  },
  {
    name: "api_retry_news",
    measured: ["no", "yes", "yes"],
    notes: {
      yes: "Retries of API calls are reported as `api_retry`.",
      no: "Retries of API calls are not reported.",
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
        "The option `json_schema` works, but a model that never complies is retried endlessly.",
    },
  },
  {
    name: "start_errors",
    measured: ["partly", "yes", "yes"],
    notes: {
      yes: "A failed start has an error message.",
      partly: "A bad `mcp_config` path or `json_schema` ends the CLI without a message.",
    },
  },
  {
    name: "session_information",
    measured: ["no", "yes", "yes"],
    reported: request("get_settings"),
    notes: {
      yes: "`control` can request settings, usage and context.",
      no: "The CLI never answers requests for settings, usage or context.",
    },
  },
  {
    name: "list_models",
    measured: ["no", "no", "yes"],
    reported: request("list_models"),
    notes: {
      yes: "`control` can request the models at any time.",
      no: "The models are in `session_capabilities` only.",
    },
  },
];

/** The control requests that detect features; harmless in an empty home. */
export const REQUESTS: readonly { readonly subtype: string; readonly [field: string]: unknown }[] =
  [
    { subtype: "stop_task", task_id: "none" },
    { subtype: "cancel_async_message", message_uuid: "00000000-0000-4000-8000-000000000000" },
    { subtype: "background_tasks" },
    { subtype: "get_settings" },
    { subtype: "list_models" },
    { subtype: "interrupt" },
  ];

/** Every feature with its state on this CLI, and the source of that. */
export function judgeFeatures(facts: Facts): Feature[] {
  return ROWS.map((row) => {
    const reported = row.reported?.(facts);
    const measured = measuredState(row, facts.version);
    // Claude reports that it has a feature; only the measurement knows in what it differs.
    const isRefined = reported === true && measured === "partly";
    const works = reported === undefined || isRefined ? measured : reported ? "yes" : "no";
    const known_by = reported === undefined ? sourceOf(works, facts.version) : "claude";
    return { name: row.name, works, known_by, note: noteOf(row, works) };
  });
}

function sourceOf(works: FeatureState, version: string | undefined): Feature["known_by"] {
  if (works === "unknown" || version === undefined) return "nothing";
  return supportOf(version) === "measured" ? "measurement" : "inference";
}

/** As in the last measured version up to this one; unknown if the next measured one differs. */
function measuredState({ measured }: Row, version: string | undefined): FeatureState {
  if (version === undefined) return "unknown";
  const after = MEASURED_VERSIONS.findIndex((other) => compareVersions(version, other) < 0);
  if (after === 0) return "unknown";
  const last = after === -1 ? MEASURED_VERSIONS.length - 1 : after - 1;
  const state = measured[last] ?? "unknown";
  const isBetween = after !== -1 && version !== MEASURED_VERSIONS[last];
  return isBetween && measured[after] !== state ? "unknown" : state;
}

function noteOf({ notes }: Row, works: FeatureState): string {
  return notes[works] ?? "This version was not measured, and the CLI does not report it.";
}

export const FEATURE_NAMES: readonly string[] = ROWS.map(({ name }) => name);
