/** What secrets look like: where in a text something stands that has the shape of one. */

/** A piece of a text, from its first character to the one after its last. */
export type Range = { readonly start: number; readonly end: number };

/** A piece that is hidden, and where that begins which tells so, its label. */
export type SecretRange = Range & { readonly label: number };

/**
 * Each is looked for on its own. Where there is a group, only the group is the secret, and what
 * stands before it is its label. A pattern matches within the first four words of what it finds, and
 * to the end of a text that stops there. Texts may be long: no pattern may begin again within what it
 * went through in vain, unless that has a limit.
 */
const SHAPES: readonly RegExp[] = [
  // Anthropic, OpenAI and those who write theirs alike.
  /\bsk-[\w-]{16,}/dg,
  /\bsk-ant-[\w-]{4,}/dg,
  /\b[rsp]k_(?:live|test)_\w{8,}/dg,
  // GitHub, GitLab, npm, Hugging Face, Slack.
  /\bgh[pousr]_\w{16,}/dg,
  /\bgithub_pat_\w{16,}/dg,
  /\bglpat-[\w-]{16,}/dg,
  /\bnpm_\w{30,}/dg,
  /\bhf_\w{20,}/dg,
  /\bxox[a-z]-[\w-]{8,}/dg,
  /\bxapp-[\w-]{8,}/dg,
  /\bhooks\.slack\.com\/services\/([\w/]{8,})/dg,
  // AWS, Google.
  /\b(?:AKIA|ASIA|AROA|AIDA)[A-Z0-9]{12,}/dg,
  /\bAIza[\w-]{30,}/dg,
  /\bya29\.[\w.-]{10,}/dg,
  /\bGOCSPX-[\w-]{10,}/dg,
  // Stripe, SendGrid.
  /\bwhsec_\w{12,}/dg,
  /\bSG\.[\w-]{12,}\.[\w-]{12,}/dg,
  // JSON web tokens. What comes before the first dot is gone through once, however often it begins.
  /(?<![\w-])(?=[\w-]+\.[\w-]{4,})[\w-]*?\b(eyJ[\w-]{6,}\.[\w-]{4,}(?:\.[\w-]+)?)/dg,
  // Headers, as text.
  /\bBearer\s{1,4}([\w.~+/=-]{8,})/dgi,
  /\bBasic\s{1,4}([A-Za-z0-9+/]{12,}={1,2}|(?=[A-Za-z+/]{0,40}\d)[A-Za-z0-9+/]{12,})/dg,
  /\b(?:authorization|x-api-key|api-key|set-cookie|cookie)["'\\]{0,4}\s{0,4}:\s{0,4}["'\\]{0,4}((?:\w{3,12} )?[^\s"'\\,;[]{6,})/dgi,
  /\b(?:set-)?cookie["'\\]{0,4}\s{0,4}:[ \t]{0,4}["'\\]{0,4}([^\s"'\\=;]{1,80}=[^\r\n"'\\]{1,4096})/dgi,
  // `SECRET_KEY=…`, `DB_PASS: …`: names that are written as those of an environment are.
  /(?:KEY|PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|AUTH)(?:_[A-Z]{1,20})?["'\\]{0,4}\s{0,2}[=:]\s{0,2}["'\\]{0,4}([^\s"'\\,;&<>()[\]{}$]{6,})/dg,
  /(?:_key|[?&]key|_pass|\bpass|_pwd|\bpwd|_auth|\bauth|AccountKey|\bsig|X-Amz-Signature)["'\\]{0,4}\s{0,2}[=:]\s{0,2}["'\\]{0,4}((?=[^\s"'\\,;&<>()[\]{}]{0,80}[\d=+])[^\s"'\\,;&<>()[\]{}]{8,})/dgi,
  // Quoted values may have spaces.
  /(?:passw(?:or)?d|passphrase)["\\]{1,4}\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{1,200})/dgi,
  // Words of a command line.
  /(?:^|\s)(?:-u|--user)[ =]["'\\]{0,4}[^\s:"'\\]{1,80}:((?!\/\/|\d{1,6}\b)[^\s"'\\]{3,200})/dg,
  /--(?:password|passwd|pass|token|api-key|secret)[ =]["'\\]{0,4}([^\s"'\\-][^\s"'\\]{3,})/dg,
  // `password=…`, `"api_key": "…"`; a value without a digit is more likely a word of a program.
  /(?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|credential)s?["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}((?=[^\s"'\\,;&<>()[\]{}]{0,80}[\d!$%^*])[^\s"'\\,;&<>()[\]{}]{6,})/dgi,
  // `https://user:password@host`.
  /:\/\/[^\s:@/]{0,200}:([^\s@/"']{1,200})@/dg,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/dg,
];

/** Addresses of persons. */
const EMAIL = /\b[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,}/dg;

/** Where something has the shape of a secret. In no order; pieces may overlap. */
export function findSecretShapes(text: string): SecretRange[] {
  return SHAPES.flatMap((shape) => findAll(shape, text));
}

/** Where an e-mail address stands. */
export function findAddresses(text: string): SecretRange[] {
  return text.includes("@") ? findAll(EMAIL, text) : [];
}

/** Where a pattern matches: its first group if it has one, or all of it. */
export function findAll(pattern: RegExp, text: string): SecretRange[] {
  const found: SecretRange[] = [];
  for (const { index, indices } of text.matchAll(pattern)) {
    const at = indices?.[1] ?? indices?.[0];
    if (at !== undefined) found.push({ label: index, start: at[0], end: at[1] });
  }
  return found;
}

const SECRET_NAME = new RegExp(
  [
    "(?:api|access|auth|refresh|client|private|secret|bearer|session|id|signing)[_-]?(?:key|token|secret)s?$",
    "(?:^|[_-])(?:token|secrets?|credentials?|authorization|auth|cookies?|pass|pwd)$",
    "^tokens$",
    "passw(?:or)?ds?$",
    "passphrases?$",
  ].join("|"),
  "i",
);

/** Whether a field of this name holds a secret, whatever that looks like. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether a field holds a secret: numbers of tokens, and what is made of them, are none. */
export function isSecretField(name: string, value: unknown): boolean {
  const isCount = typeof value !== "string" && !Array.isArray(value) && /tokens?$/i.test(name);
  return isSecretName(name) && !isCount;
}

/** Whether all values of an object in a field of this name are secret, whatever their names say. */
export function isSecretBag(name: string): boolean {
  return name === "env" || name === "headers";
}

/** Whether the name of an entry of the environment says that it is a secret. */
export function isSecretVariable(name: string): boolean {
  return /key|token|secret|passw|credential/i.test(name);
}
