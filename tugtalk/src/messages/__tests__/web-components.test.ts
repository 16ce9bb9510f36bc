/** The view models of a page: the file exports them, and has no code. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";

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
