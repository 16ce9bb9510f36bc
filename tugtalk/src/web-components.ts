/**
 * View models: what a page needs to draw each part of a session, in the page's own terms. Types
 * only; building them from outbound messages is the client's work. Protocol reference §18–21; T03.
 */
import type {
  AskUserQuestionInput,
  ModelUsage,
  PermissionSuggestion,
  StructuredPatchHunk,
} from "./protocol-types.ts";

/** Everything a page keeps of one session. */
export type SessionState = {
  readonly sessionId: string | undefined;
  /** US dollars. */
  readonly cumulativeCost: number;
  readonly pendingControlRequests: readonly OpenPrompt[];
  readonly activeContentBlocks: readonly ActiveContentBlock[];
  /** Tool name by tool call. */
  readonly toolUseMap: Readonly<Record<string, string>>;
  /** Structured result by tool call. */
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
  readonly model: { readonly current: string | undefined; readonly available: readonly string[] };
  readonly permissionMode: { readonly current: string; readonly available: readonly string[] };
  readonly fastModeState: string | undefined;
  readonly outputStyle: string | undefined;
};

export type HelpPanelData = {
  readonly tools: readonly string[];
  readonly slashCommands: readonly SlashCommandEntry[];
  readonly skills: readonly string[];
  readonly agents: readonly string[];
  readonly plugins: readonly string[];
  readonly version: string | undefined;
};

export type KeybindingsConfig = readonly {
  readonly key: string;
  readonly action: string;
  readonly context: string;
}[];

export type ContextGaugeData = {
  readonly model: string | undefined;
  readonly usedTokens: number;
  readonly totalTokens: number;
  /** 0 to 100. */
  readonly percentage: number;
  readonly categories: readonly { readonly name: string; readonly tokens: number }[];
};

export type CostDisplayData = {
  /** US dollars. */
  readonly totalCostUsd: number;
  /** US dollars; undefined where no baseline is known. */
  readonly perTurnDelta: number | undefined;
  readonly durationMs: number;
  readonly modelUsage: Readonly<Record<string, ModelUsage>>;
};

export type DiffViewerData = {
  readonly filePath: string;
  readonly structuredPatch: readonly StructuredPatchHunk[];
  readonly originalFile: string | null;
  readonly newFile: string | undefined;
  readonly editType: "edit" | "create" | "update";
};

export type TaskItem = {
  readonly id: string;
  readonly subject: string;
  readonly description: string | undefined;
  readonly activeForm: string | undefined;
  readonly status: string;
  readonly owner: string | undefined;
  readonly blockedBy: readonly string[];
};

export type TaskListData = {
  readonly tasks: readonly TaskItem[];
  readonly activeTaskId: string | undefined;
};

export type McpServerStatus = {
  readonly name: string;
  readonly status: string;
  readonly tools: readonly string[];
};

/** A prompt that waits for a person. */
export type OpenPrompt =
  | PermissionDialogData
  | QuestionFormData
  | ElicitationFormData
  | DialogPromptData;

type PromptFields = {
  readonly requestId: string;
  /** Absent for a prompt of background work. */
  readonly turnId?: string;
  /** The tool call of the agent that asks; absent for the main conversation. */
  readonly parentToolUseId?: string;
  readonly toolUseId?: string;
  /** Milliseconds since 1970, if a host gives it. */
  readonly createdAt?: number;
};

export type PermissionDialogData = PromptFields & {
  readonly kind: "permission";
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly decisionReason: string | undefined;
  readonly blockedPath: string | undefined;
  /** As Claude sent them; those that a person accepts go back in `updatedPermissions`. */
  readonly permissionSuggestions: readonly PermissionSuggestion[];
};

export type QuestionFormData = PromptFields & {
  readonly kind: "question";
  readonly questions: AskUserQuestionInput["questions"];
};

/** A form of an MCP server, or a page of it to visit. */
export type ElicitationFormData = PromptFields & {
  readonly kind: "elicitation";
  readonly serverName: string;
  readonly message: string;
  readonly url?: string;
  /** JSON schema of the content to answer with. */
  readonly requestedSchema?: Readonly<Record<string, unknown>>;
};

/** A dialog of a kind that the host declared. */
export type DialogPromptData = PromptFields & {
  readonly kind: "dialog";
  readonly dialogKind: string;
  readonly payload: Readonly<Record<string, unknown>>;
};

export type SlashCommandEntry = {
  readonly name: string;
  readonly category: "local" | "agent" | "skill";
  readonly description: string | undefined;
};

export type SessionManagementData = {
  readonly sessions: readonly { readonly sessionId: string; readonly title: string }[];
  readonly currentSessionId: string | undefined;
  readonly supportsFork: boolean;
  readonly supportsContinue: boolean;
};
