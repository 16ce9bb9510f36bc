/** The permission for one use of a tool: exactly what it would do, and the ways to answer. */
import { allow } from "../../client/answers.ts";
import type { NamedText, SuggestionView } from "../../client/prompt-models.ts";
import { pathIn } from "../../client/views/path-in.ts";
import type { PermissionDialogData } from "../../client/views/prompt-view.ts";
import type { InputPreview } from "../../client/views/tools.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { CodeText } from "../elements/code-text.tsx";
import { Icon } from "../elements/icon.tsx";
import { useFolder } from "../store/folder.ts";
import { FilePath } from "../tools/file-path.tsx";
import { Preview } from "../tools/tool-forms.tsx";
import { Denial } from "./denial.tsx";
import { useKnownChange } from "./known-change.ts";
import type { PromptActions } from "./prompt-actions.ts";
import { ScrollBox } from "./scroll-box.tsx";

type PermissionCardProps = {
  readonly view: PermissionDialogData;
  readonly actions: PromptActions;
};

export function PermissionCard({ view, actions }: PermissionCardProps) {
  const { decisionReason, blockedPath } = view;
  const { request, answer, isDisabled } = actions;
  const folder = useFolder();
  const change = useKnownChange(actions.sessionId, view);
  return (
    <>
      {decisionReason !== undefined && <p class="prompt-why hint">{showHidden(decisionReason)}</p>}
      {blockedPath !== undefined && isOutside(blockedPath, folder) && (
        <p class="prompt-why hint">
          Outside of what Claude may use: <FilePath path={blockedPath} />
        </p>
      )}
      <ScrollBox label="Input">
        <Preview preview={withoutDescription(view)} change={change} />
      </ScrollBox>
      <Denial actions={actions}>
        <button
          type="button"
          class="good"
          disabled={isDisabled}
          aria-keyshortcuts="Y"
          onClick={() => answer(allow(request))}
        >
          <Icon name="shield-check" /> Allow <kbd>Y</kbd>
        </button>
      </Denial>
      <Always view={view} actions={actions} />
    </>
  );
}

/** Claude names files of its own folder, too, where a command would write. */
function isOutside(path: string, folder: string): boolean {
  return folder !== "" && path.startsWith("/") && pathIn(folder, path) === undefined;
}

/** The card is headed with it. */
function withoutDescription({ preview, description }: PermissionDialogData): InputPreview {
  const isHeading = ({ name, text }: NamedText) => name === "description" && text === description;
  return { ...preview, rest: preview.rest.filter((field) => !isHeading(field)) };
}

/** The suggestions of Claude, each in full; where there are several, also all of them. */
function Always({ view, actions: { request, answer, isDisabled } }: PermissionCardProps) {
  const suggestions = view.suggestions.filter(({ isKnown }) => isKnown);
  if (suggestions.length === 0) return null;
  const accept = (accepted: readonly SuggestionView[]) => {
    const isAccepted = (_: unknown, place: number) => accepted.some(({ index }) => index === place);
    answer(allow(request, view.permissionSuggestions.filter(isAccepted)));
  };
  return (
    <div class="prompt-always stack tight">
      {suggestions.map((suggestion, place) => (
        <button
          key={suggestion.index}
          type="button"
          disabled={isDisabled}
          aria-keyshortcuts={place === 0 ? "A" : undefined}
          title={suggestion.revoke}
          onClick={() => accept([suggestion])}
        >
          <span>
            <CodeText text={suggestionLabel(suggestion)} />
          </span>{" "}
          {place === 0 && <kbd>A</kbd>}
        </button>
      ))}
      {suggestions.length > 1 && (
        <button type="button" disabled={isDisabled} onClick={() => accept(suggestions)}>
          Allow, with all of these
        </button>
      )}
    </div>
  );
}

/** "Always allow …" for a rule that allows; any other change comes with the permission. */
export function suggestionLabel({ text }: SuggestionView): string {
  const change = text.charAt(0).toLowerCase() + text.slice(1);
  return text.startsWith("Allow ") ? `Always ${change}` : `Allow, and ${change}`;
}
