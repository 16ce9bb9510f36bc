/**
 * Markdown to the tokens of its blocks, again and again while the text grows. Only unfinished blocks are read
 * again, and a block that is the same keeps its token, so that it is not drawn again.
 */
import { Lexer, type Links, type Token } from "marked";
import { isSameList } from "../elements/same-list.ts";

export type LexedText = {
  readonly text: string;
  /** The blocks in order, in groups, so that a long list of them need not be walked for each change. */
  readonly groups: readonly BlockGroup[];
  readonly count: number;
  /** How many blocks no further text can change, and where they end in the text. */
  readonly finished: number;
  readonly end: number;
  /** The targets of `[text][name]` that have been read. */
  readonly links: Links;
};

export type BlockGroup = readonly Token[];

export const EMPTY_TEXT: LexedText = {
  text: "",
  groups: [],
  count: 0,
  finished: 0,
  end: 0,
  links: {},
};

const GROUP_SIZE = 16;

/** A longer paragraph is shown unformatted: to look for emphasis and links in it may take too long. */
const MAX_INLINE_CHARS = 8_000;

/** The tokens of `text`, from the tokens of its beginning. */
export function lexMarkdown(before: LexedText, text: string, isComplete: boolean): LexedText {
  const source = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  const lexed = lexFrom(source.startsWith(before.text) ? before : EMPTY_TEXT, before, source);
  // A link may have its target at the end.
  return isComplete && hasTargets(lexed) ? lexFrom(EMPTY_TEXT, before, source) : lexed;
}

/**
 * Reads the text after the finished blocks of `from`. A block with the same text as `before` keeps its token.
 */
function lexFrom(from: LexedText, before: LexedText, text: string): LexedText {
  const { end, finished } = from;
  const read = lex(text.slice(end), from.links);
  // The target of a link may have become known or another one.
  const canKeep = !hasTargets(read);
  const blocks = read.blocks.map(({ token }, index) => {
    const known = settledAt(before, finished + index);
    return canKeep && known?.raw === token.raw ? known : token;
  });
  const done = countFinished(read.blocks);
  return {
    text,
    groups: group(before, finished, blocks),
    count: finished + blocks.length,
    finished: finished + done,
    end: end + (read.blocks[done]?.start ?? 0),
    links: read.links,
  };
}

function hasTargets({ links }: Pick<LexedText, "links">): boolean {
  return Object.keys(links).length > 0;
}

/** The last two blocks may change, and the blocks that no blank line separates from them. */
function countFinished(blocks: readonly ReadBlock[]): number {
  return Math.max(
    0,
    blocks.findLastIndex(({ isApart }, index) => isApart && index < blocks.length - 1),
  );
}

type ReadBlock = {
  readonly token: Token;
  readonly start: number;
  /** There is a blank line before it. */
  readonly isApart: boolean;
};

/** Lines in a row, and marks of quotes and lists on one line, beyond which marked takes too long. */
const MAX_RUN_CHARS = 20_000;
const DEEP = /^(?:[ \t]*(?:>|(?:[*+-]|\d{1,9}[.)])[ \t])){50}/m;
const FENCED = /^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n(?:[\s\S]*?\n {0,3}\1|[\s\S]*)/gm;

function isTooHard(text: string): boolean {
  if (text.length < MAX_RUN_CHARS && !DEEP.test(text)) return false;
  const prose = text.replace(FENCED, "");
  return DEEP.test(prose) || prose.split(/\n[ \t]*\n/).some(({ length }) => length > MAX_RUN_CHARS);
}

function lex(text: string, links: Links): { blocks: readonly ReadBlock[]; links: Links } {
  const lexer = new Lexer({ gfm: true });
  Object.assign(lexer.tokens.links, links);
  try {
    if (isTooHard(text)) throw new RangeError();
    lexer.blockTokens(text, lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue) {
      // A tag that is open in one block has no effect on the next block.
      Object.assign(lexer.state, { inLink: false, inRawBlock: false });
      if (src.length > MAX_INLINE_CHARS) tokens.push({ type: "text", raw: src, text: src });
      else lexer.inlineTokens(src, tokens);
    }
  } catch {
    // marked would take too long, or has recursed too deeply: it is shown as it was written.
    const token = { type: "text", raw: text, text };
    return { blocks: [{ token, start: 0, isApart: true }], links };
  }
  return { blocks: placed(text, lexer.tokens), links: lexer.tokens.links };
}

function placed(text: string, tokens: readonly Token[]): ReadBlock[] {
  let start = 0;
  const blocks = tokens.map((token) => {
    const block = {
      token,
      start,
      isApart: /\n[ \t]*\n[ \t]*$/.test(text.slice(Math.max(0, start - 80), start)),
    };
    start += token.raw.length;
    return block;
  });
  return blocks.filter(({ token }) => token.type !== "space");
}

/** The block with this number, if others follow it: the last block may have had another meaning. */
function settledAt({ groups, count }: LexedText, index: number): Token | undefined {
  if (index >= count - 1) return undefined;
  return groups[Math.floor(index / GROUP_SIZE)]?.[index % GROUP_SIZE];
}

/** The groups with `blocks` in place of all blocks after the first `kept` ones. */
function group({ groups }: LexedText, kept: number, blocks: readonly Token[]): BlockGroup[] {
  const whole = Math.floor(kept / GROUP_SIZE);
  const rest = [...(groups[whole]?.slice(0, kept % GROUP_SIZE) ?? []), ...blocks];
  const made = groups.slice(0, whole);
  for (let start = 0; start < rest.length; start += GROUP_SIZE) {
    const tokens = rest.slice(start, start + GROUP_SIZE);
    const known = groups[made.length];
    made.push(known !== undefined && isSameList(known, tokens) ? known : tokens);
  }
  return made;
}
