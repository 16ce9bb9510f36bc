/** The output of a command, as a terminal shows it. */
import { useMemo } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { ExternalLink } from "./external-link.tsx";
import { Folded, LongText } from "./folded.tsx";
import type { TextStyle } from "./sgr.ts";
import { spanColours } from "./terminal-colours.ts";
import type { Span } from "./terminal-line.ts";
import { plainText, terminalLines } from "./terminal-output.ts";

export function Terminal({ text }: { readonly text: string }) {
  const lines = useMemo(() => terminalLines(text), [text]);
  return (
    <div class="terminal">
      <CopyButton text={() => plainText(lines)} label="Copy output" />
      <Folded
        lines={lines}
        size={{ head: 20, tail: 12 }}
        draw={(spans, index) => (
          <div key={index} class="text-line">
            {spans.map((span, at) => (
              <SpanView key={at} span={span} />
            ))}
          </div>
        )}
      />
    </div>
  );
}

function SpanView({ span: { text, style, url } }: { readonly span: Span }) {
  const shown = <LongText text={showHidden(text)} />;
  return (
    <span style={{ ...fontOf(style), ...spanColours(style) }}>
      {url === undefined ? shown : <ExternalLink url={url}>{shown}</ExternalLink>}
    </span>
  );
}

function fontOf({ isBold, isItalic, isUnderlined, isStruck }: TextStyle) {
  const decoration = [isUnderlined && "underline", isStruck && "line-through"].filter(Boolean);
  return {
    ...(isBold && { fontWeight: 700 }),
    ...(isItalic && { fontStyle: "italic" }),
    ...(decoration.length > 0 && { textDecoration: decoration.join(" ") }),
  };
}
