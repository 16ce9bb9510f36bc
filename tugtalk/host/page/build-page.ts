/**
 * Bundles the page. The build puts the result into the program; from the sources the host makes it on the
 * first request of a browser.
 */
import { basename, join } from "node:path";
import { ICON_RULES } from "./icons.ts";
import { MARKED_LEXER } from "./marked-lexer.ts";
import { NO_PROOF_KEY, type PageFile, type PageFiles } from "./page-files.ts";

const WEB = join(import.meta.dir, "..", "..", "web");

/** Rejects with Bun's report if the sources of the page cannot be bundled. */
export async function buildPage(): Promise<PageFiles> {
  return pageFiles(await bundlePage());
}

/** The bundle alone, with Bun's report, which names the packages in the page. */
export function bundlePage(): Promise<Bun.BuildOutput> {
  return Bun.build({
    entrypoints: [join(WEB, "page.tsx"), join(WEB, "styles", "page.css")],
    target: "browser",
    format: "esm",
    minify: true,
    // Parts that are not needed at once are separate files, which the page loads on demand.
    splitting: true,
    plugins: [MARKED_LEXER, ICON_RULES],
    naming: "[name]-[hash].[ext]",
    define: { "process.env.NODE_ENV": '"production"' },
    metafile: true,
  });
}

/** The files of the page, from its bundle. */
export async function pageFiles({ outputs }: Bun.BuildOutput): Promise<PageFiles> {
  const assets = await Promise.all(outputs.map(assetOf));
  const names = [nameOf(assets, "page", ".js"), nameOf(assets, "page", ".css")] as const;
  const version = Bun.hash(pageOf(...names, "")).toString(36);
  const html = pageOf(...names, version);
  return {
    version,
    files: [{ name: "", contentType: "text/html; charset=utf-8", text: html }, ...assets],
  };
}

async function assetOf(output: Bun.BuildArtifact): Promise<PageFile> {
  const isStyle = output.path.endsWith(".css");
  return {
    name: basename(output.path),
    contentType: isStyle ? "text/css; charset=utf-8" : "text/javascript; charset=utf-8",
    text: await output.text(),
  };
}

function nameOf(assets: readonly PageFile[], entry: string, ending: string): string {
  const asset = assets.find(({ name }) => name.startsWith(`${entry}-`) && name.endsWith(ending));
  if (asset === undefined) throw new Error(`the page has no ${entry}${ending}`);
  return asset.name;
}

/** The page knows its version, so that it notices a host of another one. */
function pageOf(script: string, style: string, version: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="tugtalk-page" content="${version}">
${NO_PROOF_KEY}
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/${style}">
<script type="module" src="/assets/${script}"></script>
<title>tugtalk</title>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
</body>
</html>
`;
}
