/** The files in the blocks of a message, which are in the format of the Messages API. Pure. */
import { objectOf, textOf } from "../../client/claude-value.ts";

export type AttachedFile =
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
