/** A text of Claude: Markdown as elements, drawn block by block while it arrives. */
import { useRef, useState } from "preact/hooks";
import { memo } from "../elements/memo.tsx";
import { Block } from "./block.tsx";
import { type BlockGroup, EMPTY_TEXT, lexMarkdown } from "./block-lexer.ts";

/** Of a longer text that is there as a whole, only the beginning is shown at first. */
const MAX_CHARS = 100_000;

type MarkdownProps = { readonly text: string; readonly isStreaming: boolean };

export const Markdown = memo(({ text, isStreaming }: MarkdownProps) => {
  const [limit, setLimit] = useState(isStreaming ? Number.POSITIVE_INFINITY : MAX_CHARS);
  const lexed = useRef(EMPTY_TEXT);
  const shown = beginningOf(text, limit);
  lexed.current = lexMarkdown(lexed.current, shown, !isStreaming);
  const { groups } = lexed.current;
  return (
    <div class="markdown">
      {groups.map((blocks, index) => (
        <Group key={index} blocks={blocks} isOpen={isStreaming && index === groups.length - 1} />
      ))}
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

type GroupProps = { readonly blocks: BlockGroup; readonly isOpen: boolean };

/** Its last block is the one to which more may come. */
const Group = memo(({ blocks, isOpen }: GroupProps) => (
  <>
    {blocks.map((token, index) => (
      <Block key={index} token={token} isOpen={isOpen && index === blocks.length - 1} />
    ))}
  </>
));
