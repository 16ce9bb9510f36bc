/** Hooks of the host: functions whose answers Claude awaits at certain moments of its work. */
import type { GOING_ON, HookEvent, TAKEN } from "../src/messages/hook-events.ts";

/** The fields of every event. Further ones depend on event and version. */
type AnyInput = Readonly<Record<string, unknown>> & {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly permission_mode?: string;
  /** The working agent. 2.1.38 names it at its own start and end only. */
  readonly agent_id?: string;
  readonly agent_type?: string;
};

type Call = {
  readonly tool_name: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
};

type OfTool = AnyInput & Call;

type OfAgent = AnyInput & { readonly agent_id: string; readonly agent_type: string };

/** Claude's input of a hook, by event. */
export type HookInputs = {
  PreToolUse: OfTool;
  PostToolUse: OfTool & { readonly tool_response: unknown };
  PostToolUseFailure: OfTool & { readonly error: string; readonly is_interrupt?: boolean };
  PostToolBatch: AnyInput & {
    readonly tool_calls: readonly (Call & { readonly tool_response: unknown })[];
  };
  UserPromptSubmit: AnyInput & { readonly prompt: string };
  Stop: AnyInput & {
    readonly stop_hook_active: boolean;
    readonly last_assistant_message?: string;
  };
  StopFailure: AnyInput & { readonly error: string; readonly last_assistant_message?: string };
  SubagentStart: OfAgent;
  SubagentStop: OfAgent & {
    readonly stop_hook_active: boolean;
    readonly agent_transcript_path: string;
    readonly last_assistant_message?: string;
  };
  /** `trigger` is `manual` or `auto`. */
  PreCompact: AnyInput & {
    readonly trigger: string;
    readonly custom_instructions?: string | null;
  };
  PostCompact: AnyInput & { readonly trigger: string; readonly compact_summary: string };
};

export type { HookEvent };

/** The answers that the bridge's table allows for an event. */
type Taken<Event extends HookEvent> = (typeof TAKEN)[Event][number];

type Fields = {
  /** A text for the model beside its input. */
  readonly context?: string;
  /** Ends the turn, with this reason. */
  readonly stop?: string;
  /** The whole input that replaces the tool's. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** The text that the model gets in place of the output. */
  readonly updatedOutput?: unknown;
};

type Undecided = Fields & { readonly decision?: undefined; readonly reason?: undefined };

/**
 * `deny` refuses a tool, a prompt or a compaction (since Claude 2.1.197). A Claude that would stop continues,
 * and gets the reason.
 */
type Decided<Event extends HookEvent> = Fields & {
  readonly decision: Extract<Taken<Event>, "allow" | "deny" | "ask">;
} & (Event extends (typeof GOING_ON)[number]
    ? { readonly reason: string }
    : { readonly reason?: string });

/** The fields that the event allows, and the decision. */
type Of<Event extends HookEvent, Answer> = Pick<
  Answer,
  Extract<Taken<Event> | "decision" | "reason", keyof Answer>
>;

/** The answers of a hook, by event; no answer lets Claude continue. */
export type HookAnswers = {
  [Event in HookEvent]: Of<Event, Undecided> | Of<Event, Decided<Event>>;
};

/** The facts about the request. */
export type HookCall = {
  /** Aborted when Claude does not await the answer any more. */
  readonly signal: AbortSignal;
  readonly tool_use_id?: string | undefined;
  readonly agent_id?: string | undefined;
  /** Absent for work in the background. */
  readonly turn_id?: string | undefined;
};

type Answer<Event extends HookEvent> = HookAnswers[Event] | undefined;

/**
 * Answers Claude. If it throws, the process emits a warning, and a tool or a prompt is refused unless
 * `on_timeout` is `continue`.
 */
export type HookHandler<Event extends HookEvent> = (
  input: HookInputs[Event],
  call: HookCall,
  // biome-ignore lint/suspicious/noConfusingVoidType: a function that returns nothing is a hook too.
) => Answer<Event> | void | Promise<Answer<Event> | void>;

export type Hook<Event extends HookEvent> =
  | HookHandler<Event>
  | {
      /** Selects tools, or other properties of the event. Absent: always. */
      readonly matcher?: string | undefined;
      readonly timeout_ms?: number | undefined;
      readonly on_timeout?: "block" | "continue" | undefined;
      readonly run: HookHandler<Event>;
    };

/** One or several hooks for an event. */
export type Hooks = {
  readonly [Event in HookEvent]?: Hook<Event> | readonly Hook<Event>[] | undefined;
};
