/** A block of code: its language, a way to copy it, and its text. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { showHidden } from "../../client/views/visible-text.ts";
import { CopyButton } from "../elements/copy-button.tsx";
import { memo } from "../elements/memo.tsx";

/** Only the beginning of longer code is drawn until a person wants all of it. */
const MAX_CHARS = 50_000;

export type CodeProps = {
  readonly code: string;
  /** Its name, or the ending of a file. */
  readonly language?: string;
  /** More of it may come. */
  readonly isStreaming?: boolean;
};

export const Code = memo(({ code, language = "", isStreaming = false }: CodeProps) => {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? code : code.slice(0, MAX_CHARS);
  const drawn = useColoured(showHidden(shown), language, isStreaming);
  return (
    <figure class="code">
      <figcaption>
        {language}
        <CopyButton text={code} label="Copy code" />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling element must scroll by keyboard too. */}
      <pre tabIndex={0}>
        <code>{drawn}</code>
      </pre>
      {shown !== code && (
        <button type="button" onClick={() => setWhole(true)}>
          Show all
        </button>
      )}
    </figure>
  );
});

/** Colours for code that is complete. */
type Drawn = { readonly code: string; readonly children: ComponentChildren };

/** The code itself until it is coloured, and while more of it may come. */
function useColoured(code: string, language: string, isOpen: boolean): ComponentChildren {
  const [drawn, setDrawn] = useState<Drawn | undefined>(undefined);
  useEffect(() => {
    if (isOpen || language === "") return;
    const controller = new AbortController();
    const { signal } = controller;
    import("./coloured.tsx")
      .then(({ drawColoured }) =>
        drawColoured({ code, language, signal }, (children) => setDrawn({ code, children })),
      )
      // Without the colours it can be read as well.
      .catch(() => undefined);
    return () => controller.abort();
  }, [code, language, isOpen]);
  return drawn?.code === code ? drawn.children : code;
}
