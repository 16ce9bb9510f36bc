import { expect, test } from "bun:test";
import { parsePublicUrl } from "../public-url.ts";

test("a public address is a name with https, and with a port where that is not 443", () => {
  const read = [
    "https://box.example",
    "https://BOX.example:443",
    "https://box:8443",
    "HTTPS://xn--bcher-kva.example:1",
    "https://machine.tail1234.ts.net",
    `https://${"a".repeat(63)}.example:65535`,
  ].map(parsePublicUrl);
  expect(read).toEqual([
    { name: "box.example", port: 443 },
    { name: "box.example", port: 443 },
    { name: "box", port: 8443 },
    { name: "xn--bcher-kva.example", port: 1 },
    { name: "machine.tail1234.ts.net", port: 443 },
    { name: `${"a".repeat(63)}.example`, port: 65_535 },
  ]);
});

/** Texts that are no public address, by their fault. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "no TLS": ["http://box.example", "ws://box.example", "HTTP://box.example:443"],
  "a path": [
    "https://box.example/",
    "https://box.example/a",
    "https://box.example?a",
    "https://box.example#a",
    "https://box.example\\a",
  ],
  "a user": ["https://me@box.example", "https://me:secret@box.example", "https://@box.example"],
  "an IP address": [
    "https://192.168.1.5",
    "https://[::1]",
    "https://[fd00::1]:8443",
    "https://127.1",
    "https://0x7f000001",
    "https://2130706433",
  ],
  "a pattern": ["https://*.example", "https://*"],
  "letters beyond ASCII": ["https://bücher.example", "https://例え.jp"],
  "no such port": ["https://box.example:0", "https://box.example:65536"],
  "another form": [
    "",
    "box.example",
    "box.example:443",
    "https:box.example",
    "https://",
    "https://:443",
    "https://box.example:",
    "https://box.example:x",
    "https://box.example:443:443",
    "https://box.example:080443",
    "https://box.example.",
    "https://.example",
    "https://box..example",
    "https://-box.example",
    "https://box_.example",
    "https://box.example, https://other.example",
    " https://box.example",
    "https://box.example\n",
    "https://xn--a.example",
    `https://${"a".repeat(64)}.example`,
    `https://${"a.".repeat(126)}ab`,
  ],
};

test.each(Object.entries(REFUSED))("what has %s is refused", (_fault, urls) => {
  const problem = expect.stringContaining("expected https://name or https://name:port, ");
  for (const url of urls) expect({ url, ...parsePublicUrl(url) }).toEqual({ url, problem });
});
