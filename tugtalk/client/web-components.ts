/**
 * View models: the data to draw each part of a session, in the terms of a page. Types only; `views/` builds
 * them. An absent field is unknown or does not apply. Protocol reference §18–21.
 */
import type {
  DiffHunk,
  OpenPrompt,
  PromptFields,
  QuestionView,
  ToolName,
} from "./prompt-models.ts";
import type { McpServerStatus, TaskListData } from "./reduced-session.ts";

/** A summary of one session. */
export type SessionState = {
  readonly sessionId: string | undefined;
  /** US dollars. */
  readonly cumulativeCost: number;
  readonly pendingControlRequests: readonly OpenPrompt[];
  readonly activeContentBlocks: readonly ActiveContentBlock[];
  /** Tool name by tool call, of the open turns. */
  readonly toolUseMap: Readonly<Record<string, string>>;
  /** Structured result by tool call, of the open turns. */
  readonly toolUseResultMap: Readonly<Record<string, unknown>>;
  readonly taskList: TaskListData;
  readonly mcpServers: readonly McpServerStatus[];
  readonly currentModel: string | undefined;
  readonly permissionMode: string | undefined;
};

/** A block that is being written. */
export type ActiveContentBlock = {
  readonly msgId: string;
  readonly blockIndex: number;
  readonly kind: "text" | "thinking" | "tool_use";
  readonly text: string;
};

export type SettingsPanelData = {
  readonly model: {
    /** As Claude names it. */
    readonly current: string | undefined;
    /** The `value` of the choice that is in effect. */
    readonly selected: string | undefined;
    readonly available: readonly ModelChoice[];
  };
  readonly permissionMode: {
    readonly current: string | undefined;
    readonly available: readonly ModeChoice[];
  };
  /** `on`, `off`, … */
  readonly fastModeState: string | undefined;
  readonly outputStyle: string | undefined;
  readonly availableOutputStyles: readonly string[];
};

export type ModelChoice = {
  /** The value to send in `model_change`. */
  readonly value: string;
  readonly label: string;
  /** The model that it stands for: `Opus 5.5`. Absent where Claude does not say which that is. */
  readonly name?: string;
  readonly description?: string;
  /** The levels of effort that it has. */
  readonly effortLevels?: readonly string[];
  /** True: it thinks before each answer, and it has no switch for that. */
  readonly alwaysThinks?: boolean;
};

export type ModeChoice = {
  /** The mode to send in `permission_mode`. */
  readonly mode: string;
  readonly label: string;
  readonly description: string;
};

export type HelpPanelData = {
  readonly tools: readonly ToolName[];
  readonly slashCommands: readonly SlashCommandEntry[];
  readonly skills: readonly string[];
  readonly agents: readonly AgentEntry[];
  readonly plugins: readonly string[];
  readonly version: string | undefined;
};

export type AgentEntry = {
  readonly name: string;
  readonly description?: string;
  readonly model?: string;
};

export type KeybindingsConfig = readonly {
  /** As `KeyboardEvent.key` has it, after the modifiers: `Ctrl+k`. */
  readonly key: string;
  readonly action: string;
  /** Where it works: `global`, `composer`, `prompt`. */
  readonly context: string;
  readonly description: string;
}[];

export type ContextGaugeData = {
  readonly model: string | undefined;
  readonly usedTokens: number;
  readonly totalTokens: number;
  /** 0 to 100, rounded to one decimal place. */
  readonly percentage: number;
  readonly categories: readonly ContextCategory[];
};

export type ContextCategory = {
  readonly name: string;
  readonly tokens: number;
  /** `deferred`: loaded when needed; `buffer`: kept free for compaction. */
  readonly kind: "used" | "deferred" | "buffer" | "free";
};

export type CostDisplayData = {
  /** US dollars. */
  readonly totalCostUsd: number;
  /** US dollars; undefined where no baseline is known. */
  readonly perTurnDelta: number | undefined;
  /** The time of the latest turn by the wall clock. */
  readonly durationMs: number | undefined;
  /** The time that the API took since Claude's process started. */
  readonly apiDurationMs: number | undefined;
  /** Since Claude's process started, the most expensive model first. */
  readonly modelUsage: readonly ModelCost[];
};

export type ModelCost = {
  readonly model: string;
  /** US dollars. */
  readonly costUsd: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheCreationTokens: number;
};

export type DiffViewerData = {
  readonly filePath: string;
  readonly structuredPatch: readonly DiffHunk[];
  /** Null for a new file, and where Claude does not send it. */
  readonly originalFile: string | null;
  /** The new text, for a Write or a notebook. */
  readonly newFile: string | undefined;
  readonly editType: "edit" | "create" | "update";
  readonly addedLines: number;
  readonly removedLines: number;
};

/** An MCP server with everything that Claude says of it. */
export type McpServerView = McpServerStatus & {
  readonly toolNames: readonly ToolName[];
  /** Where it is configured: `project`, `user`, `dynamic`, … */
  readonly scope?: string;
  readonly version?: string;
  readonly error?: string;
};

export type QuestionFormData = PromptFields & {
  readonly kind: "question";
  /** Each may also be answered with a text of the person's own. */
  readonly questions: readonly QuestionView[];
};

export type SlashCommandEntry = {
  readonly name: string;
  /** How it is run: by the CLI itself, as a prompt, or as a skill. */
  readonly category: "local" | "agent" | "skill" | undefined;
  readonly description: string | undefined;
  readonly argumentHint: string | undefined;
  readonly aliases: readonly string[];
};

export type SessionManagementData = {
  /** Newest first. */
  readonly sessions: readonly SessionEntry[];
  readonly currentSessionId: string | undefined;
  readonly supportsFork: boolean;
  readonly supportsContinue: boolean;
};

export type SessionEntry = {
  readonly sessionId: string;
  readonly title: string;
  readonly isCurrent: boolean;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly gitBranch?: string;
};
