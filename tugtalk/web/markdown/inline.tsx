/** Tokens inside of a block as elements. HTML is text. */
import type { MarkedToken, Token, Tokens } from "marked";
import { type ComponentChildren, h } from "preact";
import { decode, plainText } from "./plain-text.ts";

export function drawInline(tokens: readonly Token[] = []): ComponentChildren {
  return tokens.map((token) => draw(token as MarkedToken));
}

function draw(token: MarkedToken): ComponentChildren {
  switch (token.type) {
    case "strong":
    case "em":
    case "del":
      return h(token.type, {}, drawInline(token.tokens));
    case "codespan":
      return <code>{plainText(token.text)}</code>;
    case "link":
      return drawLink(token);
    case "image":
      return drawImage(token);
    case "text":
      return token.tokens === undefined ? plainText(token.text) : drawInline(token.tokens);
    case "escape":
      return plainText(token.text);
    default:
      // The one tag that says no more than Markdown does, and that tables need.
      return token.type === "br" || /^<br ?\/?>$/i.test(token.raw) ? <br /> : plainText(token.raw);
  }
}

function drawLink({ raw, href, tokens }: Tokens.Link): ComponentChildren {
  // The sign of a footnote.
  if (raw.startsWith("[^") && !raw.includes("](")) return plainText(raw);
  return linkTo(decode(href), drawInline(tokens));
}

/** A picture elsewhere is a link: to load it would tell its server that this text is read. */
function drawImage({ href, text }: Tokens.Image): ComponentChildren {
  const source = safeImage(href);
  if (source !== undefined) return <img src={source} alt={text} />;
  return linkTo(decode(href), `Image: ${plainText(text === "" ? href.slice(0, 100) : text)}`);
}

function linkTo(href: string, children: ComponentChildren): ComponentChildren {
  const target = safeLink(href);
  if (target === undefined) return <span title={plainText(href.slice(0, 200))}>{children}</span>;
  return (
    <a href={target} title={plainText(target)} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Nothing but the web and mail: no script, no data, no file, and no path of this page. */
export function safeLink(href: string): string | undefined {
  return /^(?:https?:\/\/|mailto:)/i.test(href) ? href : undefined;
}

/** A picture that the text itself holds. SVG is left out, for it is a document. */
export function safeImage(href: string): string | undefined {
  return /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]+$/i.test(href) ? href : undefined;
}
