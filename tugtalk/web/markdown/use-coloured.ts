/** Colours for code that is complete. */
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

type Drawn = { readonly code: string; readonly children: ComponentChildren };

/** The code itself until it is coloured, and while more of it may come. */
export function useColoured(code: string, language: string, isOpen: boolean): ComponentChildren {
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
