/** Puts files into the draft of a session, as far as a message may have them. */
import type { Attachment } from "../../src/messages/user-messages.ts";
import { leaveButton } from "../elements/focus-main.ts";
import type { App } from "../store/app.ts";
import { readAttachment } from "./read-attachment.ts";

/** The limits of a message. */
const MAX_ATTACHMENTS = 100;
const MAX_CHARS = 32 * 1024 * 1024;

/** Attaches files. A notice names the files that could not be attached, and the files that were changed. */
export async function attachFiles(
  { drafts, toasts }: App,
  sessionId: string,
  files: readonly File[],
): Promise<void> {
  const { attachments } = drafts.of(sessionId);
  for (const file of files) {
    const read = await readAttachment(file);
    const problem =
      "problem" in read ? read.problem : problemWith(attachments.value, read.attachment);
    if (problem !== undefined) {
      toasts.show({ severity: "error", text: problem });
    } else if ("attachment" in read) {
      attachments.value = [...attachments.value, read.attachment];
      if (read.isScaled)
        toasts.show({ severity: "info", text: `${file.name} was made smaller to be sent.` });
    }
  }
}

function problemWith(attached: readonly Attachment[], added: Attachment): string | undefined {
  if (attached.length >= MAX_ATTACHMENTS)
    return `${added.filename} is one too many: a message has ${MAX_ATTACHMENTS} files at most.`;
  const chars = [...attached, added].reduce((sum, { content }) => sum + content.length, 0);
  if (chars > MAX_CHARS)
    return `${added.filename} is too large: the files of a message have 32 MiB at most.`;
  return undefined;
}

/** The dialog of the browser. */
export function pickFiles(app: App, sessionId: string): void {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.onchange = () => {
    leaveButton();
    void attachFiles(app, sessionId, [...(input.files ?? [])]);
  };
  input.click();
}
