/** The files of the page, from the program or from the sources beside it. */
import { type OwnPageSource, type PageFiles, type PageSource, withProofKey } from "./page-files.ts";

/** Put here by the build, packed. */
declare const TUGTALK_PAGE: string | undefined;

/** The files that were built into the program, or those of the sources beside it. */
export const loadPage: PageSource = once(async () => {
  // In this order, so that the build leaves out what builds the page.
  if (typeof TUGTALK_PAGE === "undefined") {
    const { buildPage } = await import("./build-page.ts");
    return await buildPage();
  }
  return unpackPage(TUGTALK_PAGE);
});

/** The pages of a host by their keys, of which there is one for each of its addresses. */
export function ownPages(): OwnPageSource {
  const pages = new Map<string, Promise<PageFiles>>();
  return (proofKey) => {
    const page = pages.get(proofKey) ?? loadPage().then((files) => withProofKey(files, proofKey));
    pages.set(proofKey, page);
    return page;
  };
}

/** As a text of a quarter of the length. */
export function packPage(page: PageFiles): string {
  return Bun.zstdCompressSync(JSON.stringify(page), { level: 19 }).toString("base64");
}

/** Takes what `packPage` has made. */
function unpackPage(packed: string): PageFiles {
  return JSON.parse(Bun.zstdDecompressSync(Buffer.from(packed, "base64")).toString());
}

function once(load: PageSource): PageSource {
  let loaded: Promise<PageFiles> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
