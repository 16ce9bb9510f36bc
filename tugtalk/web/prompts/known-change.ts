/** The effect of a requested change on the present file, which Claude reads for the page. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { filledText, objectOf, textOf } from "../../client/claude-value.ts";
import { CommandError } from "../../client/transports/transport.ts";
import { viewChange } from "../../client/views/change-view.ts";
import { pathIn } from "../../client/views/path-in.ts";
import type { PermissionDialogData } from "../../client/views/prompt-view.ts";
import { formatCount } from "../elements/format-amount.ts";
import { useApp } from "../store/app.ts";
import { useFolder } from "../store/folder.ts";
import type { KnownChange } from "../tools/tool-forms.tsx";

/** A larger file is not compared. */
const MAX_BYTES = 256 * 1024;

/** `unshown`: it is there, and too large or no text. `denied`: it is not there, or may not be read. `unknown`: neither is known. */
export type PresentFile =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "none" | "unshown" | "denied" | "unknown" };

/** Undefined until the file has been read, and for calls that change none. */
export function useKnownChange(
  sessionId: string,
  { preview: { body }, input }: PermissionDialogData,
): KnownChange | undefined {
  const { host } = useApp();
  const folder = useFolder();
  const path = body.kind === "diff" ? filledText(input["file_path"]) : undefined;
  const file = useSignal<PresentFile | undefined>(undefined);
  useEffect(() => {
    if (path === undefined) return;
    const request = { id: sessionId, subtype: "read_file", path, max_bytes: MAX_BYTES };
    host.transport.command("control", request).then(
      ({ response }) => {
        file.value = readFile(response);
      },
      (error) => {
        file.value = { kind: whyUnread(error, pathIn(folder, path)) };
      },
    );
  }, [host, sessionId, path, folder]);
  return file.value && describeChange(file.value, input);
}

function readFile(response: unknown): PresentFile {
  const { contents, truncated, lossy } = objectOf(response) ?? {};
  const text = textOf(contents);
  if (text === undefined || truncated === true || lossy === true || text.includes("\0"))
    return { kind: "unshown" };
  return { kind: "text", text };
}

/**
 * 2.1.330 gives one answer for missing files and for files that it may not read, like all outside of its
 * folder.
 */
function whyUnread(error: unknown, path: string | undefined): "none" | "denied" | "unknown" {
  if (!(error instanceof CommandError)) return "unknown";
  if (error.message.includes("ENOENT")) return "none";
  return error.message.includes("read denied") && path !== undefined ? "denied" : "unknown";
}

/** An edit has the text that it replaces. A whole text needs the file. */
export function describeChange(
  file: PresentFile,
  input: PermissionDialogData["input"],
): KnownChange | undefined {
  const isWhole = textOf(input["content"]) !== undefined;
  switch (file.kind) {
    case "text": {
      const hunks = viewChange(input, file.text);
      const lines = file.text === "" ? 0 : file.text.replace(/\n$/, "").split("\n").length;
      return { verb: isWhole ? `Replaces ${formatCount(lines, "line")}` : "Changes", hunks };
    }
    case "none":
      return isWhole ? { verb: "New file" } : undefined;
    case "denied":
      return isWhole ? { verb: "New file, or one that Claude may not read" } : undefined;
    case "unshown":
      return isWhole ? { verb: "Replaces what cannot be shown" } : undefined;
    case "unknown":
      return isWhole ? { verb: "Writes, perhaps over what is there" } : undefined;
  }
}
