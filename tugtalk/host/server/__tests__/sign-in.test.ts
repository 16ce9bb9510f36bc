import { expect, test } from "bun:test";
import { newSecret } from "../secret.ts";
import { CODE_LIFE_MS, newCode, SignIn } from "../sign-in.ts";
import type { Site } from "../sites.ts";

const START = 1_700_000_000_000;

function openSignIn(codeKey: string, { port = 7717, token = "t".repeat(43) } = {}) {
  const clock = { now: START };
  return { clock, signIn: new SignIn({ token, codeKey, port, now: () => clock.now }) };
}

test("a code is accepted once, until ten minutes after it was made, also when others have expired", () => {
  const key = newSecret();
  const { signIn, clock } = openSignIn(key);
  const [first, second] = [newCode(key, START), newCode(key, START)];
  clock.now = START + CODE_LIFE_MS - 1;
  const later = newCode(key, clock.now);
  for (const code of [first, later])
    expect([signIn.takeCode(code), signIn.takeCode(code)]).toEqual([true, false]);
  clock.now += 1;
  expect(signIn.takeCode(second)).toBe(false);
  expect(signIn.takeCode(later)).toBe(false);
  expect(CODE_LIFE_MS).toBe(600_000);
});

test("a code of which any character was changed is refused", () => {
  const key = newSecret();
  const { signIn } = openSignIn(key);
  const code = newCode(key, START);
  for (let index = 0; index < code.length; index += 1) {
    const other = code[index] === "1" ? "2" : "1";
    const changed = code.slice(0, index) + other + code.slice(index + 1);
    expect({ changed, isTaken: signIn.takeCode(changed) }).toEqual({ changed, isTaken: false });
  }
  expect(signIn.takeCode(code)).toBe(true);
});

test("a code of another start of the host, and a text that is no code, are refused", () => {
  const { signIn } = openSignIn(newSecret());
  const texts = ["", ".", "..", "1.a.b", "a".repeat(10_000), `${START + 1}.x.`, "1.2.3.4"];
  for (const text of [newCode(newSecret(), START), ...texts])
    expect({ text, isTaken: signIn.takeCode(text) }).toEqual({ text, isTaken: false });
});

test("the token is taken as Bearer only, and as a whole", () => {
  const { signIn } = openSignIn("key", { token: "secret" });
  for (const text of ["Bearer secret", "bearer secret"]) expect(signIn.hasToken(text)).toBe(true);
  for (const text of ["secret", "Basic secret", "Bearer secretx", "Bearer"])
    expect({ text, isToken: signIn.hasToken(text) }).toEqual({ text, isToken: false });
});

const SITE: Site = { origin: "http://own.localhost:7717", cookieName: "tugtalk_7717" };
const PUBLIC: Site = { origin: "https://box.example", cookieName: "__Host-tugtalk_443" };

test("the cookie is found among others, and is that of this token and site", () => {
  const [pair = ""] = openSignIn("key").signIn.setCookie(SITE)?.split(";") ?? [];
  expect(openSignIn("key of a later start").signIn.hasCookie(`a=1; ${pair};b=2`, SITE)).toBe(true);
  const { signIn } = openSignIn("key");
  expect(signIn.hasCookie(`a=1; x${pair}`, SITE)).toBe(false);
  expect(signIn.hasCookie(pair, { ...SITE, origin: "http://127.0.0.1:7717" })).toBe(false);
  expect(signIn.hasCookie(pair, { ...SITE, origin: "http://own.localhost:1" })).toBe(false);
  expect(signIn.hasCookie(pair, { origin: SITE.origin })).toBe(false);
  expect(openSignIn("key", { token: "other" }).signIn.hasCookie(pair, SITE)).toBe(false);
});

test("over TLS the cookie is for that name alone, and is never sent without TLS", () => {
  const { signIn } = openSignIn("key");
  const [pair, ...rest] = signIn.setCookie(PUBLIC)?.split("; ") ?? [];
  expect(pair).toStartWith("__Host-tugtalk_443=");
  expect(rest).toEqual(["HttpOnly", "SameSite=Strict", "Path=/", "Secure"]);
  expect(signIn.setCookie(SITE)).not.toContain("Secure");
});

test("a proof is that of this token, port and nonce", () => {
  const nonce = newSecret();
  const proof = openSignIn("key").signIn.proofOf(nonce);
  expect(proof).toMatch(/^[\w-]{43}$/);
  expect(openSignIn("key of a later start").signIn.proofOf(nonce)).toBe(proof);
  for (const other of [{ port: 1 }, { token: "other" }])
    expect(openSignIn("key", other).signIn.proofOf(nonce)).not.toBe(proof);
  expect(openSignIn("key").signIn.proofOf(newSecret())).not.toBe(proof);
});
