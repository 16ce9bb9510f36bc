/** The mode and the model in force, whoever changed them last (§19). */
import { describe, expect, test } from "bun:test";
import { LiveSettings } from "../live-settings.ts";

describe("the permission mode", () => {
  test("of the host is told as the host's, and kept for the next process", () => {
    const settings = new LiveSettings(undefined, undefined);
    expect(settings.chooseMode("plan")).toEqual({
      type: "permission_mode_changed",
      mode: "plan",
      source: "host",
    });
    expect(settings.mode).toBe("plan");
  });

  type Row = readonly [known: string | undefined, reported: string | undefined, isNews: boolean];
  const ROWS: readonly Row[] = [
    [undefined, undefined, false],
    [undefined, "default", false],
    [undefined, "manual", false],
    ["manual", "default", false],
    ["default", "manual", false],
    ["plan", "plan", false],
    ["plan", undefined, false],
    ["plan", "default", true],
    [undefined, "acceptEdits", true],
  ];
  test.each([...ROWS])("%p reported as %p is news: %p", (known, reported, isNews) => {
    const settings = new LiveSettings(known, undefined);
    const notification = [{ type: "permission_mode_changed", mode: reported, source: "claude" }];
    expect(settings.noteMode(reported)).toEqual((isNews ? notification : []) as never);
    expect(settings.mode).toBe(isNews ? reported : known);
  });
});

test("of hundreds of added folders the newest 256 are kept for the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
  const directories = Array.from({ length: 300 }, (_, at) => `/folder/${at}`);
  const destination = "session";
  settings.noteUpdates([{ type: "addDirectories", destination, directories }]);
  expect(settings.over({ add_dirs: ["/first"] }).add_dirs).toEqual([
    "/first",
    ...directories.slice(44),
  ]);
});

describe("the model", () => {
  const notification = (model: string) =>
    [{ type: "model_changed", model, source: "claude" }] as never;

  test("that Claude names first is that of the host's choice", () => {
    const settings = new LiveSettings(undefined, "opus");
    expect(settings.noteModel("claude-opus-5-5", "one")).toEqual([]);
    expect(settings.model).toBe("opus");
  });

  test("is told once when Claude changes it by itself", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5", "one");
    expect(settings.noteModel("claude-opus-5-5", "one")).toEqual([]);
    expect(settings.noteModel("claude-haiku", "one")).toEqual(notification("claude-haiku"));
    expect(settings.noteModel("claude-haiku", "one")).toEqual([]);
    expect(settings.model).toBe("claude-haiku");
  });

  test("that follows the host's change is the host's", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5", "one");
    expect(settings.chooseModel("haiku")).toEqual({
      type: "model_changed",
      model: "haiku",
      source: "host",
    });
    expect(settings.noteModel("claude-haiku", "one")).toEqual([]);
    expect(settings.model).toBe("haiku");
  });

  test("null is Claude's default: the next process gets no model", () => {
    const settings = new LiveSettings(undefined, "opus");
    expect(settings.chooseModel(null)).toMatchObject({ model: null });
    expect(settings.model).toBeUndefined();
  });

  test("of another conversation is told, and stays with that conversation", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5", "one");
    expect(settings.noteModel("claude-haiku", "two")).toEqual(notification("claude-haiku"));
    expect(settings.noteModel("claude-haiku", "two")).toEqual([]);
    expect(settings.modelFor("one")).toBeUndefined();
    expect(settings.modelFor(undefined)).toBeUndefined();
  });

  test("of another conversation that Claude then changes is a setting like any other", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5", "one");
    settings.noteModel("claude-haiku", "two");
    expect(settings.noteModel("claude-sonnet", "two")).toEqual(notification("claude-sonnet"));
    expect(settings.modelFor("one")).toBe("claude-sonnet");
  });

  test("of the host's choice stays, whatever Claude reports in another conversation", () => {
    const settings = new LiveSettings(undefined, "opus");
    settings.noteModel("claude-opus-5-5", "one");
    expect(settings.noteModel("claude-haiku", "two")).toEqual(notification("claude-haiku"));
    expect(settings.modelFor("two")).toBe("opus");
    expect(settings.modelFor(undefined)).toBe("opus");
  });

  test("that has more to its name than Claude finds is given for its own conversation only", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-4-8[1m]", "one");
    expect(settings.modelFor("one")).toBe("claude-opus-4-8[1m]");
    expect(settings.modelFor("two")).toBeUndefined();
    expect(settings.modelFor(undefined)).toBeUndefined();
  });

  test("that is plain is left to Claude, whose own setting may be more than one model", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-sonnet-5-5", "one");
    expect(settings.modelFor("one")).toBeUndefined();
  });

  const TO_DEFAULT: readonly (readonly [string, (settings: LiveSettings) => unknown])[] = [
    ["a change of the model", (settings) => settings.chooseModel(null)],
    [
      "a setting",
      (settings) =>
        settings.noteRequest({ subtype: "apply_flag_settings", settings: { model: null } }),
    ],
  ];
  test.each([...TO_DEFAULT])(
    "that was in use is given no more after %s to the default",
    (_name, change) => {
      const settings = new LiveSettings(undefined, undefined);
      settings.noteModel("claude-opus-4-8[1m]", "one");
      change(settings);
      expect(settings.modelFor("one")).toBeUndefined();
    },
  );

  test("that a line does not name is no news", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5", "one");
    expect(settings.noteModel(undefined, "one")).toEqual([]);
    expect(settings.noteModel("claude-opus-5-5", "one")).toEqual([]);
  });
});

describe("the effort that the host has set with a command", () => {
  const said = (level: string) =>
    `Set effort level to ${level} (this session only): Words about it`;
  const effortAfter = (...outputs: readonly string[]) => {
    const settings = new LiveSettings(undefined, undefined);
    for (const output of outputs) settings.noteCommandOutput(output);
    return settings.over({ effort: "high" }).effort;
  };

  test.each(["low", "medium", "xhigh", "max"])("is kept for the next process: %s", (level) => {
    expect(effortAfter(said(level))).toBe(level);
  });

  test("is Claude's own after auto", () => {
    expect(
      effortAfter(said("low"), "Effort level set to auto (this session only)"),
    ).toBeUndefined();
  });

  test.each([
    "Unknown option: low please. Options: low, medium, high, xhigh, max, auto",
    "/effort isn't available in this environment.",
    "Set effort level to low",
    "He wrote: Set effort level to low (this session only)",
    "Set effort level to banana (this session only)",
  ])("is as it was after %p", (output) => {
    expect(effortAfter(output)).toBe("high");
  });

  test("is newer than one that was a setting", () => {
    const settings = new LiveSettings(undefined, undefined);
    const given = { effortLevel: "max", verbose: true };
    settings.noteRequest({ subtype: "apply_flag_settings", settings: given });
    settings.noteCommandOutput(said("low"));
    expect(settings.over({}).effort).toBe("low");
    expect(settings.flagSettings).toEqual({ verbose: true });
  });
});
