/** The current mode, model and effort, by the host's and Claude's changes (§19). */
import { expect, test } from "bun:test";
import { LiveSettings } from "../live-settings.ts";

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

const destination = "session";
const directories = Array.from({ length: 300 }, (_, at) => `/folder/${at}`);

test("the newest 256 added directories are kept for the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
  settings.recordUpdates([{ type: "addDirectories", destination, directories }]);
  expect(settings.over({ add_dirs: ["/first"] }).add_dirs).toEqual([
    "/first",
    ...directories.slice(44),
  ]);
});

test("the newest 256 removed directories are left out of the next process", () => {
  const settings = new LiveSettings(undefined, undefined);
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

/** A report of Claude: a model, in a conversation. */
type Report = readonly [model: string | undefined, conversation: string];

const one = (...models: readonly Report[0][]): Report[] => models.map((model) => [model, "one"]);
const two = (...models: readonly Report[0][]): Report[] => models.map((model) => [model, "two"]);

const OPUS = "claude-opus-5-5";
const LARGE = "claude-opus-4-8[1m]";

/** Which reports are changes, when the host has set this model. */
const CHANGES: readonly (readonly [
  name: string,
  chosen: string | undefined,
  reports: readonly Report[],
  expected: { readonly changes: readonly string[]; readonly kept?: string },
])[] = [
  [
    "the first model is the one that the host set",
    "opus",
    one(OPUS),
    { changes: [], kept: "opus" },
  ],
  [
    "a model is emitted once when Claude changes it",
    undefined,
    one(OPUS, OPUS, "claude-haiku", "claude-haiku"),
    { changes: ["claude-haiku"], kept: "claude-haiku" },
  ],
  ["a line without a model is no change", undefined, one(OPUS, undefined, OPUS), { changes: [] }],
  [
    "the model of another conversation is emitted and not passed on",
    undefined,
    [...one(OPUS), ...two("claude-haiku", "claude-haiku")],
    { changes: ["claude-haiku"] },
  ],
  [
    "a model that Claude changes in another conversation is passed to all",
    undefined,
    [...one(OPUS), ...two("claude-haiku", "claude-sonnet")],
    { changes: ["claude-haiku", "claude-sonnet"], kept: "claude-sonnet" },
  ],
  [
    "the model that the host set stays when Claude reports another one in another conversation",
    "opus",
    [...one(OPUS), ...two("claude-haiku")],
    { changes: ["claude-haiku"], kept: "opus" },
  ],
];

test.each([...CHANGES])("%s", (_name, chosen, reports, { changes, kept }) => {
  const settings = new LiveSettings(undefined, chosen);
  const emitted = reports.flatMap((report) => settings.recordModel(...report));
  expect(emitted).toEqual(
    changes.map((model) => ({ type: "model_changed", model, source: "claude" })),
  );
  for (const conversation of ["one", "three", undefined])
    expect(settings.modelFor(conversation)).toBe(kept as never);
});

test("the model that Claude reports after a change of the host is no further change", () => {
  const settings = new LiveSettings(undefined, undefined);
  settings.recordModel(OPUS, "one");
  const changed = { type: "model_changed", model: "haiku", source: "host" } as const;
  expect(settings.chooseModel("haiku")).toEqual(changed);
  expect(settings.recordModel("claude-haiku", "one")).toEqual([]);
  expect(settings.model).toBe("haiku");
});

test("a model change to null gives the next process no model flag", () => {
  const settings = new LiveSettings(undefined, "opus");
  expect(settings.chooseModel(null)).toMatchObject({ model: null });
  expect(settings.model).toBeUndefined();
});

test("the model with a suffix in its name is passed to its own conversation only", () => {
  const settings = new LiveSettings(undefined, undefined);
  settings.recordModel(LARGE, "one");
  const passed = ["one", "two", undefined].map((conversation) => settings.modelFor(conversation));
  expect(passed).toEqual([LARGE, undefined, undefined]);
});

test.each<[string, (settings: LiveSettings) => unknown]>([
  ["a change of the model", (settings) => settings.chooseModel(null)],
  [
    "a setting",
    (settings) =>
      settings.recordRequest({ subtype: "apply_flag_settings", settings: { model: null } }),
  ],
])("the model is not passed after %s to the default", (_name, change) => {
  const settings = new LiveSettings(undefined, undefined);
  settings.recordModel(LARGE, "one");
  change(settings);
  expect(settings.modelFor("one")).toBeUndefined();
});

const said = (level: string) => `Set effort level to ${level} (this session only): Words about it`;
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
  expect(effortAfter(said("low"), "Effort level set to auto (this session only)")).toBeUndefined();
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
