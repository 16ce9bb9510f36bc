/** The pages for a browser that is not let in. They need no script and no style. */

/** For a browser that is not signed in. */
export const SIGN_IN_PAGE = page(
  "Sign in to tugtalk",
  `<h1>Sign in</h1>
<p>Run <code>tugtalk host url</code> in a terminal on the machine of this host (<code>npm start -- url</code>
in its sources), and open the link that it prints. A link works once, for ten minutes.</p>
<p>Open the link as it is, with its name. Where the browser does not find that name, start the host with
<code>--no-own-name</code>.</p>
<p>Where the host keeps its data in a folder that was named with <code>--data</code>, name it there too.</p>`,
);

/** For a browser that was led here by another site. */
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
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
