/** A text with marks of Markdown as elements, drawn block by block while it arrives. */
import { useRef } from "preact/hooks";
import { memo } from "../elements/memo.tsx";
import { Block } from "./block.tsx";
import { type BlockGroup, EMPTY_TEXT, lexMarkdown } from "./block-lexer.ts";

export type MarkedTextProps = { readonly text: string; readonly isStreaming: boolean };

export function MarkedText({ text, isStreaming }: MarkedTextProps) {
  const lexed = useRef(EMPTY_TEXT);
  lexed.current = lexMarkdown(lexed.current, text, !isStreaming);
  const { groups } = lexed.current;
  return (
    <>
      {groups.map((blocks, index) => (
        <Group key={index} blocks={blocks} isOpen={isStreaming && index === groups.length - 1} />
      ))}
    </>
  );
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
