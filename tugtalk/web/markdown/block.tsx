/** The blocks of a text as elements. */
import type { MarkedToken, Token, Tokens } from "marked";
import { type ComponentChildren, h } from "preact";
import { showHidden } from "../../client/views/visible-text.ts";
import { lazy } from "../elements/lazy.tsx";
import { memo } from "../elements/memo.tsx";
import type { CodeProps } from "./code.tsx";
import { drawInline } from "./inline.tsx";
import { plainText } from "./plain-text.ts";

const Code = lazy(
  async () => (await import("./code.tsx")).Code,
  ({ code, language }: CodeProps) => (
    <figure class="code">
      <figcaption>{language}</figcaption>
      <pre>{showHidden(code)}</pre>
    </figure>
  ),
);

/** A block by itself is read in the direction of its text, with all its contents. */
const AUTO = { dir: "auto" } as const;
type Direction = Partial<typeof AUTO>;

export type BlockProps = {
  readonly token: Token;
  /** More of it may come. */
  readonly isOpen: boolean;
};

/** Drawn again only when its token is another one. */
export const Block = memo(({ token, isOpen }: BlockProps) => <>{draw(token, isOpen, AUTO)}</>);

function draw(generic: Token, isOpen: boolean, dir: Direction = {}): ComponentChildren {
  const token = generic as MarkedToken;
  switch (token.type) {
    case "paragraph":
      return <p {...dir}>{drawInline(token.tokens)}</p>;
    case "heading":
      return h(headingOf(token.depth), dir, drawInline(token.tokens));
    case "code":
      return <Code code={token.text} language={languageOf(token)} isStreaming={isOpen} />;
    case "list":
      return drawList(token, isOpen, dir);
    case "checkbox":
      return <input type="checkbox" disabled checked={token.checked} aria-label="Done" />;
    case "blockquote":
      return <blockquote {...dir}>{token.tokens.map((inner) => draw(inner, isOpen))}</blockquote>;
    case "table":
      return drawTable(token, dir);
    case "hr":
      return <hr />;
    case "html":
      return <p class="raw">{plainText(token.text)}</p>;
    case "space":
      return null;
    case "def":
      return isFootnote(token.raw) ? <p>{plainText(token.raw.trim())}</p> : null;
    default:
      return drawInline([token]);
  }
}

/** GitHub's footnotes look like the targets of links. */
function isFootnote(raw: string): boolean {
  return /^ *\[\^/.test(raw);
}

/** The page has headings of two levels around the text. */
function headingOf(depth: number): string {
  return `h${Math.min(depth + 2, 6)}`;
}

function languageOf({ lang = "" }: Tokens.Code): string {
  return plainText(/^[^\s{,:]*/.exec(lang)?.[0] ?? "");
}

function drawList(
  { ordered, start, items }: Tokens.List,
  isOpen: boolean,
  dir: Direction,
): ComponentChildren {
  const drawn = items.map(({ task, tokens }) => (
    <li class={task ? "task" : undefined}>{tokens.map((inner) => draw(inner, isOpen))}</li>
  ));
  return ordered ? (
    <ol {...dir} start={Number(start)}>
      {drawn}
    </ol>
  ) : (
    <ul {...dir}>{drawn}</ul>
  );
}

function drawTable({ header, rows }: Tokens.Table, dir: Direction): ComponentChildren {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must scroll by keyboard too.
    <figure class="table" tabIndex={0}>
      <table {...dir}>
        <thead>
          <tr>{header.map(drawCell)}</tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>{cells.map(drawCell)}</tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}

function drawCell({ header, align, tokens }: Tokens.TableCell): ComponentChildren {
  return h(header ? "th" : "td", { class: align ?? undefined }, drawInline(tokens));
}
