/** Folders, texts, limits and paths as the board shows and takes them. */
import { expect, test } from "bun:test";
import { createFields, emptyForm, firstMessage, isComplete } from "../new-session-fields.ts";
import { costText, typedLimit } from "../session-text.ts";
import { shortDir } from "../short-dir.ts";
import { completions, typedPath } from "../typed-path.ts";

const NONE = { model: "", permissionMode: "" } as const;

test("a folder is called by its last two names", () => {
  expect(["/home/ada/engine", "/srv", "/"].map(shortDir)).toEqual(["ada/engine", "srv", "/"]);
});

test("a limit is typed with or without a dollar sign, and is none where nothing is typed", () => {
  const typed = ["", "  ", "2", "$2.50", "0,5", ".5", "3."].map(typedLimit);
  expect(typed).toEqual([null, null, 2, 2.5, 0.5, 0.5, 3]);
  for (const wrong of ["much", "0", "-1", "1e3", "1.2.3", "Infinity"])
    expect(typedLimit(wrong)).toBeUndefined();
});

test("the cost of a session is shown with its limit, if it has one", () => {
  expect(costText({ cost_usd: 1.2 })).toBe("$1.20");
  expect(costText({ cost_usd: 1.2, limit_usd: 5 })).toBe("$1.20 of $5.00");
});

test("a typed path is the folder to look into and the beginning of a name", () => {
  expect(typedPath("/home/ada/en")).toEqual({ folder: "/home/ada", prefix: "en" });
  expect(typedPath("/home/ada/")).toEqual({ folder: "/home/ada", prefix: "" });
  expect(typedPath("/ho")).toEqual({ folder: "/", prefix: "ho" });
  expect(typedPath("ho")).toEqual({ folder: undefined, prefix: "ho" });
});

test("folders complete a beginning in any case, and hidden ones only after a dot", () => {
  const dirs = ["Engine", "entry", ".config"].map((name) => ({ name, path: `/${name}` }));
  const names = (prefix: string) => completions(dirs, prefix).map(({ name }) => name);
  expect(names("en")).toEqual(["Engine", "entry"]);
  expect(names("")).toEqual(["Engine", "entry"]);
  expect(names(".")).toEqual([".config"]);
});

test("empty fields are left to the host", () => {
  expect(createFields(emptyForm(NONE))).toEqual({});
  const form = emptyForm(NONE);
  form.dir.value = " /home/ada/ ";
  form.permission_mode.value = "plan";
  form.limit.value = "$3";
  form.message.value = " Count ";
  expect(createFields(form)).toEqual({ dir: "/home/ada/", permission_mode: "plan", limit_usd: 3 });
  expect(firstMessage(form)).toBe("Count");
});

test("a past conversation has to be chosen, and takes no first message", () => {
  const form = emptyForm(NONE);
  form.message.value = "Count";
  form.isPast.value = true;
  expect(isComplete(form)).toBe(false);
  form.resume.value = "c1";
  expect(isComplete(form)).toBe(true);
  expect(createFields(form)).toEqual({ resume: "c1", fork: false });
  expect(firstMessage(form)).toBe("");
});

test("a new session begins with the model and the mode that were chosen for all", () => {
  const form = emptyForm({ model: "opus", permissionMode: "plan" });
  expect(createFields(form)).toEqual({ model: "opus", permission_mode: "plan" });
  form.model.value = "";
  expect(createFields(form)).toEqual({ permission_mode: "plan" });
});
