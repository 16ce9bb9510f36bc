/** Files that a person drags over the page, drops there or pastes, and their chips in the composer. */
import type { Page } from "playwright-core";

export type ChosenFile = {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
};

/** One transparent pixel. */
export const IMAGE: ChosenFile = {
  name: "dot.png",
  mimeType: "image/png",
  buffer: Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
    "base64",
  ),
};

type FileEvent = "dragenter" | "dragover" | "drop" | "paste";

/** Drags a file over the page, or drops or pastes it. Resolves with whether the page has taken the event. */
export async function give(page: Page, type: FileEvent, file = IMAGE): Promise<boolean> {
  return await page.evaluate(
    ({ type, name, mimeType, base64 }) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const files = new DataTransfer();
      files.items.add(new File([bytes], name, { type: mimeType }));
      const options = { bubbles: true, cancelable: true };
      const event =
        type === "paste"
          ? new ClipboardEvent(type, { ...options, clipboardData: files })
          : new DragEvent(type, { ...options, dataTransfer: files });
      document.querySelector(".composer-field")?.dispatchEvent(event);
      return event.defaultPrevented;
    },
    { type, name: file.name, mimeType: file.mimeType, base64: file.buffer.toString("base64") },
  );
}

export const chips = (page: Page) =>
  page.getByRole("list", { name: "Attachments" }).getByRole("listitem");
