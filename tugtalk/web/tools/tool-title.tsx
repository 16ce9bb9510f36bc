/** The line of a tool card: the name of the tool, and the subject of the call. */
import type { ToolCallView } from "../../client/entry-models.ts";
import { LineCounts } from "./diff.tsx";
import { FilePath } from "./file-path.tsx";
import { purposeOf } from "./purpose.ts";

type ToolTitleProps = {
  readonly call: ToolCallView;
  /** The card is open, and shows the input of the call. */
  readonly isOpen: boolean;
};

export function ToolTitle({ call, isOpen }: ToolTitleProps) {
  const { tool, diff, preview } = call;
  const body = preview?.body.kind === "diff" ? preview.body : undefined;
  const hunks = diff?.structuredPatch ?? (body?.isWhole === true ? undefined : body?.hunks);
  return (
    <span class="line grow">
      <span class="tool-name strong">{tool?.label ?? "Tool"}</span>
      {tool?.server !== undefined && <span class="chip">{tool.server}</span>}
      <Summary call={call} isOpen={isOpen} />
      {diff?.editType === "create" && <span class="muted tool-note">new</span>}
      {hunks && <LineCounts hunks={hunks} />}
    </span>
  );
}

/** In these forms an open card has the summary in full. */
const SAID_BELOW: ReadonlySet<string | undefined> = new Set([
  ...["command", "search", "address", "plan", "questions", "fields"],
]);

/** The one line that says most about the call. */
function Summary({ call, isOpen }: ToolTitleProps) {
  const { diff, preview, summary } = call;
  const kind = diff === undefined ? preview?.body.kind : "diff";
  if (summary === undefined) return null;
  if (isOpen && SAID_BELOW.has(kind)) return <Purpose call={call} />;
  if (kind === "diff" || kind === "file") return <FilePath path={summary} />;
  const isCode = kind === "command" || kind === "search";
  return (
    <span
      class={isCode ? "truncate mono muted" : "truncate muted"}
      dir={isCode ? undefined : "auto"}
      title={summary}
    >
      {kind === "command" && "$ "}
      {summary}
    </span>
  );
}

/** The purpose of a command, in Claude's words. */
function Purpose({ call: { preview } }: Pick<ToolTitleProps, "call">) {
  const purpose = preview && purposeOf(preview);
  return purpose === undefined ? null : <span class="truncate muted">{purpose}</span>;
}
