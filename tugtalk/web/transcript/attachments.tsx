/** The files of a message. */
import type { UserItem } from "../../src/messages/transcript-models.ts";
import { attachedFiles } from "./attached-files.ts";

export function Attachments({ content }: { readonly content: NonNullable<UserItem["content"]> }) {
  const files = attachedFiles(content);
  if (files.length === 0) return null;
  return (
    <ul class="attachments">
      {files.map((file, index) => (
        <li key={index}>
          {file.kind === "image" ? (
            <img src={`data:${file.mediaType};base64,${file.data}`} alt="Attached by you" />
          ) : (
            file.name
          )}
        </li>
      ))}
    </ul>
  );
}
