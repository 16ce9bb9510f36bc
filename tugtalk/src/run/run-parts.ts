/** The parts of one run, and their reports to each other. `Run` decides when they change. */

import type { ClaudeProcess } from "../claude/claude-process-port.ts";
import { ClaudeRequests } from "../claude/claude-requests.ts";
import type { LiveSettings } from "../claude/live-settings.ts";
import { Conversation, type ConversationOptions } from "../conversation/conversation.ts";
import type { ConfiguredOptions } from "../messages/option-defaults.ts";
import { Deadline } from "./deadline.ts";
import { HostProgram } from "./host-program.ts";
import { type InterruptDeps, Interrupts } from "./interrupts.ts";
import { OpenRequests } from "./open-requests.ts";
import { type PromptOptions, Prompts } from "./prompts.ts";
import { type RecallDeps, Recalls } from "./recalls.ts";
import { RunState } from "./run-state.ts";
import { StallDetector, type StallOptions } from "./stall-detector.ts";

export type RunOptions = ConversationOptions &
  Pick<PromptOptions, "clock" | "settledPrompts"> & {
    readonly process: ClaudeProcess;
    readonly settings: LiveSettings;
    readonly options: ConfiguredOptions;
  };

/** The reports of the parts to their run. */
export type PartEvents = Pick<InterruptDeps, "emit" | "onUnresponsive"> &
  Pick<RecallDeps, "onReturned"> &
  Pick<StallOptions, "onStall"> & {
    /** A tool that the host has called has ended. */
    readonly onToolCallEnd: () => void;
    /** Claude has had messages for long, and has confirmed none. */
    readonly onUnconfirmed: () => void;
  };

export type RunParts = {
  readonly settings: LiveSettings;
  readonly conversation: Conversation;
  readonly requests: ClaudeRequests;
  readonly prompts: Prompts;
  readonly program: HostProgram;
  readonly openRequests: OpenRequests;
  readonly state: RunState;
  readonly interrupts: Interrupts;
  readonly recalls: Recalls;
  readonly acceptDeadline: Deadline;
  readonly stallDetector: StallDetector;
};

/** How long an idle Claude may keep a message that it has not confirmed, in ms. It does not report a drop. */
const ACCEPT_TIMEOUT_MS = 30_000;

/** Opens the parts. Nothing is emitted or written yet. */
export function openParts(given: RunOptions, events: PartEvents): RunParts {
  const { clock, options, process, settings } = given;
  const conversation = new Conversation(given);
  const requests = new ClaudeRequests(process, given, {
    onToolCallEnd: events.onToolCallEnd,
    onInterrupt: () => {
      if (program.requests.prepareInterrupt()) interrupts.recordUnsure();
    },
  });
  const state = new RunState(events.emit);
  const shared = { settings, conversation, requests, state };
  const deps = {
    ...events,
    ...shared,
    claude: process,
    turns: conversation.turns,
    onWithdrawn: (claudeId: string) => openRequests.withdraw(claudeId),
  };
  const prompts = new Prompts(given, deps);
  const program = new HostProgram(given, deps);
  const openRequests = new OpenRequests(deps, prompts, program.requests);
  const interrupts = new Interrupts(given, deps);
  const recalls = new Recalls(deps);
  const acceptDeadline = new Deadline(clock, ACCEPT_TIMEOUT_MS, events.onUnconfirmed);
  const stallDetector = new StallDetector({ clock, options, onStall: events.onStall });
  return {
    ...shared,
    prompts,
    program,
    openRequests,
    interrupts,
    recalls,
    acceptDeadline,
    stallDetector,
  };
}
