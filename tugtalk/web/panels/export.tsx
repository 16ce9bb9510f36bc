/** The transcript as a file, or for the clipboard. */
import { useSignal } from "@preact/signals";
import type { SessionInfo } from "../../client/host-api.ts";
import { copyText } from "../elements/copy-button.tsx";
import { Dialog } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { useApp } from "../store/app.ts";
import { titleText } from "../store/title-text.ts";
import { Choices } from "./choices.tsx";
import { fileName } from "./file-name.ts";

const FORMATS = [
  { value: "md", label: "Markdown" },
  { value: "json", label: "JSON" },
] as const;

type Format = (typeof FORMATS)[number]["value"];

export function Export({ session: { id, title } }: { readonly session: SessionInfo }) {
  const { host, toasts } = useApp();
  const format = useSignal<Format>("md");
  const withText = (use: (text: string) => void | Promise<void>) => {
    const exported = host.transport.command("export", { id, format: format.value });
    void toasts.attempt(exported.then((answer) => use(answer.text)));
  };
  const copy = async (text: string) => {
    await copyText(text);
    toasts.show({ severity: "info", text: "The transcript was copied." });
  };
  return (
    <Dialog title="Export" class="narrow">
      <div class="dialog-body">
        <p class="muted">{titleText(title)}</p>
        <Choices
          title="Format"
          isCompact
          chosen={format.value}
          choices={FORMATS}
          onChoose={(chosen) => {
            format.value = chosen === "json" ? chosen : "md";
          }}
        />
      </div>
      <div class="dialog-actions">
        <button type="button" onClick={() => withText(copy)}>
          <Icon name="copy" /> Copy
        </button>
        <button
          type="button"
          class="primary"
          onClick={() => withText((text) => download(fileName(title, format.value), text))}
        >
          <Icon name="download" /> Download
        </button>
      </div>
    </Dialog>
  );
}

/** Gives a text to the person as a file. */
const TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  json: "application/json",
};

function download(name: string, text: string): void {
  const type = TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "text/plain";
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads the blob after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
