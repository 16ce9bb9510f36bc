/** The page by keyboard alone, where each answer of the host takes a quarter of a second. */
import { expect, test } from "bun:test";
import { keptSession } from "../transcript/__tests__/support/kept-session.ts";
import { PERMISSION, STREAMING } from "./support/page-states.ts";
import { Scene } from "./support/scene.ts";
import { reply, text, turn } from "./support/scene-lines.ts";
import { ANSWERED } from "./support/scenes.ts";
import { composerOf, readValue } from "./support/shown.ts";
import { choose, focusedIs, openSlowBrowser } from "./support/slow-port.ts";

const { host, openSlowly } = await openSlowBrowser();

test("a message that is sent by two strokes of Enter is sent once, and dialogs give the focus back to the composer", async () => {
  const scene = await Scene.open(host, { conversation: [...ANSWERED, ...ANSWERED] });
  await scene.exchange("one");
  const page = await openSlowly(scene.session.id);
  await focusedIs(page, "Message");
  await page.keyboard.type("hello");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.locator(".user").getByText("hello", { exact: true }).waitFor();
  for (const [item, field] of [
    ["Rename", "Title"],
    ["Costs by day", undefined],
    ["Changed files", undefined],
  ] as const) {
    await choose(page, item);
    await page.getByRole("dialog").waitFor();
    if (field !== undefined) await focusedIs(page, field);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await focusedIs(page, "Message");
  }
  const sent = scene.session.claudeInput.filter(({ type }) => type === "user");
  expect(sent).toHaveLength(2);
}, 60_000);

test("a session is begun from the palette, and one Enter too many begins no second one", async () => {
  const scene = await Scene.open(host, { conversation: ANSWERED });
  const page = await openSlowly(scene.session.id);
  const count = async () => {
    const { sessions } = (await host.run("sessions")).body;
    return Array.isArray(sessions) ? sessions.length : 0;
  };
  const before = await count();
  await choose(page, "New session");
  await focusedIs(page, "What should Claude do?");
  await page.keyboard.type("do it");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.locator(".user").getByText("do it", { exact: true }).waitFor();
  await focusedIs(page, "Message");
  expect(await count()).toBe(before + 1);
}, 60_000);

test.each([
  ["y", "allow"],
  ["n", "deny"],
])(
  "a prompt that is answered by %s, pressed twice, gets one answer",
  async (key, behavior) => {
    const { sessionId, session } = await PERMISSION.reach(host);
    const page = await openSlowly(sessionId);
    const card = page.getByRole("region", { name: "Claude asks" }).getByRole("article");
    await card.waitFor();
    await page.waitForFunction(() => document.activeElement?.localName === "article");
    await page
      .getByRole("button", { name: /^Allow Y/ })
      .and(page.locator(":enabled"))
      .waitFor();
    await page.keyboard.press(key);
    await page.keyboard.press(key);
    if (key === "n") {
      await focusedIs(page, "Reason for denial");
      await page.keyboard.press("Enter");
    }
    await card.waitFor({ state: "detached" });
    await focusedIs(page, "Message");
    const answers = session?.claudeInput.filter(({ type }) => type === "control_response") ?? [];
    expect(answers).toHaveLength(1);
    expect(JSON.stringify(answers)).toContain(`"behavior":"${behavior}"`);
    expect(JSON.stringify(answers)).not.toContain('"message":"n"');
    expect(await composerOf(page).inputValue()).toBe("");
  },
  60_000,
);

test("a message is queued while Claude writes, and the next one stops it", async () => {
  const { sessionId } = await STREAMING.reach(host);
  const page = await openSlowly(sessionId);
  await focusedIs(page, "Message");
  await page.keyboard.type("later");
  await page.keyboard.press("Enter");
  await page.getByText("later", { exact: true }).first().waitFor();
  await page.keyboard.type("at once");
  await page.keyboard.press("Control+Enter");
  await page.locator(".user").getByText("at once", { exact: true }).waitFor();
  expect(await page.locator(".user").getByText("at once", { exact: true }).count()).toBe(1);
}, 60_000);

test("Enter, pressed twice, opens one hit of the search; there Enter walks on, and Escape leads to the composer", async () => {
  const answers = ["One axolotl.", "Two **axolotl**."].map((answer) => turn(reply(text(answer))));
  const scene = await Scene.open(host, { conversation: answers.flat() });
  await scene.exchange("How many?");
  await scene.exchange("And now?");
  const page = await openSlowly();
  await page.keyboard.press("s");
  await focusedIs(page, "What was said or done?");
  await page.keyboard.type("axolotl");
  await page.getByRole("option", { name: "Two axolotl.", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await focusedIs(page, "Find in the conversation");
  await page.locator("search[aria-busy=false]").getByText("2 of 2").waitFor();
  const bar = page.getByRole("search");
  expect(await bar.textContent()).toContain("↵ next ⇧↵ previous Esc closes");
  await page.keyboard.press("Enter");
  await page.getByText("1 of 2").waitFor();
  await page.keyboard.press("Shift+Enter");
  await page.getByText("2 of 2").waitFor();
  await page.keyboard.press("Escape");
  await bar.waitFor({ state: "detached" });
  await focusedIs(page, "Message");
}, 60_000);

test("the palette leads back to before a message, and the message is in the composer, once", async () => {
  const session = await keptSession(host);
  const page = await openSlowly(session.id);
  await choose(page, "Back to an earlier message");
  await focusedIs(page, "Back to before which message?");
  await page.getByRole("option", { name: "Third", selected: true }).waitFor();
  await page.keyboard.type("sec");
  await page.getByRole("option", { name: "Second", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await focusedIs(page, "Files and conversation");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page.getByText("Back to before “Second”: 1 file was put back").waitFor();
  await focusedIs(page, "Message");
  expect(await readValue(composerOf(page), "Second")).toBe("Second");
  expect(await page.getByText("Back to before “Second”").count()).toBe(1);
}, 60_000);
