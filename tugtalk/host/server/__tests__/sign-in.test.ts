import { expect, test } from "bun:test";
import { linkTo } from "../../link.ts";
import { OwnDoor } from "../door.ts";
import { newSecret } from "../secret.ts";
import { CODE_LIFE_MS, newCode, SignIn } from "../sign-in.ts";
import type { Site } from "../sites.ts";

const START = 1_700_000_000_000;

function openSignIn(codeKey: string, { port = 7717, token = "t".repeat(43) } = {}) {
  const clock = { now: START };
  const door = new OwnDoor({ token, codeKey, now: () => clock.now });
  return { clock, door, signIn: new SignIn(door, port) };
}

test("a code is accepted once, until ten minutes after it was made, also when others have expired", async () => {
  const key = newSecret();
  const { signIn, clock } = openSignIn(key);
  const [first, second] = [newCode(key, START), newCode(key, START)];
  clock.now = START + CODE_LIFE_MS - 1;
  const later = newCode(key, clock.now);
  for (const code of [first, later])
    expect([await signIn.takeCode(code), await signIn.takeCode(code)]).toEqual([true, false]);
  clock.now += 1;
  expect(await signIn.takeCode(second)).toBe(false);
  expect(await signIn.takeCode(later)).toBe(false);
  expect(CODE_LIFE_MS).toBe(600_000);
});

test("a code of which any character was changed is refused", async () => {
  const key = newSecret();
  const { signIn } = openSignIn(key);
  const code = newCode(key, START);
  for (let index = 0; index < code.length; index += 1) {
    const other = code[index] === "1" ? "2" : "1";
    const changed = code.slice(0, index) + other + code.slice(index + 1);
    expect({ changed, isTaken: await signIn.takeCode(changed) }).toEqual({
      changed,
      isTaken: false,
    });
  }
  expect(await signIn.takeCode(code)).toBe(true);
});

test("a code of another start of the host, and a text that is no code, are refused", async () => {
  const { signIn } = openSignIn(newSecret());
  const texts = ["", ".", "..", "1.a.b", "a".repeat(10_000), `${START + 1}.x.`, "1.2.3.4"];
  for (const text of [newCode(newSecret(), START), ...texts])
    expect({ text, isTaken: await signIn.takeCode(text) }).toEqual({ text, isTaken: false });
});

test("the token is taken as Bearer only, and as a whole", () => {
  const { signIn } = openSignIn("key", { token: "secret" });
  for (const text of ["Bearer secret", "bearer secret"]) expect(signIn.hasToken(text)).toBe(true);
  for (const text of ["secret", "Basic secret", "Bearer secretx", "Bearer"])
    expect({ text, isToken: signIn.hasToken(text) }).toEqual({ text, isToken: false });
});

const SITE: Site = { origin: "http://own.localhost:7717", cookieName: "tugtalk_7717" };
const PUBLIC: Site = { origin: "https://box.example", cookieName: "__Host-tugtalk_443" };

test("the cookie is found among others, and depends on this token and site", () => {
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

test("a proof depends on this token, port and nonce", () => {
  const nonce = newSecret();
  const proof = openSignIn("key").signIn.proofOf(nonce, SITE);
  expect(proof).toMatch(/^[\w-]{43}$/);
  expect(openSignIn("key of a later start").signIn.proofOf(nonce, PUBLIC)).toBe(proof);
  for (const other of [{ port: 1 }, { token: "other" }])
    expect(openSignIn("key", other).signIn.proofOf(nonce, SITE)).not.toBe(proof);
  expect(openSignIn("key").signIn.proofOf(newSecret(), SITE)).not.toBe(proof);
});

test("other keys make every token, cookie, code and proof void, and are announced", async () => {
  const { signIn, door } = openSignIn("key");
  const { token } = door.keys;
  const [pair = ""] = signIn.setCookie(SITE)?.split(";") ?? [];
  const nonce = newSecret();
  const proof = signIn.proofOf(nonce, SITE);
  let told = 0;
  door.listen(() => (told += 1));
  await door.renew();
  expect(told).toBe(1);
  expect(signIn.hasToken(`Bearer ${token}`)).toBe(false);
  expect(signIn.hasToken(`Bearer ${door.keys.token}`)).toBe(true);
  expect(signIn.hasCookie(pair, SITE)).toBe(false);
  expect(await signIn.takeCode(newCode("key", START))).toBe(false);
  expect(await signIn.takeCode(newCode(door.keys.codeKey, START))).toBe(true);
  expect(signIn.proofOf(nonce, SITE)).not.toBe(proof);
});

test("a link of a machine whose clock is an hour behind works by the clock that it expires by", async () => {
  const { signIn, clock } = openSignIn("key");
  const record = { pid: 1, port: 7717, origin: SITE.origin, code_key: "key", ahead_ms: 3_600_000 };
  const link = new URL(linkTo(record, clock.now - record.ahead_ms));
  expect(await signIn.takeCode(link.searchParams.get("code") ?? "")).toBe(true);
});
