/** Where links and images of a text may lead. */
import { expect, test } from "bun:test";
import { safeImage, safeLink } from "../inline.tsx";
import { plainText } from "../plain-text.ts";

test.each(["https://example.org/a?b=c#d", "HTTP://example.org", "mailto:someone@example.org"])(
  "a link to %s is a link",
  (href) => {
    expect(safeLink(href)).toBe(href);
  },
);

test.each([
  ...["javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\nscript:alert(1)", "\u0001javascript:x"],
  ...["data:text/html,<script>1</script>", "vbscript:x", "file:///etc/passwd", "blob:https://a/b"],
  ...["//example.org", "/api/sessions", "#/s/1", "src/page.tsx", "", " https://example.org"],
  ...["https:example.org", "ftp://example.org", "chrome://settings", "x:https://example.org"],
])("a link to %j is not a link", (href) => {
  expect(safeLink(href)).toBeUndefined();
});

test("a picture is shown only if the text holds it, and never as SVG", () => {
  const png = "data:image/png;base64,iVBORw0KGgo=";
  expect(safeImage(png)).toBe(png);
  expect(safeImage("data:image/svg+xml;base64,PHN2Zz4=")).toBeUndefined();
  expect(safeImage("data:image/svg+xml,<svg onload=alert(1)>")).toBeUndefined();
  expect(safeImage("data:text/html;base64,PHN2Zz4=")).toBeUndefined();
  expect(safeImage("https://example.org/a.png")).toBeUndefined();
});

test("character references are the characters that they stand for", () => {
  expect(plainText("a &lt;b&gt; &amp;amp; &#65;&#x42; &unknown; &#9999999; R&D")).toBe(
    "a <b> &amp; AB &unknown; &#9999999; R&D",
  );
});

test("a character that would hide or turn the text is shown, also where it is written as a reference", () => {
  expect(plainText("a\u202eb&#x202e;c\u0007\u200bd")).toBe("a\\u{202e}b\\u{202e}c\\u{7}\\u{200b}d");
});
