/** A turn in the transcript: the texts of a person and of Claude, and how the turn ended. */
import { expect, test } from "bun:test";
import type { Locator } from "playwright-core";
import { out } from "../../../testing/drivers/written-conversation.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { Scene } from "../../__tests__/support/scene.ts";
import {
  cutReply,
  HOLD,
  opened,
  reply,
  system,
  text,
  thought,
  turn,
} from "../../__tests__/support/scene-lines.ts";
import { DYING, FAILING, TOOLS } from "../../__tests__/support/scenes.ts";
import { composerOf, readValue } from "../../__tests__/support/shown.ts";
import { resumeLong } from "./support/past-session.ts";

const { host, browser } = await openBrowser();

/** A tab of a new session that plays this conversation. */
async function openScene(...conversation: readonly object[]) {
  const scene = await Scene.open(host, { conversation });
  return { scene, page: await browser.tab(scene.session.id) };
}

test("a person's message is plain text at the right, and Claude's is Markdown at the left", async () => {
  const { scene, page } = await openScene(...turn(reply(text("It is **done**."))));
  await scene.exchange("Make **this** <b>bold</b>");
  const [user, answer] = [page.locator(".user"), page.locator(".text")];
  await answer.getByText("done").waitFor();
  expect(await user.textContent()).toBe("Make **this** <b>bold</b>");
  expect(await answer.locator("strong").textContent()).toBe("done");
  const [one, other] = [await user.boundingBox(), await answer.boundingBox()];
  const rightOf = (box: typeof one) => (box?.x ?? 0) + (box?.width ?? 0);
  expect(Math.round(rightOf(one) - rightOf(other))).toBe(0);
  expect(one?.x ?? 0).toBeGreaterThan((other?.x ?? 0) + 100);
});

test("text is read in its own direction, footnotes keep their text, and a heading at the start has no margin", async () => {
  const words = "## שלום עולם\n\nOne[^1] more\n\n- אחד\n- two\n\n[^1]: footnote";
  const { scene, page } = await openScene(...turn(reply(text(words))));
  await scene.exchange("مرحبا");
  const answer = page.locator(".text");
  await answer.getByText("[^1]: footnote").waitFor();
  await answer.getByText("One[^1] more").waitFor();
  const styleOf = (shown: Locator, name: string) =>
    shown.evaluate((element, wanted) => getComputedStyle(element).getPropertyValue(wanted), name);
  const heading = answer.locator("h4");
  expect(await styleOf(heading, "margin-block-start")).toBe("0px");
  for (const shown of [heading, answer.locator("ul"), page.locator(".user")])
    expect(await styleOf(shown, "direction")).toBe("rtl");
  expect(await styleOf(answer.locator("p").first(), "direction")).toBe("ltr");
});

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("an image that was sent with a message is shown below it, also after a reload", async () => {
  const { scene, page } = await openScene(...turn(reply(text("A dot."))));
  const image = { filename: "dot.png", content: PIXEL, media_type: "image/png" };
  await scene.session.message("What is this?", { attachments: [image] });
  const shown = page.locator(".asked").getByRole("img", { name: "Attached" });
  await shown.waitFor();
  await page.reload();
  await shown.waitFor();
  expect(await shown.getAttribute("src")).toBe(`data:image/png;base64,${PIXEL}`);
});

test("thinking is closed, says how long it is, and opens", async () => {
  const { scene, page } = await openScene(...turn(reply(thought("Twelve chars"), text("Done."))));
  await scene.exchange("Think");
  const summary = page.getByText("Thinking · 12 characters");
  await summary.waitFor();
  expect(await page.getByText("Twelve chars").isVisible()).toBe(false);
  await summary.click();
  expect(await page.getByText("Twelve chars").isVisible()).toBe(true);
});

test("consecutive reads are one line that opens", async () => {
  const { scene, page } = await openScene(...TOOLS);
  await scene.exchange("Greet by the time of day");
  const reads = page.locator(".reads");
  await reads.getByText("Read 3 files").click();
  expect(await reads.locator(".tool").count()).toBe(3);
  expect(await reads.getByText("mail.ts").isVisible()).toBe(true);
});

test("while Claude writes, the page counts tokens and moves a cursor, until the turn ends", async () => {
  const { scene, page } = await openScene(
    ...opened(cutReply(10, text("It is said in many words. ".repeat(40)))),
    HOLD,
  );
  await scene.say("Tell me");
  await page.getByText(/^Generating.* · about 1\d\d tokens · Esc stops$/).waitFor();
  await page.locator(".cursor").waitFor();
  expect(await page.locator(".text.streaming").count()).toBe(1);
  await scene.session.run("interrupt");
  await page.locator(".outcome:not(.failed)").getByText("Interrupted").waitFor();
  expect(
    await page.locator(".entry").getByText("Interrupted").filter({ visible: true }).count(),
  ).toBe(1);
  await page.getByText("Esc stops").waitFor({ state: "detached" });
  for (const gone of [".cursor", ".text.streaming"])
    await page.locator(gone).waitFor({ state: "detached" });
});

test("a turn ends with when it was asked for, its time, cost, tokens and model, and a failed one with its error", async () => {
  const { scene, page } = await openScene(...turn(reply(text("Done."))), ...FAILING);
  await scene.exchange("One");
  await page
    .locator(".turn-footer")
    .getByText(/ s · \$0\.\d+ · .+ in, .+ out/)
    .waitFor();
  const sentAt = await page.locator(".turn-footer time").getAttribute("datetime");
  expect(Date.now() - Date.parse(sentAt ?? "")).toBeWithin(0, 600_000);
  await page.locator(".turn-footer").getByText("opus").waitFor();
  await scene.exchange("Two");
  await page.locator(".outcome.failed").getByText("Failed").waitFor();
});

test("a message that was not answered can be put back into the composer", async () => {
  const { scene, page } = await openScene(...DYING);
  await scene.say("Where is it made?");
  await page.locator(".outcome").getByText("Claude ended before it had answered").waitFor();
  await page.getByRole("button", { name: "Put back into the composer" }).click();
  expect(await readValue(composerOf(page), "Where is it made?")).toBe("Where is it made?");
});

test("notices of Claude's program stand in the transcript, also kinds that this page does not know", async () => {
  const { scene, page } = await openScene(
    ...turn(
      system("compact_boundary", { compact_metadata: { trigger: "auto", pre_tokens: 1000 } }),
      out({ type: "brand_new", surprise: "<b>42</b>" }),
      reply(text("Done.")),
    ),
  );
  await scene.exchange("Go");
  await page.getByText("The conversation so far was summarised").waitFor();
  await page.getByText("A message of the unknown type brand_new").click();
  await page.getByText('"surprise": "<b>42</b>"').waitFor();
});

test("turns fold to one line, one by one and all at once, and stay so while the page is open", async () => {
  const turns = ["One", "Two", "Three"].map((name) => turn(reply(text(`${name} is done.`))));
  const { scene, page } = await openScene(...turns.flat());
  for (const name of ["Do one", "Do two", "Do three"]) await scene.exchange(name);
  await page.getByText("Three is done.").first().waitFor();
  await page.locator(".entry").first().hover();
  await page.getByRole("button", { name: "Collapse this turn" }).first().click();
  const folded = page
    .getByRole("region", { name: "Conversation" })
    .getByRole("button", { name: "Do one" });
  await page.locator(".folded-turn:focus").waitFor();
  expect(await page.locator(".text").allTextContents()).toEqual(["Two is done.", "Three is done."]);
  await page.goto(`${host.pageUrl}/#/`);
  await page.goto(`${host.pageUrl}/#/s/${scene.session.id}`);
  await folded.click();
  await page.locator(".text").getByText("One is done.").waitFor();
  await page.waitForLoadState("networkidle");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("collapse");
  await page.getByRole("option", { name: "Collapse or expand earlier turns" }).click();
  await page.locator(".folded-turn").nth(1).waitFor();
  expect(await page.locator(".text").allTextContents()).toEqual(["Three is done."]);
});

test("a continued conversation stands before the new turns, once, also after a reload", async () => {
  const session = await resumeLong(host, 3);
  const page = await browser.tab(session.id);
  await session.message("And now?");
  const asked = page.locator(".user");
  await asked.nth(3).getByText("And now?").waitFor();
  const all = ["Question 1", "Question 2", "Question 3", "And now?"];
  expect(await asked.allTextContents()).toEqual(all);
  await page.reload();
  await asked.nth(3).getByText("And now?").waitFor();
  expect(await asked.allTextContents()).toEqual(all);
});
