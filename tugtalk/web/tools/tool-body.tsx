/** The inside of a tool card: what the call does, what its agent did, and what came of it. */
import type { ComponentChildren } from "preact";
import { toolRow } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import type { ToolCallView } from "../../src/messages/entry-models.ts";
import type { ToolItem } from "../../src/messages/transcript-models.ts";
import type { DiffViewerData } from "../../src/web-components.ts";
import { Diff } from "./diff.tsx";
import { Preview } from "./input-preview.tsx";
import { NewFile } from "./new-file.tsx";
import { OutputView } from "./output-view.tsx";
import { PermissionReceipt } from "./permission-receipt.tsx";
import { showOutput } from "./shown-output.ts";
import { TextBlock } from "./text-block.tsx";
import { ToolImages } from "./tool-images.tsx";

export type ToolBodyProps = {
  readonly item: ToolItem;
  readonly call: ToolCallView;
  readonly children: ComponentChildren;
};

export function ToolBody({ item, call, children }: ToolBodyProps) {
  const { preview, partialInput, diff, permission, output } = call;
  const shown = showOutput(item);
  const isInputShown = toolRow(item.name)?.showsInput !== true || shown.kind !== "tasks";
  return (
    <div class="tool-body">
      {preview !== undefined && isInputShown && <Preview preview={preview} />}
      {partialInput !== undefined && <TextBlock text={showHidden(partialInput)} />}
      {diff !== undefined && <Change diff={diff} />}
      {permission !== undefined && <PermissionReceipt permission={permission} />}
      <div class="tool-children">{children}</div>
      <OutputView output={shown} />
      {output !== undefined && <ToolImages images={output.images} />}
    </div>
  );
}

const VERBS = { create: "Created", update: "Updated", edit: "Changed" } as const;

/** A new file is one text; only a change has lines that go and lines that come. */
function Change({ diff }: { readonly diff: DiffViewerData }) {
  const { editType, newFile, filePath, structuredPatch } = diff;
  if (editType === "create" && newFile !== undefined)
    return <NewFile filePath={filePath} text={newFile} />;
  return <Diff filePath={filePath} hunks={structuredPatch} verb={VERBS[editType]} />;
}
