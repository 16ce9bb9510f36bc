/**
 * Whether the program at the page's address is the host that the page was connected with. While the
 * host is down, another program may have its port, and would get the cookie with every attempt to
 * connect.
 */

const ANSWER_MS = 10_000;

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/**
 * Who is at the page's address: the host with the keys that it had, the host with other keys or another
 * program, or nobody.
 */
export type Answering = "host" | "other" | "nobody";

/**
 * Never rejects. The host without a check where it cannot be made: browsers have cryptography over TLS, and
 * for names under `.localhost` and loopback.
 */
export async function whoAnswers(): Promise<Answering> {
  const key = document.querySelector<HTMLMetaElement>('meta[name="tugtalk-proof"]')?.content ?? "";
  if (key === "" || !isSecureContext) return "host";
  const nonce = crypto.randomUUID();
  try {
    const answer = await askForProof(nonce);
    // For example the answer of a proxy that does not reach the host.
    if (!answer.ok) return "nobody";
    const { proof } = await answer.json();
    return (await isProof(key, nonce, String(proof))) ? "host" : "other";
  } catch {
    return "nobody"; // Also an answer that does not have the form of a proof.
  }
}

function askForProof(nonce: string): Promise<Response> {
  return fetch(`/api/proof?nonce=${nonce}`, {
    credentials: "omit",
    cache: "no-store",
    redirect: "error",
    signal: AbortSignal.timeout(ANSWER_MS),
  });
}

async function isProof(key: string, nonce: string, proof: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const own = await crypto.subtle.importKey("raw", encoder.encode(key), HMAC, false, ["verify"]);
  return await crypto.subtle.verify("HMAC", own, bytesOf(proof), encoder.encode(nonce));
}

/** The bytes of base64url. Throws for any other text. */
function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}
