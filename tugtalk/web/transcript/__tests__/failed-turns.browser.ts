/** The actions for a turn that has failed, in Chromium, through to the lines that Claude reads. */
import { expect, test } from "bun:test";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import { HOLD, opened, reply, text, turn } from "../../__tests__/support/scene-lines.ts";
import { FAILING } from "../../__tests__/support/scenes.ts";
import { conversationOf, readUntil } from "../../__tests__/support/shown.ts";
import { heard, hears } from "../../composer/__tests__/support/composer-page.ts";

const { host, browser } = await openBrowser();

async function openScene(...conversation: readonly object[]) {
  const scene = await Scene.open(host, { conversation });
  const page = await browser.tab(scene.session.id);
  return {
    scene,
    session: scene.session,
    page,
    retry: page.getByRole("button", { name: "Retry" }),
  };
}

test("Retry sends the message of a turn that has failed again, with its attachments, once", async () => {
  const { scene, session, page, retry } = await openScene(
    ...FAILING,
    ...turn(reply(text("Hello."))),
  );
  const attachments = [{ filename: "a.md", content: "a.md:\n\nOne.", media_type: "text/plain" }];
  await session.message("Say hello", { attachments });
  await scene.until("turn_complete");
  await retry.dblclick();
  await conversationOf(page).getByText("Hello.", { exact: true }).waitFor();
  const texts = heard(session);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toContain("One.");
  expect(texts[1]).toBe(texts[0] ?? "");
  await retry.waitFor({ state: "detached" });
});

test("only the latest turn that has failed can be tried again, and none that a person has stopped", async () => {
  const { scene, page, retry } = await openScene(
    ...FAILING,
    ...FAILING,
    ...opened(reply(text("I work."))),
    HOLD,
  );
  await scene.exchange("One");
  await scene.exchange("Two");
  await page.locator(".outcome.failed").nth(1).waitFor();
  expect(
    await readUntil(
      () => retry.count(),
      (count) => count === 1,
    ),
  ).toBe(1);
  await retry.click();
  await hears(scene.session, "Two");
  await conversationOf(page).getByText("I work.").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".outcome:not(.failed)").getByText("Interrupted").waitFor();
  expect(await retry.count()).toBe(0);
});

/** As a CLI ends a turn that the API refuses, with words that say nothing. */
function refused(apiStatus: number, error: string): readonly object[] {
  const ended = { is_error: true, api_error_status: apiStatus, result: "It failed." };
  const line = {
    type: "assistant",
    message: { id: "$new", role: "assistant", model: "<synthetic>", content: [text("It failed.")] },
    parent_tool_use_id: null,
    session_id: "$session",
    uuid: "$new",
    error,
    is_api_error_message: true,
  };
  return [...opened({ dir: "out", msg: line }), { dir: "end", msg: ended }];
}

test("a turn that the API refuses with 401 says how to log in where Claude runs, by its status and not by words", async () => {
  const { scene, page } = await openScene(
    ...refused(500, "server_error"),
    ...refused(401, "authentication_failed"),
  );
  await scene.exchange("One");
  await page.getByText("It failed.").first().waitFor();
  const way = page.getByText("Claude is not logged in.");
  await page.getByRole("button", { name: "Retry" }).waitFor();
  expect(await way.count()).toBe(0);
  await scene.exchange("Two");
  await way.waitFor();
  expect(await way.textContent()).toBe(
    "Claude is not logged in. On this machine, run claude auth login in a terminal, or claude and there /login.",
  );
});
