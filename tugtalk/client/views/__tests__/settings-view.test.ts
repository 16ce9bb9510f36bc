/** The panels for settings and help, filled from a session with a real Claude 2.1.330. */
import { expect, test } from "bun:test";
import { realSession, reduceMessages } from "../../../testing/captures/reduced-capture.ts";
import { reduced } from "../../reducer/__tests__/reduced.ts";
import type { SessionInput } from "../../session-input.ts";
import { viewCommands } from "../command-view.ts";
import { viewHelp } from "../help-view.ts";
import { viewSettings } from "../settings-view.ts";

const state = reduceMessages(await realSession("2.1.330-form"));

test("the settings panel has the model, the modes and the styles, with the chosen ones", () => {
  const { model, permissionMode, ...rest } = viewSettings(state);
  expect(model).toMatchObject({ current: "claude-opus-5-5", selected: "default" });
  expect(model.available).toMatchObject([{ value: "default" }, { value: "opus" }]);
  expect(model.available[0]).toEqual({
    value: "default",
    label: "Default (recommended)",
    name: "Opus 5.5",
    alwaysThinks: true,
    description: "Use the default model (currently Opus 5.5) · $4/$20 per Mtok",
    effortLevels: ["low", "medium", "high", "xhigh", "max"],
  });
  expect(permissionMode.current).toBe("default");
  expect(permissionMode.available.map(({ label }) => label)).toEqual([
    "Ask first",
    "Accept edits",
    "Plan",
    "Auto",
    "Don't ask",
    "Bypass permissions",
  ]);
  expect(permissionMode.available[1]).toEqual({
    mode: "acceptEdits",
    label: "Accept edits",
    description: "edits files of the project without asking",
  });
  expect(rest).toEqual({
    fastModeState: "off",
    outputStyle: "default",
    availableOutputStyles: ["default", "Proactive"],
  });
});

test("of two choices for one model the chosen one is shown, also once Claude has reported its full name", () => {
  const report = { type: "system_metadata", session_id: "one", model: "claude-opus-5-5" };
  const selected = (...inputs: SessionInput[]) =>
    viewSettings(reduced([...inputs, report], state)).model.selected;
  const changed = (model: string | null) => ({ type: "model_changed", model, source: "host" });
  expect(selected()).toBe("default");
  expect(selected(changed("opus"))).toBe("opus");
  expect(selected(changed("opus"), changed(null))).toBe("default");
  expect(selected(changed("another"))).toBe("default");
});

test("the mode that a newer Claude also calls manual is shown by one name", () => {
  const { current, available } = viewSettings({
    ...state,
    permissionMode: "manual",
  }).permissionMode;
  expect(current).toBe("default");
  expect(available.map(({ mode }) => mode)).not.toContain("manual");
});

test("the help panel has tools, commands, skills, agents, plugins and the version", () => {
  const { tools, slashCommands, agents, ...rest } = viewHelp(state);
  expect(tools.map(({ label, server }) => [label, server])).toEqual([
    ["Bash", undefined],
    ...["ask", "level", "wait"].map((label) => [label, "my__tide"]),
    ...["ask", "level", "wait"].map((label) => [label, "sea side"]),
  ]);
  expect(slashCommands).toEqual(viewCommands(state));
  expect(agents).toEqual([
    {
      name: "claude",
      description:
        "Catch-all for any task that doesn't fit a more specific agent. FleetView's default when no agent name is typed.",
    },
    {
      name: "Explore",
      description: expect.stringMatching(/^Fast read-only search agent for locating code\. /),
      model: "inherit",
    },
  ]);
  expect(rest).toEqual({
    skills: ["deep-research", "dataviz"],
    plugins: ["cc-plugin-agents-md", "cc-plugin-privacy"],
    version: "2.1.330",
  });
});

test("the slash commands for completion have their category and description", () => {
  const common = { category: "skill", argumentHint: undefined, aliases: [] as string[] } as const;
  expect(viewCommands(state)).toEqual([
    { name: "dataviz", description: expect.stringMatching(/^Use this skill whenever /), ...common },
    {
      name: "deep-research",
      description: expect.stringMatching(/^Deep research harness — fan-out web searches, /),
      ...common,
    },
  ]);
});
