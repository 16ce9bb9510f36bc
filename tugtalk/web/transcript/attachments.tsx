/** The files of a message. */
import { objectOf, textOf } from "../../client/claude-value.ts";
import type { UserItem } from "../../client/transcript-models.ts";
import { showHidden } from "../../client/views/visible-text.ts";

export function Attachments({ content }: { readonly content: NonNullable<UserItem["content"]> }) {
  const files = attachedFiles(content);
  if (files.length === 0) return null;
  return (
    <ul class="attachments row hint">
      {files.map((file, index) => (
        <li key={index}>
          {file.kind === "image" ? (
            <img src={`data:${file.mediaType};base64,${file.data}`} alt="Attached by you" />
          ) : (
            showHidden(file.name)
          )}
        </li>
      ))}
    </ul>
  );
}

/** The files in the blocks of a message, which are in the format of the Messages API. */
type AttachedFile =
  | { readonly kind: "image"; readonly mediaType: string; readonly data: string }
  | { readonly kind: "file"; readonly name: string };

type Block = Readonly<Record<string, unknown>>;

export function attachedFiles(content: readonly Block[]): readonly AttachedFile[] {
  return content.flatMap((block) => {
    if (block["type"] === "document")
      return [{ kind: "file" as const, name: textOf(block["title"]) ?? "A document" }];
    return block["type"] === "image" ? imageOf(block) : [];
  });
}

const DRAWN = /^image\/(?:png|jpeg|gif|webp)$/;

function imageOf({ source }: Block): AttachedFile[] {
  const mediaType = textOf(objectOf(source)?.["media_type"]);
  const data = textOf(objectOf(source)?.["data"]);
  if (mediaType === undefined || data === undefined || !DRAWN.test(mediaType))
    return [{ kind: "file", name: "An image" }];
  return [{ kind: "image", mediaType, data }];
}
