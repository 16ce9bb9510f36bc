/** The pages for a browser that is not let in. They need no file: they have the style of the page. */

const STYLE = `
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#fbfaf8, #17181a); color: light-dark(#1f2328, #e6e6e3);
  font: 0.9375rem / 1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
main { box-sizing: border-box; width: min(36rem, 100% - 2rem); margin: 12vh auto 2rem; padding: 1.5rem;
  border: 1px solid light-dark(#e2ded6, #323539); border-radius: 0.5rem; background: light-dark(#ffffff, #1f2124); }
h1 { margin: 0 0 1rem; font-size: 1.25rem; }
p { margin: 1rem 0 0; overflow-wrap: anywhere; }
code { padding: 0.1em 0.3em; border-radius: 0.3125rem; background: light-dark(#f3f1ec, #121315);
  font: 0.8125rem ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
`;

/** The style's hash in the form of a policy. */
export const REFUSAL_STYLE_SOURCE = `'sha256-${new Bun.CryptoHasher("sha256").update(STYLE).digest("base64")}'`;

/** The page for a browser that is not signed in. */
export const SIGN_IN_PAGE = page(
  "Sign in to tugtalk",
  `<h1>Sign in</h1>
<p>Run <code>tugtalk host url</code> in a terminal on the machine of this host (<code>npm start -- url</code>
in its sources), and open the link that it prints. A link works once, for ten minutes.</p>
<p>Open the link as it is, with its name. Where the browser does not find that name, start the host with
<code>--no-own-name</code>.</p>
<p>Where the host keeps its data in a folder that was named with <code>--data</code>, name it there too.</p>`,
);

/** The page for a browser that another site has led here. */
export const CROSS_SITE_PAGE = page(
  "Refused by tugtalk",
  `<h1>This link came from another site</h1>
<p>To open it, copy the address, paste it into the address bar, and press Enter.</p>`,
);

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
