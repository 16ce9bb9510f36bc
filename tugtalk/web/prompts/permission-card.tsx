/** The permission for one use of a tool: its exact effect, and the ways to answer. */
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

type AlwaysProps = Pick<PermissionCardProps, "actions"> & {
  /** The suggestions that can be described. */
  readonly suggestions: readonly SuggestionView[];
  readonly onAccept: (accepted: readonly SuggestionView[]) => void;
};

/** The suggestions of Claude, each in full. */
function Always({ view, actions }: PermissionCardProps) {
  const suggestions = view.suggestions.filter(({ isKnown }) => isKnown);
  const onAccept = (accepted: readonly SuggestionView[]) => {
    const isAccepted = (_: unknown, place: number) => accepted.some(({ index }) => index === place);
    actions.answer(allow(actions.request, view.permissionSuggestions.filter(isAccepted)));
  };
  if (suggestions.length === 0) return null;
  const Suggested = suggestions.length === 1 ? OneSuggestion : SeveralSuggestions;
  return <Suggested suggestions={suggestions} actions={actions} onAccept={onAccept} />;
}

function OneSuggestion({ suggestions, actions: { isDisabled }, onAccept }: AlwaysProps) {
  return (
    <div class="prompt-always stack tight">
      {suggestions.map((suggestion) => (
        <button
          key={suggestion.index}
          type="button"
          disabled={isDisabled}
          aria-keyshortcuts="A"
          title={suggestion.revoke}
          onClick={() => onAccept([suggestion])}
        >
          <span>
            <CodeText text={suggestionLabel(suggestion)} />
          </span>{" "}
          <kbd>A</kbd>
        </button>
      ))}
    </div>
  );
}

/** The ticked suggestions come with the permission. At first, only Claude's first suggestion is ticked. */
function SeveralSuggestions({ suggestions, actions, onAccept }: AlwaysProps) {
  const { form, isDisabled } = actions;
  const { ticked = suggestions.slice(0, 1).map(({ index }) => index) } = form.draft.value;
  const isTicked = ({ index }: SuggestionView) => Array.isArray(ticked) && ticked.includes(index);
  const accepted = suggestions.filter(isTicked);
  const tick = (changed: SuggestionView) => {
    const wanted = suggestions.filter((one) => isTicked(one) !== (one === changed));
    form.set({ ticked: wanted.map(({ index }) => index) });
  };
  return (
    <fieldset class="prompt-always stack tight" disabled={form.phase.value !== "open"}>
      <legend class="visually-hidden">With the permission</legend>
      {suggestions.map((suggestion) => (
        <label key={suggestion.index} class="choice" title={suggestion.revoke}>
          <input type="checkbox" checked={isTicked(suggestion)} onChange={() => tick(suggestion)} />
          <span>
            <CodeText text={suggestion.text} />
          </span>
        </label>
      ))}
      <button
        type="button"
        disabled={isDisabled || accepted.length === 0}
        aria-keyshortcuts="A"
        onClick={() => onAccept(accepted)}
      >
        Allow, with what is ticked <kbd>A</kbd>
      </button>
    </fieldset>
  );
}

/** "Always allow …" for a rule that allows; any other change comes with the permission. */
export function suggestionLabel({ text }: SuggestionView): string {
  const change = text.charAt(0).toLowerCase() + text.slice(1);
  return text.startsWith("Allow ") ? `Always ${change}` : `Allow, and ${change}`;
}
