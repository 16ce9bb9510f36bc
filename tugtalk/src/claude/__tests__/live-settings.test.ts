/** The current mode, model and effort, by the host's and Claude's changes (§19). */
import { describe, expect, test } from "bun:test";
import { LiveSettings } from "../live-settings.ts";

describe("permission mode", () => {
  test("the permission mode that the host sets is emitted with source host and kept for the next process", () => {
    const settings = new LiveSettings(undefined, undefined);
    expect(settings.chooseMode("plan")).toEqual({
      type: "permission_mode_changed",
      mode: "plan",
      source: "host",
    });
    expect(settings.mode).toBe("plan");
  });

  type Row = readonly [known: string | undefined, reported: string | undefined, isChange: boolean];
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
  test.each([...ROWS])(
    "the permission mode %p reported as %p is a change: %p",
    (known, reported, isChange) => {
      const settings = new LiveSettings(known, undefined);
      const notification = [{ type: "permission_mode_changed", mode: reported, source: "claude" }];
      expect(settings.recordMode(reported)).toEqual((isChange ? notification : []) as never);
      expect(settings.mode).toBe(isChange ? reported : known);
    },
  );
});

test("the newest 256 added directories are kept for the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
  const directories = Array.from({ length: 300 }, (_, at) => `/folder/${at}`);
  const destination = "session";
  settings.recordUpdates([{ type: "addDirectories", destination, directories }]);
  expect(settings.over({ add_dirs: ["/first"] }).add_dirs).toEqual([
    "/first",
    ...directories.slice(44),
  ]);
});

test("the newest 256 removed directories are left out of the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
  const directories = Array.from({ length: 300 }, (_, at) => `/folder/${at}`);
  const destination = "session";
  settings.recordUpdates([{ type: "removeDirectories", destination, directories }]);
  expect(settings.over({ add_dirs: directories }).add_dirs).toEqual(directories.slice(0, 44));
});

test("a removed folder that is added again is passed to the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
  const update = { destination: "session", directories: ["/folder"] } as const;
  settings.recordUpdates([{ type: "removeDirectories", ...update }]);
  expect(settings.over({ add_dirs: ["/folder"] }).add_dirs).toBeUndefined();
  settings.recordUpdates([{ type: "addDirectories", ...update }]);
  expect(settings.over({ add_dirs: ["/folder"] }).add_dirs).toEqual(["/folder"]);
});

test("the newest 256 flag settings are restored in the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
  const subtype = "apply_flag_settings";
  for (let at = 0; at < 300; at += 1)
    settings.recordRequest({ subtype, settings: { [`name${at}`]: at } });
  expect(Object.values(settings.flagSettings ?? {})).toEqual(
    Array.from({ length: 256 }, (_, at) => at + 44),
  );
});

describe("model", () => {
  const notification = (model: string) =>
    [{ type: "model_changed", model, source: "claude" }] as never;

  test("the model that Claude reports first is the model that the host set", () => {
    const settings = new LiveSettings(undefined, "opus");
    expect(settings.recordModel("claude-opus-5-5", "one")).toEqual([]);
    expect(settings.model).toBe("opus");
  });

  test("the model is emitted once when Claude changes it", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-5-5", "one");
    expect(settings.recordModel("claude-opus-5-5", "one")).toEqual([]);
    expect(settings.recordModel("claude-haiku", "one")).toEqual(notification("claude-haiku"));
    expect(settings.recordModel("claude-haiku", "one")).toEqual([]);
    expect(settings.model).toBe("claude-haiku");
  });

  test("the model that Claude reports after a change of the host is no further change", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-5-5", "one");
    expect(settings.chooseModel("haiku")).toEqual({
      type: "model_changed",
      model: "haiku",
      source: "host",
    });
    expect(settings.recordModel("claude-haiku", "one")).toEqual([]);
    expect(settings.model).toBe("haiku");
  });

  test("a model change to null gives the next process no model flag", () => {
    const settings = new LiveSettings(undefined, "opus");
    expect(settings.chooseModel(null)).toMatchObject({ model: null });
    expect(settings.model).toBeUndefined();
  });

  test("the model of another conversation is emitted and not passed to other conversations", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-5-5", "one");
    expect(settings.recordModel("claude-haiku", "two")).toEqual(notification("claude-haiku"));
    expect(settings.recordModel("claude-haiku", "two")).toEqual([]);
    expect(settings.modelFor("one")).toBeUndefined();
    expect(settings.modelFor(undefined)).toBeUndefined();
  });

  test("the model that Claude changes in another conversation is passed to all conversations", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-5-5", "one");
    settings.recordModel("claude-haiku", "two");
    expect(settings.recordModel("claude-sonnet", "two")).toEqual(notification("claude-sonnet"));
    expect(settings.modelFor("one")).toBe("claude-sonnet");
  });

  test("the model that the host set stays when Claude reports another one in another conversation", () => {
    const settings = new LiveSettings(undefined, "opus");
    settings.recordModel("claude-opus-5-5", "one");
    expect(settings.recordModel("claude-haiku", "two")).toEqual(notification("claude-haiku"));
    expect(settings.modelFor("two")).toBe("opus");
    expect(settings.modelFor(undefined)).toBe("opus");
  });

  test("the model with a suffix in its name is passed to its own conversation only", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-4-8[1m]", "one");
    expect(settings.modelFor("one")).toBe("claude-opus-4-8[1m]");
    expect(settings.modelFor("two")).toBeUndefined();
    expect(settings.modelFor(undefined)).toBeUndefined();
  });

  test("the model without a suffix is not passed, since Claude's own setting may name several models", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-sonnet-5-5", "one");
    expect(settings.modelFor("one")).toBeUndefined();
  });

  const TO_DEFAULT: readonly (readonly [string, (settings: LiveSettings) => unknown])[] = [
    ["a change of the model", (settings) => settings.chooseModel(null)],
    [
      "a setting",
      (settings) =>
        settings.recordRequest({ subtype: "apply_flag_settings", settings: { model: null } }),
    ],
  ];
  test.each([...TO_DEFAULT])("the model is not passed after %s to the default", (_name, change) => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-4-8[1m]", "one");
    change(settings);
    expect(settings.modelFor("one")).toBeUndefined();
  });

  test("the model that a line does not name is no change", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.recordModel("claude-opus-5-5", "one");
    expect(settings.recordModel(undefined, "one")).toEqual([]);
    expect(settings.recordModel("claude-opus-5-5", "one")).toEqual([]);
  });
});

describe("effort that is set with a slash command", () => {
  const said = (level: string) =>
    `Set effort level to ${level} (this session only): Words about it`;
  const effortAfter = (...outputs: readonly string[]) => {
    const settings = new LiveSettings(undefined, undefined);
    for (const output of outputs) settings.recordCommandOutput(output);
    return settings.over({ effort: "high" }).effort;
  };

  test.each(["low", "medium", "xhigh", "max"])(
    "an effort that is set with a slash command is kept for the next process: %s",
    (level) => {
      expect(effortAfter(said(level))).toBe(level);
    },
  );

  test("an effort that is set with a slash command is unset after auto", () => {
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
  ])("an effort that is set with a slash command is unchanged after %p", (output) => {
    expect(effortAfter(output)).toBe("high");
  });

  test("an effort that is set with a slash command replaces an effort that was set by apply_flag_settings", () => {
    const settings = new LiveSettings(undefined, undefined);
    const given = { effortLevel: "max", verbose: true };
    settings.recordRequest({ subtype: "apply_flag_settings", settings: given });
    settings.recordCommandOutput(said("low"));
    expect(settings.over({}).effort).toBe("low");
    expect(settings.flagSettings).toEqual({ verbose: true });
  });
});
