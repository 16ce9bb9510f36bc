/** The permission for one use of a tool: exactly what it would do, and the ways to answer. */

import { showHidden } from "../../client/views/visible-text.ts";
import type { InputPreview, NamedText, SuggestionView } from "../../src/messages/prompt-models.ts";
import type { PermissionDialogData } from "../../src/web-components.ts";
import { CodeText } from "../elements/code-text.tsx";
import { Icon } from "../elements/icon.tsx";
import { Preview } from "../tools/input-preview.tsx";
import { Denial } from "./denial.tsx";
import type { PromptActions } from "./prompt-actions.ts";
import { ScrollBox } from "./scroll-box.tsx";
import { suggestionLabel } from "./suggestion-label.ts";

export type PermissionCardProps = {
  readonly view: PermissionDialogData;
  readonly actions: PromptActions;
};

export function PermissionCard({ view, actions }: PermissionCardProps) {
  const { decisionReason, blockedPath } = view;
  return (
    <>
      {decisionReason !== undefined && <p class="prompt-why">{showHidden(decisionReason)}</p>}
      {blockedPath !== undefined && (
        <p class="prompt-why">
          Outside of what Claude may use: <code>{showHidden(blockedPath)}</code>
        </p>
      )}
      <ScrollBox label="Input">
        <Preview preview={withoutDescription(view)} />
      </ScrollBox>
      <Denial actions={actions}>
        <button
          type="button"
          class="good"
          disabled={actions.isDisabled}
          aria-keyshortcuts="Y"
          onClick={() => actions.answer("approve", { decision: "allow" })}
        >
          <Icon name="shield-check" /> Allow <kbd>Y</kbd>
        </button>
      </Denial>
      <Always suggestions={view.suggestions.filter(({ isKnown }) => isKnown)} actions={actions} />
    </>
  );
}

/** The card is headed with it. */
function withoutDescription({ preview, description }: PermissionDialogData): InputPreview {
  const isHeading = ({ name, text }: NamedText) => name === "description" && text === description;
  return { ...preview, rest: preview.rest.filter((field) => !isHeading(field)) };
}

type AlwaysProps = {
  readonly suggestions: readonly SuggestionView[];
  readonly actions: PromptActions;
};

/** The suggestions of Claude, each in full; where there are several, also all of them. */
function Always({ suggestions, actions }: AlwaysProps) {
  if (suggestions.length === 0) return null;
  const allow = (...accepted: readonly SuggestionView[]) =>
    actions.answer("approve", {
      decision: "allow",
      suggestions: accepted.map(({ index }) => index),
    });
  return (
    <div class="prompt-always">
      {suggestions.map((suggestion, place) => (
        <button
          key={suggestion.index}
          type="button"
          disabled={actions.isDisabled}
          aria-keyshortcuts={place === 0 ? "A" : undefined}
          title={suggestion.revoke}
          onClick={() => allow(suggestion)}
        >
          <span>
            <CodeText text={suggestionLabel(suggestion)} />
          </span>{" "}
          {place === 0 && <kbd>A</kbd>}
        </button>
      ))}
      {suggestions.length > 1 && (
        <button type="button" disabled={actions.isDisabled} onClick={() => allow(...suggestions)}>
          Allow, with all of these
        </button>
      )}
    </div>
  );
}
