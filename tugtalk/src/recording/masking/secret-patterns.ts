/** The patterns of secrets in a text, and the names that mark a value as one. */

/**
 * Where a token may begin: not within a word. The letter of an escape in JSON, as in `\n`, is no part
 * of the word after it.
 */
const START = String.raw`(?<!\w(?<!\\[bfnrt]))`;

/** The kinds of tokens that are known by their beginning. */
const TOKENS = [
  // Anthropic, OpenAI and services with tokens of the same form; Stripe.
  String.raw`sk-ant-[\w-]{4,}|sk-[\w-]{16,}|[rsp]k_(?:live|test)_\w{8,}|whsec_\w{12,}`,
  // GitHub, GitLab, npm, Hugging Face, Slack.
  String.raw`gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|npm_\w{30,}|hf_\w{20,}`,
  String.raw`xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}`,
  // AWS, Google, SendGrid.
  String.raw`A(?:KIA|SIA|ROA|IDA)[A-Z0-9]{12,}|AIza[\w-]{30,}|ya29\.[\w.-]{10,}`,
  String.raw`GOCSPX-[\w-]{10,}|SG\.[\w-]{12,}\.[\w-]{12,}`,
  // JSON web tokens.
  String.raw`eyJ[\w-]{6,1000}\.[\w-]{4,}(?:\.[\w-]+)?`,
];

/**
 * Each is searched for on its own. Where there is a group, it stands at the end of the match and only
 * the group is the secret. Texts may be long and hostile: no pattern may search the same characters twice,
 * unless their number is limited.
 */
export const SECRET_PATTERNS: readonly RegExp[] = [
  new RegExp(`${START}(?:${TOKENS.join("|")})`, "g"),
  // Headers, as text.
  /\bBearer\s{1,4}([\w.~+/=-]{8,})/gi,
  /\bBasic\s{1,4}((?=[A-Za-z+/]{0,40}[\d=])[A-Za-z0-9+/=]{12,})/g,
  /\b(?:authorization|x-api-key|api-key)["'\\]{0,4}\s{0,4}:\s{0,4}["'\\]{0,4}((?:\w{3,12} )?[^\s"'\\,;[]{6,})/gi,
  /\bcookie["'\\]{0,4}\s{0,4}:[ \t]{0,4}["'\\]{0,4}([^\s"'\\=;]{1,80}=[^\r\n"'\\]{1,4096})/gi,
  // `SECRET_KEY=…`, `DB_PASS: …`: names in the style of environment variables.
  /(?:KEY|PASS|PASSWORD|PASSWD|PWD|SECRET|TOKEN|AUTH)(?:_[A-Z]{1,20})?["'\\]{0,4}\s{0,2}[=:]\s{0,2}["'\\]{0,4}([^\s"'\\,;&<>()[\]{}$]{6,})/g,
  // `password=…`, `"api_key": "…"`; a value without a digit or sign is more likely a word of a program.
  /(?:api[_-]?key|access[_-]?key|token|secret|passw(?:or)?d|credential|_key|[?&]key|AccountKey|_pass|\bpass|_pwd|\bpwd|_auth|\bauth|\bsig|X-Amz-Signature)s?["'\\]{0,4}\s{0,4}[:=]\s{0,4}["'\\]{0,4}((?=[^\s"'\\,;&<>()[\]{}]{0,80}[\d!$%^*+=])[^\s"'\\,;&<>()[\]{}]{6,})/gi,
  // Quoted values may have spaces.
  /(?:passw(?:or)?d|passphrase)["\\]{1,4}\s{0,4}:\s{0,4}\\{0,3}"([^"\\\n]{1,200})/gi,
  // Words of a command line.
  /(?:^|\s)(?:-u|--user)[ =]["'\\]{0,4}[^\s:"'\\]{1,80}:((?!\/\/|\d{1,6}\b)[^\s"'\\]{3,200})/g,
  /--(?:password|passwd|pass|token|api-key|secret)[ =]["'\\]{0,4}([^\s"'\\-][^\s"'\\]{3,})/g,
  // `https://user:password@host`, and an address that is a secret itself.
  /:\/\/[^\s:@/]{0,200}:([^\s@/"']{1,200})(?=@)/g,
  /\bhooks\.slack\.com\/services\/([\w/]{8,})/g,
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  // Addresses of e-mail.
  /\b[\w.%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,}/g,
];

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

/** Whether a field or a flag of this name holds a secret in any form. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}

/** Whether the value of a field is a secret. Numbers of tokens, and objects made of them, are not. */
export function isSecretField(name: string, value: unknown): boolean {
  const isCount = typeof value !== "string" && !Array.isArray(value) && /tokens?$/i.test(name);
  return isSecretName(name) && !isCount;
}

/** Whether all values in a field of this name are secrets, whatever their own names say. */
export function isSecretBag(name: string): boolean {
  return name === "env" || name === "headers";
}

/** Whether a variable of the environment holds a secret. */
export function isSecretVariable(name: string): boolean {
  return /key|token|secret|passw|credential/i.test(name);
}
