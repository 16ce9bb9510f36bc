/** Files in the composer, from Chromium to the lines that Claude reads. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import type { NewTestSession, TestHostSession } from "../../../testing/drivers/host-process.ts";
import { atFirstSight } from "../../__tests__/support/first-sight.ts";
import { openBrowser } from "../../__tests__/support/opened-browser.ts";
import { HOLD, opened as openTurn } from "../../__tests__/support/scene-lines.ts";
import {
  field,
  fieldHas,
  openComposer,
  rows,
  send,
  sendButton,
  stopButton,
} from "./support/composer-page.ts";
import { type ChosenFile, chips, give, IMAGE } from "./support/given-files.ts";

const tested = await openBrowser();
const { host } = tested;

const NOTES = { name: "notes.md", mimeType: "", buffer: Buffer.from("# Notes\nOne.") };

const opened = (options?: NewTestSession) => openComposer(tested, options);

async function choose(page: Page, ...files: readonly ChosenFile[]): Promise<void> {
  const dialog = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Attach files" }).click();
  await (await dialog).setFiles([...files]);
}

type Block = {
  readonly type: string;
  readonly text?: string;
  readonly source?: { readonly media_type: string; readonly data: string };
};

/** The blocks of the first message that Claude reads. */
async function firstBlocks(session: TestHostSession): Promise<readonly Block[]> {
  const { message } = await session.claudeHears(({ type }) => type === "user");
  return (message as { readonly content: readonly Block[] }).content;
}

const IMAGE_BLOCK = {
  type: "image",
  source: { type: "base64", media_type: "image/png", data: IMAGE.buffer.toString("base64") },
};

test("chosen files are shown as chips, can be removed, and go with the message", async () => {
  const { session, page } = await opened();
  await choose(page, IMAGE, NOTES, { ...IMAGE, name: "other.png" });
  await chips(page).nth(2).waitFor();
  const image = chips(page).first().locator("img");
  expect(await image.getAttribute("src")).toStartWith("blob:");
  const width = image.evaluate(async (element: HTMLImageElement) => {
    await element.decode();
    return element.naturalWidth;
  });
  expect(await width).toBe(1);
  await page.getByRole("button", { name: "Remove other.png" }).click();
  expect(await chips(page).count()).toBe(2);
  await send(page, "Look");
  expect(await firstBlocks(session)).toMatchObject([
    { type: "text", text: "Look" },
    IMAGE_BLOCK,
    { type: "text", text: "notes.md:\n\n# Notes\nOne." },
  ]);
  expect(await chips(page).count()).toBe(0);
});

test("an image is pasted, and sent without any text", async () => {
  const { session, page } = await opened();
  await give(page, "paste");
  await chips(page).first().waitFor();
  await sendButton(page).click();
  expect(await firstBlocks(session)).toMatchObject([IMAGE_BLOCK]);
});

test("files that are dragged over the page find a place to be dropped", async () => {
  const { session, page } = await opened();
  await give(page, "dragenter");
  await page.getByText("Drop files to attach them").waitFor();
  await give(page, "drop");
  await chips(page).first().waitFor();
  expect(await page.getByText("Drop files to attach them").count()).toBe(0);
  await send(page, "Look");
  expect(await firstBlocks(session)).toMatchObject([{ type: "text", text: "Look" }, IMAGE_BLOCK]);
});

test("files that are over the page as soon as it is seen find a place to be dropped", async () => {
  const { page } = await opened();
  await atFirstSight(page, ".composer-field", (field) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["text"], "notes.md"));
    field.dispatchEvent(new DragEvent("dragenter", { bubbles: true, dataTransfer }));
  });
  await page.reload();
  await page.getByText("Drop files to attach them").waitFor();
});

test("an image that is too large is made smaller, and a file that cannot be sent is refused before sending", async () => {
  const { session, page } = await opened();
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1000;
    const context = canvas.getContext("2d");
    const pixels = context?.createImageData(1000, 1000);
    for (let at = 0; pixels && at < pixels.data.length; at += 65_536)
      crypto.getRandomValues(pixels.data.subarray(at, at + 65_536));
    if (pixels) context?.putImageData(pixels, 0, 0);
    return canvas.toDataURL("image/png").replace(/^.*,/, "");
  });
  const photo = { name: "photo.png", mimeType: "image/png", buffer: Buffer.from(base64, "base64") };
  expect(photo.buffer.length).toBeGreaterThan((5 * 1024 * 1024 * 3) / 4);
  const binary = { name: "a.bin", mimeType: "", buffer: Buffer.from([1, 0, 255]) };
  const empty = { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) };
  await choose(page, photo, binary, empty);
  await page.getByText("photo.png was made smaller to be sent.").waitFor();
  await page.getByText("a.bin is neither a text nor an image that can be read.").waitFor();
  await page.getByText("empty.txt is empty.").waitFor();
  await chips(page).first().waitFor();
  expect(await chips(page).count()).toBe(1);
  await send(page, "Look");
  const image = (await firstBlocks(session))[1];
  expect(image?.source?.data.length).toBeLessThanOrEqual(5 * 1024 * 1024);
  expect(image?.source?.media_type).toBe("image/webp");
});

test("attachments stay with their session, wait with their message, and come back with Stop", async () => {
  const { session, page } = await opened({ conversation: [...openTurn(), HOLD] });
  const other = await host.createSession();
  await session.message("go");
  await stopButton(page).waitFor();
  await choose(page, IMAGE);
  await chips(page).first().waitFor();
  await page.goto(`${host.pageUrl}/#/s/${other.id}`);
  await chips(page).first().waitFor({ state: "detached" });
  await page.goto(`${host.pageUrl}/#/s/${session.id}`);
  await chips(page).first().waitFor();
  await send(page, "Look");
  await rows(page).filter({ hasText: 'Message queued: "Look" with dot.png' }).waitFor();
  expect(await chips(page).count()).toBe(0);
  await stopButton(page).click();
  await fieldHas(page, "Look");
  await chips(page).filter({ hasText: "dot.png" }).waitFor();
  expect(await field(page).isEnabled()).toBe(true);
});
