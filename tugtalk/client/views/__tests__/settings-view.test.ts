/** The panels for settings and help, filled from a session with a real Claude 2.1.330. */
import { expect, test } from "bun:test";
import { realSession, reduceMessages } from "../../../testing/captures/reduced-capture.ts";
import { viewCommands } from "../command-view.ts";
import { viewHelp, viewSettings } from "../settings-view.ts";

const state = reduceMessages(await realSession("2.1.330-form"));

test("the settings panel has the model, the modes and the styles with what is chosen", async () => {
  const view = viewSettings(state);
  expect(view).toEqual({
    model: {
      current: "claude-opus-5-5",
      selected: "default",
      available: [
        {
          value: "default",
          label: "Default (recommended)",
          description: "Use the default model (currently Opus 5.5) · $4/$20 per Mtok",
          effortLevels: ["low", "medium", "high", "xhigh", "max"],
        },
        {
          value: "opus",
          label: "Opus",
          description: "Opus 5.5 · Best for everyday, complex tasks · $4/$20 per Mtok",
          effortLevels: ["low", "medium", "high", "xhigh", "max"],
        },
      ],
    },
    permissionMode: {
      current: "default",
      available: [
        {
          mode: "default",
          label: "Default",
          description: "asks before it edits files or runs commands that change something",
        },
        {
          mode: "manual",
          label: "Manual",
          description: "asks before it edits files or runs commands that change something",
        },
        {
          mode: "acceptEdits",
          label: "Accept edits",
          description: "edits files of the project without asking",
        },
        {
          mode: "plan",
          label: "Plan",
          description: "explores and makes a plan before it changes anything",
        },
        {
          mode: "auto",
          label: "Auto",
          description: "a model of Claude's decides which calls need your approval",
        },
        {
          mode: "dontAsk",
          label: "Don't ask",
          description: "refuses whatever is not allowed already, without asking",
        },
        {
          mode: "bypassPermissions",
          label: "Bypass permissions",
          description: "runs every tool without asking",
        },
      ],
    },
    fastModeState: "off",
    outputStyle: "default",
    availableOutputStyles: ["default", "Proactive"],
  });
});

test("the help panel has tools, commands, skills, agents, plugins and the version", async () => {
  const view = viewHelp(state);
  expect(view).toEqual({
    tools: [
      { name: "Bash", label: "Bash" },
      { name: "mcp__my__tide__ask", label: "ask", server: "my__tide" },
      { name: "mcp__my__tide__level", label: "level", server: "my__tide" },
      { name: "mcp__my__tide__wait", label: "wait", server: "my__tide" },
      { name: "mcp__sea_side__ask", label: "ask", server: "sea side" },
      { name: "mcp__sea_side__level", label: "level", server: "sea side" },
      { name: "mcp__sea_side__wait", label: "wait", server: "sea side" },
    ],
    slashCommands: [
      {
        name: "dataviz",
        category: "skill",
        description:
          "Use this skill whenever you are about to create ANY chart, graph, plot, dashboard, or data visualization, in ANY output  … ",
        argumentHint: undefined,
        aliases: [],
      },
      {
        name: "deep-research",
        category: "skill",
        description:
          "Deep research harness — fan-out web searches, fetch sources, adversarially verify claims, synthesize a cited report. (dynamic workflow)",
        argumentHint: undefined,
        aliases: [],
      },
    ],
    skills: ["deep-research", "dataviz"],
    agents: [
      {
        name: "claude",
        description:
          "Catch-all for any task that doesn't fit a more specific agent. FleetView's default when no agent name is typed.",
      },
      {
        name: "Explore",
        description:
          'Fast read-only search agent for locating code. Use it to find files by pattern (eg. "src/components/**/*.tsx"), grep for … ',
        model: "inherit",
      },
    ],
    plugins: ["cc-plugin-agents-md", "cc-plugin-privacy"],
    version: "2.1.330",
  });
});

test("the slash commands for completion have their category and description", async () => {
  const view = viewCommands(state);
  expect(view).toEqual([
    {
      name: "dataviz",
      category: "skill",
      description:
        "Use this skill whenever you are about to create ANY chart, graph, plot, dashboard, or data visualization, in ANY output  … ",
      argumentHint: undefined,
      aliases: [],
    },
    {
      name: "deep-research",
      category: "skill",
      description:
        "Deep research harness — fan-out web searches, fetch sources, adversarially verify claims, synthesize a cited report. (dynamic workflow)",
      argumentHint: undefined,
      aliases: [],
    },
  ]);
});
