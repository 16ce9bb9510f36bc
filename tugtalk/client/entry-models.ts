/**
 * View models of the transcript as a page draws it: a tree, in which a tool call holds the items of its
 * agent. Types only.
 */

import type { NamedText, ToolName } from "./prompt-models.ts";
import type { BackgroundTask } from "./reduced-session.ts";
import type {
  BlockItem,
  Interlude,
  Notice,
  ToolPermission,
  ToolStatus,
  Turn,
  UnknownItem,
  UserItem,
} from "./transcript-models.ts";
import type { InputPreview } from "./views/tools.ts";
import type { DiffViewerData } from "./web-components.ts";

/** A turn, or the items between two turns. */
export type EntryView =
  | (Omit<Turn, "items" | "agents"> & { readonly nodes: readonly TranscriptNode[] })
  | (Omit<Interlude, "items" | "agents"> & { readonly nodes: readonly TranscriptNode[] });

/** One thing in the transcript. Keys are unique among the nodes of one list. */
export type TranscriptNode = UserItem | BlockItem | ToolView | NoticeView | UnknownItem;

/** A tool call with its result, and with the items of the agent that it started. */
export type ToolView = ToolCallView & { readonly children: readonly TranscriptNode[] };

/** A tool call with its result. */
export type ToolCallView = {
  readonly kind: "tool";
  /** The `tool_use_id`. */
  readonly key: string;
  /** Absent if the call itself was never seen. */
  readonly tool?: ToolName;
  readonly status: ToolStatus;
  /** The subject, on one line: a command, a file, an address. */
  readonly summary?: string;
  /** Its effect. Absent while the input is streaming, and where `diff` shows the change. */
  readonly preview?: InputPreview;
  /** The JSON text that has arrived of an input that is streaming. */
  readonly partialInput?: string;
  readonly output?: ToolOutput;
  /** How a command has failed. */
  readonly exitCode?: number;
  /** Its change to a file. */
  readonly diff?: DiffViewerData;
  /** The questions that a person answered, with the answers. */
  readonly answers?: readonly NamedText[];
  readonly permission?: ToolPermission;
  readonly elapsedSeconds?: number;
  /** The background task that runs it. */
  readonly taskId?: string;
};

export type ToolOutput = {
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly ToolImage[];
};

export type ToolImage = {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
};

export type NoticeView = {
  readonly kind: "notice";
  readonly key: string;
  readonly notice: NoticeData;
};

/** A notice to a person. */
export type NoticeData = {
  readonly kind: Notice["kind"];
  readonly severity: "info" | "warning" | "error";
  /** One short sentence without a full stop. */
  readonly text: string;
  /** More of it, perhaps of many lines, to show on demand. */
  readonly detail?: string;
  /** The report of an agent, as Markdown. */
  readonly report?: string;
  /** When it ends, in milliseconds since 1970. */
  readonly until?: number;
};

/** A subagent, background shell or MCP task. */
export type BackgroundTaskView = Pick<BackgroundTask, ShownOfTask> & {
  readonly kind: "agent" | "shell" | "other";
  readonly title: string;
  /** It can be stopped with `stop_task`. */
  readonly isRunning: boolean;
  /** Its purpose, or how it ended. */
  readonly detail?: string;
};

type ShownOfTask =
  | "taskId"
  | "toolUseId"
  | "status"
  | "isBackgrounded"
  | "totalTokens"
  | "toolUses"
  | "durationMs";
