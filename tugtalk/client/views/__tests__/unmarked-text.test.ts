/** Markdown where there is room for one line. */
import { expect, test } from "bun:test";
import { unmarkedText } from "../unmarked-text.ts";

const PLAIN: Readonly<Record<string, string>> = {
  "# Done\n\n- **two** `files`\n> and\n```ts\nmore": "Done two files and more",
  "a * b and 2 > 1, 3-4": "a * b and 2 > 1, 3-4",
  "| place | how |\n| --- | :-: |\n| `a.ts` | with *care* |": "place · how a.ts · with care",
  "See the [guide](https://example.com/a_b) and ![one](x.png)": "See the guide and one",
  "It is cut at the [guide](https://exam": "It is cut at the guide",
  "*so* _far_, ~~not~~ snake_case_name": "so far, not snake_case_name",
  "- [x] one\n+ two\n---\n1. three": "one two 1. three",
  "Options -v and --all": "Options -v and --all",
};

for (const [markdown, plain] of Object.entries(PLAIN))
  test(`Markdown is told on one line without its signs: ${plain}`, () => {
    expect(unmarkedText(markdown)).toBe(plain);
  });
