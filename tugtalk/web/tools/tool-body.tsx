/** The inside of a tool card: the input, the work of its agent, and the outcome. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ToolCallView, ToolImage } from "../../client/entry-models.ts";
import type { ToolItem, ToolPermission } from "../../client/transcript-models.ts";
import { launchText, NO_OUTPUT } from "../../client/views/tool-outputs.ts";
import { toolRow } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { DiffViewerData } from "../../client/web-components.ts";
import { Dialog } from "../elements/dialog.tsx";
import { Icon } from "../elements/icon.tsx";
import { Code } from "../markdown/code.tsx";
import { Diff } from "./diff.tsx";
import { receiptText } from "./receipt-text.ts";
import { showOutput } from "./shown-output.ts";
import { TextBlock } from "./text-block.tsx";
import { OutputView, TitledPreview } from "./tool-forms.tsx";

type ToolBodyProps = {
  readonly item: ToolItem;
  readonly call: ToolCallView;
  /** Its agent has done something, which `children` draw. */
  readonly hasSteps: boolean;
  readonly children: ComponentChildren;
};

export function ToolBody({ item, call, hasSteps, children }: ToolBodyProps) {
  const { preview, summary, partialInput, diff, permission, output } = call;
  // The steps of an agent show that it was started.
  const isSeen = hasSteps && launchText(item.structured) !== undefined;
  const shown = isSeen ? NO_OUTPUT : showOutput(item);
  const isInputShown = toolRow(item.name)?.showsInput !== true || shown.kind !== "tasks";
  return (
    <div class="tool-body stack">
      {preview !== undefined && isInputShown && (
        <TitledPreview preview={preview} summary={summary} />
      )}
      {partialInput !== undefined && <TextBlock text={showHidden(partialInput)} />}
      {diff !== undefined && <Change diff={diff} />}
      {permission !== undefined && <PermissionReceipt permission={permission} />}
      <div class="tool-children stack">{children}</div>
      <OutputView output={shown} />
      {output !== undefined && <ToolImages images={output.images} />}
    </div>
  );
}

/** The path stands above it. A new file is one text; only a change has lines that go and lines that come. */
function Change({ diff }: { readonly diff: DiffViewerData }) {
  const { editType, newFile, filePath, structuredPatch } = diff;
  if (editType === "create" && newFile !== undefined)
    return <Code code={newFile} language={endingOf(filePath)} />;
  return <Diff hunks={structuredPatch} />;
}

/** `ts` of `greet.ts`: highlighters know languages by it. */
function endingOf(filePath: string): string {
  return /\.(\w+)$/.exec(filePath)?.[1] ?? "";
}

/** The outcome of the prompt for a tool call. */
function PermissionReceipt({ permission }: { readonly permission: ToolPermission }) {
  const isAllowed = permission.outcome === "allow" || permission.outcome === "answered";
  return (
    <p class="hint">
      <Icon name={isAllowed ? "shield-check" : "shield-x"} /> {receiptText(permission)}
    </p>
  );
}

/** SVG is left out: it is a document that may hold scripts. */
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  "image/png",
  "image/jpeg",
  "image/gif",
  "image/webp",
]);

/** Images in the result of a tool call; a click shows one in full size. */
function ToolImages({ images }: { readonly images: readonly ToolImage[] }) {
  const shown = useSignal<string | undefined>(undefined);
  const urls = images
    .filter(({ mediaType }) => MEDIA_TYPES.has(mediaType))
    .map(({ mediaType, data }) => `data:${mediaType};base64,${data}`);
  if (urls.length === 0) return null;
  return (
    <div class="tool-images">
      {urls.map((url, index) => (
        <button
          key={index}
          type="button"
          class="tool-image"
          aria-label={`Enlarge result ${index + 1}`}
          onClick={() => {
            shown.value = url;
          }}
        >
          <img src={url} alt={`Result ${index + 1}`} />
        </button>
      ))}
      {shown.value !== undefined && (
        <Dialog
          title="Image"
          class="image-dialog"
          onClose={() => {
            shown.value = undefined;
          }}
        >
          <img src={shown.value} alt="Result in full size" />
        </Dialog>
      )}
    </div>
  );
}
