/** The kind of a tool call, and its files. Pure. */
import { isAbsolute, join } from "node:path";
import type { ToolKind } from "@agentclientprotocol/sdk";
import type { Fields } from "../../src/base/json.ts";

const KINDS: Readonly<Record<string, ToolKind>> = {
  Read: "read",
  NotebookRead: "read",
  Edit: "edit",
  MultiEdit: "edit",
  Write: "edit",
  NotebookEdit: "edit",
  Bash: "execute",
  PowerShell: "execute",
  BashOutput: "execute",
  KillShell: "execute",
  Glob: "search",
  Grep: "search",
  ToolSearch: "search",
  WebFetch: "fetch",
  WebSearch: "fetch",
  Task: "think",
  Agent: "think",
  TodoWrite: "think",
  TaskCreate: "think",
  TaskUpdate: "think",
  TaskList: "think",
  TaskGet: "think",
  ExitPlanMode: "switch_mode",
  EnterPlanMode: "switch_mode",
};

export function kindOf(name: string): ToolKind {
  return Object.hasOwn(KINDS, name) ? (KINDS[name] ?? "other") : "other";
}

/** The calls that start an agent. */
export function isAgentCall(name: string): boolean {
  return name === "Agent" || name === "Task";
}

const PATH_FIELDS = ["file_path", "notebook_path", "path"] as const;

export function locationsOf(
  dir: string,
  input: Fields,
): { readonly path: string; readonly line?: number }[] {
  const path = PATH_FIELDS.map((name) => input[name]).find((value) => typeof value === "string");
  if (typeof path !== "string" || path === "") return [];
  const { offset } = input;
  const line = typeof offset === "number" && offset > 0 ? { line: offset } : {};
  return [{ path: isAbsolute(path) ? path : join(dir, path), ...line }];
}
