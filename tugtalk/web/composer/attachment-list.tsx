/** The files of a draft. */
import { useEffect, useMemo } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import type { Attachment } from "../../src/messages/user-messages.ts";
import { leaveButton } from "../elements/focus-main.ts";
import { Icon } from "../elements/icon.tsx";
import { IconButton } from "../elements/icon-button.tsx";
import type { Draft } from "../store/drafts.ts";

export function AttachmentList({ draft: { attachments } }: { readonly draft: Draft }) {
  const remove = (removed: Attachment) => {
    attachments.value = attachments.value.filter((attachment) => attachment !== removed);
  };
  return (
    <ul class="draft-files row tight" aria-label="Attachments">
      {attachments.value.map((attachment, index) => (
        // Two files may have one name.
        <li key={`${index} ${attachment.filename}`} class="draft-file line tight">
          {attachment.media_type.startsWith("image/") ? (
            <Thumbnail image={attachment} />
          ) : (
            <Icon name="file" />
          )}
          <span class="truncate">{showHidden(attachment.filename)}</span>
          <IconButton
            icon="cross"
            label={`Remove ${attachment.filename}`}
            title="Remove"
            onClick={() => {
              leaveButton();
              remove(attachment);
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function Thumbnail({ image }: { readonly image: Attachment }) {
  const url = useMemo(() => URL.createObjectURL(blobOf(image)), [image]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img class="draft-image" src={url} alt="" />;
}

function blobOf({ content, media_type }: Attachment): Blob {
  const bytes = Uint8Array.from(atob(content), (character) => character.charCodeAt(0));
  return new Blob([bytes], { type: media_type });
}
