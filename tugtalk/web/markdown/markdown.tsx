/** A text of Claude, which is Markdown. The parser is loaded with the first text that has marks. */
import { useState } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import type { MarkedTextProps } from "./marked-text.tsx";
import { paragraphsOf, splitParagraphs } from "./paragraphs.ts";

/** Until the parser is there, the marks are shown. */
const MarkedText = lazy<MarkedTextProps>(
  async () => (await import("./marked-text.tsx")).MarkedText,
  ({ text }) => <Paragraphs texts={splitParagraphs(text)} />,
);

/** Only the beginning of a longer text that is complete is shown at first. */
const MAX_CHARS = 100_000;

export const Markdown = memo(({ text, isStreaming }: MarkedTextProps) => {
  const [limit, setLimit] = useState(isStreaming ? Number.POSITIVE_INFINITY : MAX_CHARS);
  const shown = beginningOf(text, limit);
  const paragraphs = paragraphsOf(shown);
  return (
    <div class="markdown">
      {paragraphs === undefined ? (
        <MarkedText text={shown} isStreaming={isStreaming} />
      ) : (
        <Paragraphs texts={paragraphs} />
      )}
      {shown !== text && (
        <button type="button" onClick={() => setLimit(Number.POSITIVE_INFINITY)}>
          Show all
        </button>
      )}
    </div>
  );
});

/** Whole lines, if there are any. */
function beginningOf(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = text.lastIndexOf("\n", limit);
  return text.slice(0, end === -1 ? limit : end);
}

function Paragraphs({ texts }: { readonly texts: readonly string[] }) {
  return (
    <>
      {texts.map((text) => (
        <p dir="auto">{showHidden(text)}</p>
      ))}
    </>
  );
}
