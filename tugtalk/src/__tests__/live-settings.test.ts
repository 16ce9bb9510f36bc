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
    const news = [{ type: "permission_mode_changed", mode: reported, source: "claude" }];
    expect(settings.noteMode(reported)).toEqual((isNews ? news : []) as never);
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
  const news = (model: string) => [{ type: "model_changed", model, source: "claude" }] as never;

  test("that Claude names first is that of the host's choice", () => {
    const settings = new LiveSettings(undefined, "opus");
    expect(settings.noteModel("claude-opus-5-5")).toEqual([]);
    expect(settings.model).toBe("opus");
  });

  test("is told once when Claude changes it by itself", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5");
    expect(settings.noteModel("claude-opus-5-5")).toEqual([]);
    expect(settings.noteModel("claude-haiku")).toEqual(news("claude-haiku"));
    expect(settings.noteModel("claude-haiku")).toEqual([]);
    expect(settings.model).toBe("claude-haiku");
  });

  test("that follows the host's change is the host's", () => {
    const settings = new LiveSettings(undefined, undefined);
    settings.noteModel("claude-opus-5-5");
    expect(settings.chooseModel("haiku")).toEqual({
      type: "model_changed",
      model: "haiku",
      source: "host",
    });
    expect(settings.noteModel("claude-haiku")).toEqual([]);
    expect(settings.model).toBe("haiku");
  });

  test("null is Claude's default: the next process gets no model", () => {
    const settings = new LiveSettings(undefined, "opus");
    expect(settings.chooseModel(null)).toMatchObject({ model: null });
    expect(settings.model).toBeUndefined();
  });
});
