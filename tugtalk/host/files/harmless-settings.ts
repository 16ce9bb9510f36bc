/** Settings that grant nothing and start nothing: those of the display, of the model, and those that only refuse. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...["$schema", "language", "model", "effortLevel", "maxEffortLevel", "modelSettings"],
  ...["alwaysThinkingEnabled", "showThinkingSummaries", "outputStyle", "fallbackModel"],
  ...["attribution", "includeCoAuthoredBy", "includeGitInstructions", "respectGitignore"],
  ...["theme", "editorMode", "verbose", "tui", "viewMode", "spellCheck", "vimInsertModeRemaps"],
  ...["spinnerVerbs", "spinnerTipsEnabled", "spinnerTipsOverride", "companyAnnouncements"],
  ...["showTurnDuration", "showMessageTimestamps", "terminalProgressBarEnabled"],
  ...["syntaxHighlightingDisabled", "prefersReducedMotion", "autoScrollEnabled", "timeFormat"],
  ...["feedbackSurveyRate", "promptSuggestionEnabled", "awaySummaryEnabled", "timeZone"],
  ...["autoCompactEnabled", "autoCompactWindow", "fileCheckpointingEnabled", "autoUpdatesChannel"],
  // These choose among the servers of `.mcp.json`, which are listed all the same.
  ...["enableAllProjectMcpServers", "enabledMcpjsonServers", "disabledMcpjsonServers"],
  ...["allowedMcpServers", "deniedMcpServers", "disableClaudeAiConnectors"],
  ...["disableAllHooks", "disableBundledSkills", "disableSkillShellExecution"],
  ...["disableWorkflows", "disableAgentView", "disableRemoteControl", "claudeMdExcludes"],
]);

/** Whether a setting of this name is one of those. */
export function isHarmlessSetting(name: string): boolean {
  return HARMLESS.has(name);
}
