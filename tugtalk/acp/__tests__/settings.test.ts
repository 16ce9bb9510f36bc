/** The options of a session, and the requests and messages that change them. */
import { expect, test } from "bun:test";
import { failureOf } from "../../testing/drivers/failure.ts";
import {
  changeOf,
  configOptions,
  FIRST_SETTINGS,
  modeState,
  type Settings,
  withCapabilities,
  withModel,
} from "../settings.ts";

const MODEL = {
  value: "default",
  displayName: "Default",
  supportsEffort: true,
  supportedEffortLevels: ["low", "xhigh"],
  supportsFastMode: true,
};
const SETTINGS: Settings = { ...FIRST_SETTINGS, models: [MODEL, { value: "haiku" }] };

const idsOf = (settings: Settings) => configOptions(settings).map(({ id }) => id);

test("a model has the options that it supports", () => {
  expect(idsOf(SETTINGS)).toEqual(["mode", "model", "effort", "fast", "ultracode"]);
  expect(idsOf({ ...SETTINGS, model: "haiku" })).toEqual(["mode", "model"]);
});

test("the mode that Claude refuses unless it was started in it is offered only there", () => {
  const permission_modes = ["default", "plan", "bypassPermissions"];
  const settings = withCapabilities(SETTINGS, { permission_modes });
  const offered = (mode: string) =>
    modeState({ ...settings, mode }).availableModes.map(({ id }) => id);
  expect(offered("default")).toEqual(["default", "plan"]);
  expect(offered("bypassPermissions")).toEqual(["default", "plan", "bypassPermissions"]);
});

test("a mode that Claude has two names for is offered once, and is the present one by either", () => {
  const modes = ["default", "manual", "plan"];
  for (const mode of ["default", "manual"])
    expect(configOptions({ ...SETTINGS, modes, mode })[0]).toMatchObject({
      currentValue: "default",
      options: [{ value: "default" }, { value: "plan" }],
    });
});

test("of the models with one full id, the one that was chosen stays the present one", () => {
  const models = ["default", "opus"].map((value) => ({ value, resolvedModel: "claude-opus-5-5" }));
  const chosen = { ...SETTINGS, models, model: "opus" };
  expect(withModel(chosen, "claude-opus-5-5").model).toBe("opus");
  expect(withModel({ ...chosen, model: "haiku" }, "claude-opus-5-5").model).toBe("default");
});

test("a switch is one only for a client that shows switches", () => {
  const [fast] = configOptions(SETTINGS).filter(({ id }) => id === "fast");
  expect(fast).toMatchObject({ type: "select", currentValue: "off" });
  const switches = { ...SETTINGS, hasSwitches: true, isFast: true };
  const [shown] = configOptions(switches).filter(({ id }) => id === "fast");
  expect(shown).toMatchObject({ type: "boolean", currentValue: true });
  // Nothing but the option: another one may change before Claude has answered.
  expect(changeOf(switches, "fast", false).changed).toEqual({ isFast: false });
  expect(changeOf(SETTINGS, "fast", "on").changed).toEqual({ isFast: true });
});

const flags = (settings: object) => ({ type: "control", subtype: "apply_flag_settings", settings });

test.each([
  ["mode", "plan", { type: "permission_mode", mode: "plan" }],
  ["model", "haiku", { type: "model_change", model: "haiku" }],
  ["model", "default", { type: "model_change", model: null }],
  ["effort", "low", flags({ effortLevel: "low" })],
  ["effort", "default", flags({ effortLevel: null })],
  ["fast", "on", flags({ fastMode: true })],
  ["ultracode", "off", flags({ ultracode: false })],
])("the option %s is set to %s by its message", (option, value, message) => {
  expect(changeOf(SETTINGS, option, value).message).toEqual(message as never);
});

test.each([
  ["effort", "max"],
  ["fast", true],
  ["ultracode", "maybe"],
  ["constructor", "x"],
])("the option %s cannot be set to %s", async (option, value) => {
  expect(await failureOf(Promise.try(() => changeOf(SETTINGS, option, value)))).toMatchObject({
    code: -32602,
  });
});
