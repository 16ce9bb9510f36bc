import { expect, test } from "bun:test";
import { CODE_LIFE_MS, newCode, newSecret, SignIn } from "../sign-in.ts";

const START = 1_700_000_000_000;

function openSignIn(codeKey: string, { port = 7717, token = "t".repeat(43) } = {}) {
  const clock = { now: START };
  return { clock, signIn: new SignIn({ token, codeKey, port, now: () => clock.now }) };
}

test("a code is accepted once", () => {
  const key = newSecret();
  const { signIn } = openSignIn(key);
  const code = newCode(key, START);
  expect([signIn.takeCode(code), signIn.takeCode(code)]).toEqual([true, false]);
});

test("a code is accepted until ten minutes after it was made", () => {
  const key = newSecret();
  const { signIn, clock } = openSignIn(key);
  const codes = [newCode(key, START), newCode(key, START)] as const;
  clock.now = START + CODE_LIFE_MS - 1;
  expect(signIn.takeCode(codes[0])).toBe(true);
  clock.now += 1;
  expect(signIn.takeCode(codes[1])).toBe(false);
  expect(CODE_LIFE_MS).toBe(600_000);
});

test("a used code stays used when others have expired", () => {
  const key = newSecret();
  const { signIn, clock } = openSignIn(key);
  expect(signIn.takeCode(newCode(key, START))).toBe(true);
  clock.now = START + CODE_LIFE_MS - 1;
  const later = newCode(key, clock.now);
  expect(signIn.takeCode(later)).toBe(true);
  clock.now += 2;
  expect(signIn.takeCode(later)).toBe(false);
});

test("a code of another start of the host is refused", () => {
  const { signIn } = openSignIn(newSecret());
  expect(signIn.takeCode(newCode(newSecret(), START))).toBe(false);
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

test("a text that is no code is refused", () => {
  const { signIn } = openSignIn(newSecret());
  for (const text of ["", ".", "..", "1.a.b", "a".repeat(10_000), `${START + 1}.x.`, "1.2.3.4"])
    expect({ text, isTaken: signIn.takeCode(text) }).toEqual({ text, isTaken: false });
});

test("the token is taken as Bearer only, and as a whole", () => {
  const { signIn } = openSignIn("key", { token: "secret" });
  const given = [
    "Bearer secret",
    "bearer secret",
    "secret",
    "Basic secret",
    "Bearer secretx",
    "Bearer",
  ];
  expect(given.map((text) => signIn.hasToken(text))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test("the cookie is found among others, and is that of this token and port", () => {
  const [pair = ""] = openSignIn("key").signIn.setCookie.split(";");
  expect(openSignIn("key of a later start").signIn.hasCookie(`a=1; ${pair};b=2`)).toBe(true);
  expect(openSignIn("key").signIn.hasCookie(`a=1; x${pair}`)).toBe(false);
  expect(openSignIn("key", { port: 1 }).signIn.hasCookie(pair)).toBe(false);
  expect(openSignIn("key", { token: "other" }).signIn.hasCookie(pair)).toBe(false);
});
