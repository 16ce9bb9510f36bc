/** `tugtalk/client`: everything for a frontend that needs neither Bun nor Node, so for a browser too. */

export type { CommandFields } from "../host/fields/command-fields.ts";
export type { InboundMessage, OutboundMessage } from "../src/types.ts";
export {
  type Answers,
  acceptElicitation,
  allow,
  answerQuestions,
  completeDialog,
  type DialogRequest,
  deny,
  type ElicitationRequest,
  isPrompt,
  type PermissionRequest,
  type PromptRequest,
  refuse,
} from "./answers.ts";
export type { CommandAnswers } from "./command-answers.ts";
export type { CommandArguments, SessionArguments, SessionCommand } from "./command-arguments.ts";
export type {
  BackgroundTaskView,
  EntryView,
  NoticeData,
  NoticeView,
  ToolImage,
  ToolOutput,
  ToolView,
  TranscriptNode,
} from "./entry-models.ts";
export { type EntryPage, entriesBefore, latestEntries, prependEntries } from "./entry-pages.ts";
export { entriesOfHistory, type HistoryPage } from "./history-entries.ts";
export type {
  CostDay,
  Cursor,
  DailyCosts,
  FileMatch,
  FolderConfig,
  FolderFindings,
  FolderList,
  HostErrorBody,
  MessageReceipt,
  PendingPrompt,
  QueuedMessageInfo,
  ResumeVerdict,
  ReturnedMessage,
  SearchHit,
  SessionInfo,
  SessionSnapshot,
  SnapshotPart,
  UntrustedFolder,
  Withdrawn,
} from "./host-api.ts";
export { type HostClient, type HostClientOptions, openHostClient } from "./host-client.ts";
export { HOST_ROUTES, type HostCommand, type HostRoute } from "./host-routes.ts";
export { parse } from "./parse.ts";
export type {
  DialogData,
  DialogPrompt,
  DiffHunk,
  ElicitationFormData,
  ElicitationPrompt,
  FormField,
  NamedText,
  OpenPrompt,
  PermissionPrompt,
  PlanApproval,
  PlanCardData,
  QuestionOption,
  QuestionPrompt,
  QuestionView,
  SuggestionView,
  ToolName,
} from "./prompt-models.ts";
export { initialSession, reduceSession } from "./reduce-session.ts";
export type {
  AppliedMessages,
  BackgroundTask,
  McpServerStatus,
  QueuedMessage,
  ReducedSession,
  SessionCost,
  TaskItem,
  TaskListData,
} from "./reduced-session.ts";
export type { RewindPreview, RewoundFiles } from "./rewind-models.ts";
export type { HostEvent, HostFrame, SessionInput } from "./session-input.ts";
export type { AllSessions } from "./stores/all-sessions.ts";
export type { SessionPrompt } from "./stores/session-prompt.ts";
export type { FollowedSession, SessionStore } from "./stores/session-store.ts";
export type { Schedule, Store } from "./stores/shared-store.ts";
export type {
  BlockItem,
  Interlude,
  Notice,
  NoticeItem,
  ToolItem,
  ToolPermission,
  ToolStatus,
  TranscriptEntry,
  TranscriptItem,
  Turn,
  TurnCost,
  TurnEnd,
  UnknownItem,
  UserItem,
} from "./transcript-models.ts";
export { openHttpTransport } from "./transports/http-transport.ts";
export {
  ALL_SESSIONS,
  CommandError,
  type HostAddress,
  type SubscribeOptions,
  type Transport,
  type TransportStatus,
} from "./transports/transport.ts";
export { openWebSocketTransport } from "./transports/web-socket-transport.ts";
export { viewBackgroundTasks } from "./views/background-task-view.ts";
export { viewCommands } from "./views/command-view.ts";
export { viewContext } from "./views/context-view.ts";
export { viewCost } from "./views/cost-view.ts";
export { viewDiff } from "./views/diff-view.ts";
export { viewEntry } from "./views/entry-view.ts";
export { viewFormFields } from "./views/form-fields.ts";
export { viewHelp } from "./views/help-view.ts";
export { viewInput } from "./views/input-preview.ts";
export { KEYBINDINGS } from "./views/keybindings.ts";
export { viewMcpServers } from "./views/mcp-view.ts";
export { viewNotice } from "./views/notice-view.ts";
export { viewMode } from "./views/permission-modes.ts";
export { type PermissionDialogData, type PromptView, viewPrompt } from "./views/prompt-view.ts";
export { viewQuestions } from "./views/question-view.ts";
export { viewSession, viewSessions } from "./views/session-view.ts";
export { viewSettings } from "./views/settings-view.ts";
export { viewSuggestion } from "./views/suggestion-view.ts";
export { viewToolName } from "./views/tool-name.ts";
export type { InputBody, InputPreview } from "./views/tools.ts";
export { showHidden } from "./views/visible-text.ts";
export {
  viewWorkspaceDiff,
  type WorkspaceDiff,
  type WorkspaceFile,
} from "./views/workspace-diff-view.ts";
export type {
  ActiveContentBlock,
  AgentEntry,
  ContextCategory,
  ContextGaugeData,
  CostDisplayData,
  DiffViewerData,
  HelpPanelData,
  KeybindingsConfig,
  McpServerView,
  ModeChoice,
  ModelChoice,
  ModelCost,
  QuestionFormData,
  SessionEntry,
  SessionManagementData,
  SessionState,
  SettingsPanelData,
  SlashCommandEntry,
} from "./web-components.ts";
