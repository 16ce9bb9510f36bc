/** One hit: its session, the kind of its text, and the found words in the text. */
import type { ComponentChildren } from "preact";
import type { SearchHit } from "../../client/host-api.ts";
import { showHidden } from "../../client/views/visible-text.ts";
import { Age } from "../elements/age.tsx";
import { titleText } from "../store/title-text.ts";

const KINDS: Readonly<Record<SearchHit["kind"], string>> = {
  user: "You",
  text: "Claude",
  tool: "Tool",
  result: "Result",
};

export function HitView({ hit }: { readonly hit: SearchHit }) {
  return (
    <>
      <span class="search-hit-head line">
        <span class="truncate" dir="auto">
          {titleText(hit.title)}
        </span>
        <span class="palette-kind muted">
          {KINDS[hit.kind]} · <Age at={hit.at} />
        </span>
      </span>
      <span class="search-snippet small" dir="auto">
        {piecesOf(hit)}
      </span>
    </>
  );
}

/**
 * Hidden characters are made visible in each piece separately: the marks count the characters of the text.
 */
function piecesOf({ snippet, marks }: SearchHit): ComponentChildren {
  let shown = 0;
  const pieces = marks.flatMap(({ start, end }) => {
    const before = snippet.slice(shown, start);
    shown = end;
    return [showHidden(before), <mark key={start}>{showHidden(snippet.slice(start, end))}</mark>];
  });
  return [...pieces, showHidden(snippet.slice(shown))];
}
