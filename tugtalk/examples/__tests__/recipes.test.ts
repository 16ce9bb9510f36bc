/** Rules for all pages of recipes. */
import { expect, test } from "bun:test";
import { document } from "../../__tests__/support/markdown.ts";

/** The pages in the table of the overview. */
const PAGES = [...document("tugtalk/examples/README.md").matchAll(/^\| \[([\w-]+\.md)\]/gm)].map(
  ([, name = ""]) => name,
);

/** Its test compares every block with the output of the program. */
const COMPARED = "troubleshooting.md";

test("the overview links to the pages", () => {
  expect(PAGES).toContain(COMPARED);
  expect(PAGES.length).toBeGreaterThan(5);
});

test.each(PAGES.filter((page) => page !== COMPARED))(
  "%s says of each session in a terminal that no test runs it, unless that is the start of a host",
  (page) => {
    const blocks = document(`tugtalk/examples/${page}`).matchAll(
      /^(.+)\n\n```console\n((?:.|\n)*?)^```$/gm,
    );
    const unmarked = [...blocks].filter(
      ([, before = "", text = ""]) =>
        !before.includes("Not run here") && !/^\$ (npx )?tugtalk host[^\n]*\n$/.test(text),
    );
    expect(unmarked.map(([, , text]) => text)).toEqual([]);
  },
);
