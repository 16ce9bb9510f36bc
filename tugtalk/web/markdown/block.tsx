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

export type BlockProps = {
  readonly token: Token;
  /** More of it may come. */
  readonly isOpen: boolean;
};

/** Drawn again only when its token is another one. */
export const Block = memo(({ token, isOpen }: BlockProps) => <>{draw(token, isOpen)}</>);

function draw(generic: Token, isOpen: boolean): ComponentChildren {
  const token = generic as MarkedToken;
  switch (token.type) {
    case "paragraph":
      return <p>{drawInline(token.tokens)}</p>;
    case "heading":
      return h(headingOf(token.depth), {}, drawInline(token.tokens));
    case "code":
      return <Code code={token.text} language={languageOf(token)} isStreaming={isOpen} />;
    case "list":
      return drawList(token, isOpen);
    case "checkbox":
      return <input type="checkbox" disabled checked={token.checked} aria-label="Done" />;
    case "blockquote":
      return <blockquote>{token.tokens.map((inner) => draw(inner, isOpen))}</blockquote>;
    case "table":
      return drawTable(token);
    case "hr":
      return <hr />;
    case "html":
      return <p class="raw">{plainText(token.text)}</p>;
    case "space":
    case "def":
      return null;
    default:
      return drawInline([token]);
  }
}

/** The page has headings of two levels around the text. */
function headingOf(depth: number): string {
  return `h${Math.min(depth + 2, 6)}`;
}

function languageOf({ lang = "" }: Tokens.Code): string {
  return plainText(/^[^\s{,:]*/.exec(lang)?.[0] ?? "");
}

function drawList({ ordered, start, items }: Tokens.List, isOpen: boolean): ComponentChildren {
  const drawn = items.map(({ task, tokens }) => (
    <li class={task ? "task" : undefined}>{tokens.map((inner) => draw(inner, isOpen))}</li>
  ));
  return ordered ? <ol start={Number(start)}>{drawn}</ol> : <ul>{drawn}</ul>;
}

function drawTable({ header, rows }: Tokens.Table): ComponentChildren {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by keyboard too.
    <figure class="table" tabIndex={0}>
      <table>
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
