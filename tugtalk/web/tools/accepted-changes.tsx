/** Rules that a person has allowed together with a tool call: where it is written, and how to take it back. */

import type { ToolPermission } from "../../client/transcript-models.ts";
import { viewSuggestion } from "../../client/views/suggestion-view.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { CodeText } from "../elements/code-text.tsx";
import { Icon } from "../elements/icon.tsx";

type AcceptedChangesProps = {
  readonly permission: ToolPermission | undefined;
  /** The servers of the session, for the names of their tools. */
  readonly servers: readonly { readonly name: string }[];
};

export function AcceptedChanges({ permission, servers }: AcceptedChangesProps) {
  const { by, updatedPermissions = [] } = permission ?? {};
  if (updatedPermissions.length === 0) return null;
  const changes = updatedPermissions.map((one, index) => viewSuggestion(one, index, servers));
  return (
    <ul class="accepted-changes" aria-label="Allowed for good">
      {changes.map(({ index, text, revoke }) => (
        <li key={index} class="line good-text small">
          <Icon name="shield-check" />
          <span>
            Accepted{by !== undefined && ` by ${showHidden(by)}`}: <CodeText text={text} />.{" "}
            <span class="muted">
              To take it back: <CodeText text={revoke} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  );
}
