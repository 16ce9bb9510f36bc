/** The files of the page, from the program or from the sources beside it. */
import { packText, unpackText } from "./packed-text.ts";
import { type OwnPageSource, type PageFiles, type PageSource, withProofKey } from "./page-files.ts";

/** The build puts the packed files here. */
declare const TUGTALK_PAGE: string | undefined;

/** The files that were built into the program, or the files of the sources beside it. */
export const loadPage: PageSource = once(async () => {
  // In this order, so that the build leaves out the bundler of the page.
  if (typeof TUGTALK_PAGE === "undefined") {
    const { buildPage } = await import("./build-page.ts");
    return await buildPage();
  }
  return JSON.parse(unpackText(TUGTALK_PAGE));
});

/** The pages of a host by their keys, one for each of its addresses. */
export function ownPages(): OwnPageSource {
  const pages = new Map<string, Promise<PageFiles>>();
  return (proofKey) => {
    const page = pages.get(proofKey) ?? loadPage().then((files) => withProofKey(files, proofKey));
    pages.set(proofKey, page);
    return page;
  };
}

/** The form in which the build puts the page into the program. */
export function packPage(page: PageFiles): string {
  return packText(JSON.stringify(page));
}

function once(load: PageSource): PageSource {
  let loaded: Promise<PageFiles> | undefined;
  return () => {
    loaded ??= load();
    return loaded;
  };
}
