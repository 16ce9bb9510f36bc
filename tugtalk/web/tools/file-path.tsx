/** The path of a file: where there is no room for all of it, its name stays. */
import { pathIn } from "../../client/views/path-in.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { useFolder } from "../store/folder.ts";

/** A hidden character is shown as `\u{202e}`, whose stroke ends no folder. */
const NAME = /(?:[^/\\]|\\(?=u\{))*[/\\]?$/;

export function FilePath({ path }: { readonly path: string }) {
  const shown = showHidden(pathIn(useFolder(), path) ?? path);
  const cut = shown.search(NAME);
  return (
    <span class="path" title={showHidden(path)}>
      <span class="path-folder">{shown.slice(0, cut)}</span>
      <span class="path-name">{shown.slice(cut)}</span>
    </span>
  );
}
