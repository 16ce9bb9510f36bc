/**
 * The view models of a page (T03): each exists, compiles, and can be filled from outbound messages. The
 * compiler checks the types here; the values come from recorded lines.
 */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { captured, capturedMessage } from "../../../testing/captures/captured-line.ts";
import { AskUserQuestionInput, EditToolResult } from "../../protocol-types.ts";
import { routeTopLevelEvent } from "../../session.ts";
import type { CostUpdate } from "../../types.ts";
import type {
  ContextGaugeData,
  CostDisplayData,
  DiffViewerData,
  HelpPanelData,
  KeybindingsConfig,
  McpServerStatus,
  PermissionDialogData,
  QuestionFormData,
  SessionManagementData,
  SessionState,
  SettingsPanelData,
  SlashCommandEntry,
  TaskItem,
  TaskListData,
} from "../../web-components.ts";
import type { SystemMetadata } from "../session-messages.ts";

type Fields = Readonly<Record<string, unknown>>;

const SOURCE = readFileSync(join(import.meta.dir, "..", "..", "web-components.ts"), "utf8");
const PLANNED = [
  "ContextGaugeData",
  "CostDisplayData",
  "DiffViewerData",
  "HelpPanelData",
  "KeybindingsConfig",
  "McpServerStatus",
  "PermissionDialogData",
  "QuestionFormData",
  "SessionManagementData",
  "SessionState",
  "SettingsPanelData",
  "SlashCommandEntry",
  "TaskItem",
  "TaskListData",
];

test("web-components.ts exports every interface that the plan names", () => {
  const exported = [...SOURCE.matchAll(/^export type (\w+)/gm)].map(([, name]) => name);
  expect(exported).toEqual(expect.arrayContaining(PLANNED));
});

test("web-components.ts compiles to no code", () => {
  const code = new Bun.Transpiler({ loader: "ts" }).transformSync(SOURCE);
  expect(code.replace(/export\s*\{\s*\};?/, "").trim()).toBe("");
});

const [initMessage] = routeTopLevelEvent(capturedMessage("init 330", "system")).messages;
const init = initMessage as SystemMetadata;
const TURN = { turn_id: "t", message_ids: [], trigger: "user", isInterrupted: false } as const;
const [costMessage] = routeTopLevelEvent(capturedMessage("result success 330", "result"), {
  turn: TURN,
}).messages;
const cost = costMessage as CostUpdate;
const edit = EditToolResult.parse(captured("edit result")["tool_use_result"]);
const prompt = captured("can_use_tool 330") as { request_id: string; request: Fields };
const asked = captured("question 330") as { request_id: string; request: Fields };

const model = Object.keys(cost.modelUsage ?? {})[0] ?? "";
const window = cost.modelUsage?.[model]?.contextWindow ?? 0;

const costDisplay: CostDisplayData = {
  totalCostUsd: cost.total_cost_usd ?? 0,
  perTurnDelta: cost.turn_cost_usd,
  durationMs: cost.duration_ms ?? 0,
  modelUsage: cost.modelUsage ?? {},
};
const gauge: ContextGaugeData = {
  model,
  usedTokens: 2000,
  totalTokens: window,
  percentage: (100 * 2000) / window,
  categories: [{ name: "messages", tokens: 2000 }],
};
const diff: DiffViewerData = {
  filePath: edit.filePath,
  structuredPatch: edit.structuredPatch,
  originalFile: edit.originalFile,
  newFile: undefined,
  editType: "edit",
};
const dialog: PermissionDialogData = {
  kind: "permission",
  requestId: prompt.request_id,
  toolName: String(prompt.request["tool_name"]),
  input: prompt.request["input"] as Fields,
  decisionReason: undefined,
  blockedPath: undefined,
  permissionSuggestions: prompt.request[
    "permission_suggestions"
  ] as PermissionDialogData["permissionSuggestions"],
};
const form: QuestionFormData = {
  kind: "question",
  requestId: asked.request_id,
  questions: AskUserQuestionInput.parse(asked.request["input"]).questions,
};
const servers: readonly McpServerStatus[] = [
  { name: "tide", status: "connected", tools: ["mcp__tide__wait"] },
];
const commands: readonly SlashCommandEntry[] = (init.slash_commands ?? []).map((name) => ({
  name,
  category: "local",
  description: undefined,
}));
const settings: SettingsPanelData = {
  model: { current: init.model, available: [model] },
  permissionMode: { current: init.permissionMode ?? "", available: ["default", "plan"] },
  fastModeState: String(init["fast_mode_state"]),
  outputStyle: String(init["output_style"]),
};
const help: HelpPanelData = {
  tools: init.tools ?? [],
  slashCommands: commands,
  skills: init["skills"] as string[],
  agents: init["agents"] as string[],
  plugins: [],
  version: init.claude_code_version,
};
const keys: KeybindingsConfig = [{ key: "Escape", action: "interrupt", context: "turn" }];
const task: TaskItem = {
  id: "1",
  subject: "count",
  description: undefined,
  activeForm: undefined,
  status: "pending",
  owner: undefined,
  blockedBy: [],
};
const tasks: TaskListData = { tasks: [task], activeTaskId: task.id };
const sessions: SessionManagementData = {
  sessions: [{ sessionId: init.session_id, title: "words" }],
  currentSessionId: init.session_id,
  supportsFork: true,
  supportsContinue: true,
};
const state: SessionState = {
  sessionId: init.session_id,
  cumulativeCost: costDisplay.totalCostUsd,
  pendingControlRequests: [dialog, form],
  activeContentBlocks: [{ msgId: "m", blockIndex: 0, kind: "text", text: "Hel" }],
  toolUseMap: { t: "Edit" },
  toolUseResultMap: { t: edit },
  taskList: tasks,
  mcpServers: servers,
  currentModel: init.model,
  permissionMode: init.permissionMode,
};

const FILLED: readonly (readonly [name: string, view: unknown, shown: unknown])[] = [
  [
    "CostDisplayData",
    costDisplay,
    { totalCostUsd: expect.any(Number), durationMs: expect.any(Number) },
  ],
  ["ContextGaugeData", gauge, { totalTokens: expect.any(Number) }],
  ["DiffViewerData", diff, { filePath: "/work/project/e.txt", editType: "edit" }],
  ["PermissionDialogData", dialog, { toolName: "Write", permissionSuggestions: [{}] }],
  ["QuestionFormData", form, { questions: [{ multiSelect: true }] }],
  ["SettingsPanelData", settings, { fastModeState: "off", outputStyle: "default" }],
  ["HelpPanelData", help, { version: "2.1.330" }],
  ["KeybindingsConfig", keys, [{ action: "interrupt" }]],
  ["SessionManagementData", sessions, { supportsFork: true }],
  ["SessionState", state, { permissionMode: "default", mcpServers: [{ name: "tide" }] }],
];

test.each([...FILLED])("%s can be filled from outbound messages", (_name, view, shown) => {
  expect(view).toMatchObject(shown as object);
});
