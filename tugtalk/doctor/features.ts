/**
 * The features that depend on the CLI: as measured on three versions, as inferred from these for others, and
 * as this CLI reports, which takes precedence. Pure. Protocol reference §1, §4c, §10–§19.
 */
import { MEASURED_VERSIONS, type MeasuredVersion } from "../simulator/measured-versions.ts";
import { unsupportedIn } from "../src/messages/control-support.ts";
import type { Feature, FeatureState } from "./report.ts";
import { neighboursOf, supportOf } from "./version-support.ts";

/** The reports of this CLI. */
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

/** The meaning of each state of the feature, and the test for the state of a CLI. */
type Row = Readonly<Partial<Record<FeatureState, string>>> & {
  /** One state for each measured version. */
  readonly measured: readonly FeatureState[];
  readonly reported?: (facts: Facts) => boolean | undefined;
};

const flag = (name: string) => (facts: Facts) => facts.flags?.has(name);

/** The feature is a control request. */
function request(subtype: string): Pick<Row, "measured" | "reported"> {
  return {
    measured: MEASURED_VERSIONS.map((version) =>
      unsupportedIn(subtype, version) === undefined ? "yes" : "no",
    ),
    reported: ({ requests }) => requests.get(subtype),
  };
}

const FEATURES: Readonly<Record<string, Row>> = {
  hook_events: {
    measured: ["no", "yes", "yes"],
    reported: flag("--include-hook-events"),
    yes: "The option `hook_events` reports all hooks.",
    no: "The CLI has no --include-hook-events: it does not start with the option `hook_events`.",
  },
  forward_subagent_text: {
    // A field of `initialize`, which an older CLI ignores; the flag came later.
    measured: ["no", "yes", "yes"],
    yes: "The option `forward_subagent_text` emits the texts of foreground subagents.",
    no: "The option `forward_subagent_text` does nothing.",
  },
  auto_mode: {
    measured: ["no", "yes", "yes"],
    reported: ({ permissionModes }) => permissionModes?.includes("auto"),
    yes: "The permission mode `auto` can be chosen.",
    no: "The CLI does not know the permission mode `auto`.",
  },
  stop_task: {
    ...request("stop_task"),
    yes: "`stop_task` ends a background task.",
    no: "The CLI never answers `stop_task`: tugtalk answers `unsupported`, and the task continues.",
  },
  cancel_message: {
    ...request("cancel_async_message"),
    yes: "A message that Claude has queued can be cancelled.",
    no: "Only a message that tugtalk has queued can be cancelled.",
  },
  background_events: {
    measured: ["no", "partly", "yes"],
    yes: "Background tasks and their list are reported, and their end starts a turn.",
    partly: "Background tasks are reported without a list (`session_state.background_tasks`).",
    no: "Background tasks are not reported, and their end starts no turn.",
  },
  background_by_request: {
    ...request("background_tasks"),
    yes: "A running tool or agent can be moved to the background.",
    no: "The CLI never answers the request to move running work to the background.",
  },
  steer: {
    measured: ["partly", "yes", "yes"],
    yes: "A message sent during a turn joins it after the current tool, or joins the next turn.",
    partly: "A message joins the turn while a tool runs; while text streams it gets its own.",
  },
  message_lifecycle: {
    measured: ["no", "no", "yes"],
    yes: "Claude reports when a message is queued, started and completed.",
    no: "Receipts follow the echo of a message and the end of its turn.",
  },
  interrupt_receipt: {
    measured: ["no", "no", "yes"],
    reported: ({ interruptReceipt }) => interruptReceipt,
    yes: "The answer to an interrupt names the messages that Claude has queued.",
    no: "The answer to an interrupt names only the messages that tugtalk has queued.",
  },
  text_after_interrupt: {
    measured: ["no", "yes", "yes"],
    yes: "Text before an interrupt stays in the conversation.",
    no: "Text before an interrupt is lost: the model does not see it.",
  },
  clear: {
    measured: ["no", "yes", "yes"],
    reported: ({ commands }) => commands?.includes("clear"),
    yes: "/clear starts another session in the same process.",
    no: "The CLI does not know /clear; `session_command{new}` does the same.",
  },
  unknown_commands: {
    measured: ["partly", "yes", "no"],
    yes: "An unknown /command is rejected with a message.",
    partly: "An unknown /command is rejected only in the result of its turn.",
    no: "An unknown /command is a prompt for the model.",
  },
  effort: {
    measured: ["no", "yes", "yes"],
    yes: "The option `effort` takes effect.",
    no: "The CLI ignores the option `effort`.",
  },
  cost_after_resume: {
    measured: ["no", "no", "yes"],
    yes: "The total cost continues after a resume.",
    no: "The total cost starts at 0 again after a resume or a restart.",
  },
  model_after_resume: {
    measured: ["no", "yes", "yes"],
    yes: "A resumed conversation keeps its model.",
    no: "A resumed conversation has the default model unless `protocol_init.model` names one.",
  },
  api_retry_news: {
    measured: ["no", "yes", "yes"],
    yes: "Retries of API calls are reported as `api_retry`.",
    no: "Retries of API calls are not reported.",
  },
  question_annotations: {
    measured: ["no", "yes", "yes"],
    yes: "`question_answer` may carry `annotations` and `response`.",
    no: "The CLI drops `annotations` and `response` of a `question_answer`.",
  },
  structured_output: {
    measured: ["partly", "yes", "yes"],
    yes: "The option `json_schema` gives `structured_output`.",
    partly: "The option `json_schema` works, but a model that never complies is retried endlessly.",
  },
  start_errors: {
    measured: ["partly", "yes", "yes"],
    yes: "A failed start has an error message.",
    partly: "A bad `mcp_config` path or `json_schema` ends the CLI without a message.",
  },
  session_information: {
    ...request("get_settings"),
    yes: "`control` can request settings, usage and context.",
    no: "The CLI never answers requests for settings, usage or context.",
  },
  list_models: {
    ...request("list_models"),
    yes: "`control` can request the models at any time.",
    no: "The models are in `session_capabilities` only.",
  },
};

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
  return Object.entries(FEATURES).map(([name, row]) => {
    const reported = row.reported?.(facts);
    const measured = measuredState(row, facts.version);
    // Claude reports that it has a feature; only the measurement shows how the feature differs.
    const isRefined = reported === true && measured === "partly";
    const works = reported === undefined || isRefined ? measured : reported ? "yes" : "no";
    const known_by = reported === undefined ? sourceOf(works, facts.version) : "claude";
    const note = row[works] ?? "This version was not measured, and the CLI does not report it.";
    return { name, works, known_by, note };
  });
}

function sourceOf(works: FeatureState, version: string | undefined): Feature["known_by"] {
  if (works === "unknown" || version === undefined) return "nothing";
  return supportOf(version) === "measured" ? "measurement" : "inference";
}

/** As in the last measured version up to this one; unknown if the next measured one differs. */
function measuredState({ measured }: Row, version: string | undefined): FeatureState {
  if (version === undefined) return "unknown";
  const { before, after = before } = neighboursOf(version);
  const stateIn = (other: MeasuredVersion | undefined): FeatureState =>
    (other && measured[MEASURED_VERSIONS.indexOf(other)]) ?? "unknown";
  return stateIn(before) === stateIn(after) ? stateIn(before) : "unknown";
}
