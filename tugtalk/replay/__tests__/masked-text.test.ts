/** What a masked text may stand for. The secrets are made up. */
import { expect, test } from "bun:test";
import { isSameMasked } from "../masked-text.ts";

const SAME: readonly (readonly [masked: string, text: string])[] = [
  ["*****", "alice"],
  ["no ***** [secret-1**]!", "no alice my-own-value!"],
  ["[12**] [secret-12]", "abcdef abcdefghijk"],
];

test.each([...SAME])("%p may stand for %p", (masked, text) => {
  expect(isSameMasked(masked, text)).toBe(true);
});

test.each([
  ["use [secret-12***] [secret-3] now", "use abcdefghijklmn qrstuvwxyz now"],
  ["use [12***] now", "use abcdefg now"],
])("%p stands for its text wherever both are cut in three", (masked, text) => {
  for (let first = 0; first <= text.length; first += 1)
    for (let second = first; second <= text.length; second += 1) {
      const cuts = [0, first, second, text.length];
      const isSame = cuts.map((cut, index) =>
        isSameMasked(
          masked.slice(cuts[index - 1] ?? 0, cut),
          text.slice(cuts[index - 1] ?? 0, cut),
        ),
      );
      expect(isSame, `cut at ${first} and ${second}`).not.toContain(false);
    }
});

test.each([
  ["a [secre b", "a abcdef b"],
  ["[secrets", "abcdefgh"],
  ["a secret-1**]", "a abcdefghijk"],
  ["test", "rest"],
  ["secretly", "abcdefgh"],
  ["***", "ab"],
  ["a***", "bcde"],
])("%p does not stand for %p", (masked, text) => {
  expect(isSameMasked(masked, text)).toBe(false);
});
