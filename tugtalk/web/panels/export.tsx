/** The transcript as a file, or for the clipboard. */
import { useSignal } from "@preact/signals";
import { textOf } from "../../client/claude-value.ts";
import { copyText } from "../elements/copy-text.ts";
import { Dialog } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { useSubject } from "../store/session-info.ts";
import { titleText } from "../store/title-text.ts";
import { Choices } from "./choices.tsx";
import { download, fileName } from "./download.ts";

const FORMATS = [
  { value: "md", label: "Markdown" },
  { value: "json", label: "JSON" },
] as const;

export function Export() {
  const { host, dialog, toasts } = useApp();
  const subject = useSubject().value;
  const format = useSignal<string>("md");
  if (subject === undefined) return null;
  const { id, title } = subject;
  const withText = async (use: (text: string) => void | Promise<void>) => {
    try {
      const answer = await host.transport.command("export", { id, format: format.value });
      await use(textOf(answer["text"]) ?? "");
    } catch (error) {
      toasts.fail(error);
    }
  };
  const copy = async (text: string) => {
    await copyText(text);
    toasts.show({ severity: "info", text: "The transcript was copied." });
  };
  return (
    <Dialog
      title="Export"
      class="narrow"
      onClose={() => {
        dialog.value = undefined;
      }}
    >
      <div class="dialog-body">
        <p class="muted">{titleText(title)}</p>
        <Choices
          title="Format"
          isCompact
          chosen={format.value}
          choices={FORMATS}
          onChoose={(chosen) => {
            format.value = chosen;
          }}
        />
      </div>
      <div class="dialog-actions">
        <button type="button" onClick={() => void withText(copy)}>
          <Icon name="copy" /> Copy
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => void withText((text) => download(fileName(title, format.value), text))}
        >
          <Icon name="download" /> Download
        </button>
      </div>
    </Dialog>
  );
}
