/** Claude's tasks, its work in the background, and the files that it has changed, in Chromium. */
import { beforeAll, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { into, out, RESULT, SESSION } from "../../../testing/drivers/written-conversation.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { chooseItem } from "../../__tests__/support/shown.ts";
import { wordsOf } from "../../tools/__tests__/support/shown-text.ts";
import { type PlayedCall, toolTurn } from "../../tools/__tests__/support/tool-turn.ts";

const { host, browser } = await openBrowser();
beforeAll(() => browser.context.grantPermissions(["clipboard-read", "clipboard-write"]));

async function played(conversation: readonly object[], turns = 1) {
  const session = await host.createSession({ conversation });
  for (let turn = 0; turn < turns; turn += 1) await session.message("go");
  return { session, page: await browser.tab(session.id) };
}

async function panel(page: Page, name: string) {
  await chooseItem(page, name);
  const dialog = page.getByRole("dialog", { name });
  await dialog.waitFor();
  return dialog;
}

function taskCall(id: string, name: string, input: object, structured: object): PlayedCall {
  return { id, name, input: { ...input }, result: "ok", structured };
}

const created = (id: string, subject: string, more: object = {}) =>
  taskCall(`create-${id}`, "TaskCreate", { subject, ...more }, { task: { id, subject } });

const updated = (id: string, change: object) =>
  taskCall(
    `update-${id}-${JSON.stringify(change)}`,
    "TaskUpdate",
    { taskId: id, ...change },
    { success: true, taskId: id },
  );

test("a line above the composer says how far Claude is, and opens its list with the active task first", async () => {
  const { page } = await played(
    toolTurn(
      created("1", "Read the sources"),
      created("2", "Run the tests", {
        description: "With coverage",
        activeForm: "Running the tests",
      }),
      created("3", "Write it down"),
      updated("1", { status: "completed" }),
      updated("2", { status: "in_progress", owner: "tester" }),
      updated("3", { addBlockedBy: ["2"] }),
    ),
  );
  await page.getByRole("button", { name: "1 of 3 · Run the tests" }).click();
  const dialog = page.getByRole("dialog", { name: "Tasks" });
  await dialog.getByText("Waits for 2").waitFor();
  const todos = await Promise.all((await dialog.locator(".todo").all()).map(wordsOf));
  expect(todos).toEqual([
    "2 Running the tests With coverage tester",
    "3 Write it down Waits for 2",
    "1 Read the sources",
  ]);
});

const TASK = {
  task_id: "shell-1",
  tool_use_id: "background",
  task_type: "local_bash",
  description: "Watch the files",
  session_id: SESSION,
};

const STARTED = out({ type: "system", subtype: "task_started", is_backgrounded: true, ...TASK });

const BACKGROUND: PlayedCall = {
  id: "background",
  name: "Bash",
  input: { command: "watch", run_in_background: true },
  result: "Command running in background with ID: shell-1",
};

test("a task in the background is stopped with its own button, and Claude hears which one", async () => {
  const ended = { type: "system", subtype: "task_notification", ...TASK, status: "stopped" };
  const { session, page } = await played([
    ...toolTurn(BACKGROUND).slice(0, -1),
    STARTED,
    out({ ...RESULT, permission_denials: [] }),
    into({ type: "control_request", request: { subtype: "stop_task" } }),
    out({ ...ended, summary: "Stopped by a person" }),
  ]);
  await page.locator(".tool").getByText("In the background").waitFor();
  await page.getByRole("button", { name: "1 in the background" }).click();
  const dialog = page.getByRole("dialog", { name: "Tasks" });
  await dialog.getByRole("button", { name: "Stop Watch the files" }).click();
  const heard = await session.claudeHears(({ type, request }) => {
    const isStop = JSON.stringify(request ?? {}).includes("stop_task");
    return type === "control_request" && isStop;
  });
  expect(heard["request"]).toEqual({ subtype: "stop_task", task_id: "shell-1" });
  await dialog.getByText("stopped", { exact: true }).waitFor();
  await dialog.getByText("Stopped by a person").waitFor();
  expect(await dialog.getByRole("button", { name: "Stop Watch the files" }).count()).toBe(0);
  await page.locator(".tool").getByText("Stopped").waitFor();
});

test("a call that was shown before its task began says that this goes on, and then that it was stopped", async () => {
  const ended = { type: "system", subtype: "task_notification", ...TASK, status: "stopped" };
  const steered = into({ type: "user" });
  const { session, page } = await played([
    ...toolTurn(BACKGROUND).slice(0, -1),
    steered,
    STARTED,
    steered,
    out({ ...ended, summary: "Stopped" }),
    out({ ...RESULT, permission_denials: [] }),
  ]);
  const card = page.locator(".tool");
  await card.getByText("Done").waitFor();
  await session.message("begin", { delivery: "steer" });
  await card.getByText("In the background").waitFor();
  await session.message("end", { delivery: "steer" });
  await card.getByText("Stopped").waitFor();
});

/** An edit of a file in the folder of the session. */
function editOf(
  id: string,
  filePath: string,
  [before, after]: readonly [string, string],
): PlayedCall {
  return {
    id,
    name: "Write",
    input: { file_path: filePath, content: after },
    result: "ok",
    structured: {
      type: "update",
      filePath,
      content: after,
      originalFile: before,
      structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [] }],
    },
  };
}

function newFile(id: string, filePath: string, content: string): PlayedCall {
  const structured = { type: "create", filePath, content, structuredPatch: [], originalFile: null };
  return { id, name: "Write", input: { file_path: filePath, content }, result: "ok", structured };
}

test("the changed files are listed with their counts and lines, and their patch is one that git applies", async () => {
  const fileIn = (dir: string) => join(dir, "src", "a.txt");
  const conversation = (dir: string) =>
    toolTurn(
      editOf("first", fileIn(dir), ["one\ntwo\n", "1\ntwo\n"]),
      editOf("second", fileIn(dir), ["1\ntwo\n", "1\n2\n"]),
      newFile("third", join(dir, "new.txt"), "new\n"),
      newFile("fourth", "/elsewhere/other.txt", "other\n"),
    );
  const session = await host.createSession({ conversation });
  const file = fileIn(session.dir);
  await session.message("go");
  const page = await browser.tab(session.id);
  await page.locator(".tool").nth(3).waitFor();
  const dialog = await panel(page, "Changed files");
  const files = dialog.locator(".changed-file > summary");
  await files.nth(2).waitFor();
  expect(await Promise.all((await files.all()).map(wordsOf))).toEqual([
    "src/ a.txt +2 −2",
    "new.txt new +1",
    "/elsewhere/ other.txt new +1",
  ]);
  await files.first().click();
  await dialog.locator(".diff-added").nth(1).waitFor();
  await dialog.getByText(/Not in the patch.*\/elsewhere\/other\.txt/).waitFor();
  await dialog.getByRole("button", { name: "Copy as patch" }).click();
  await dialog.getByRole("button", { name: "Copied" }).waitFor();
  const patch = await page.evaluate(() => navigator.clipboard.readText());
  mkdirSync(join(session.dir, "src"));
  writeFileSync(file, "one\ntwo\n");
  const { exitCode } = Bun.spawnSync(["git", "apply"], {
    cwd: session.dir,
    stdin: Buffer.from(patch),
  });
  expect(exitCode).toBe(0);
  expect(readFileSync(file, "utf8")).toBe("1\n2\n");
  expect(readFileSync(join(session.dir, "new.txt"), "utf8")).toBe("new\n");
});

test("the changed files of a long session are those of all its turns", async () => {
  const turns = Array.from({ length: 60 }, (_, at) =>
    toolTurn(newFile(`write-${at}`, `/files/${at}.txt`, "x\n")),
  );
  const { page } = await played(turns.flat(), turns.length);
  const dialog = await panel(page, "Changed files");
  await dialog.getByText("60 files were changed by Claude's editing tools.").waitFor();
  expect(await dialog.locator(".changed-file").count()).toBe(60);
});
