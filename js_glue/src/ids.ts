// Random ids: base62 from the platform's cryptographic source, without bias.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CODES = /* @__PURE__ */ Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0));
/** The largest multiple of 62 in a byte; bytes from here on are thrown away, else the first letters would come oftener. */
const FAIR = 248;

// Made many at a time: a letter on its own costs as much as ten of these.
let letters = "";
let next = 0;

function freshLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(2048));
  let count = 0;
  for (const byte of bytes) if (byte < FAIR) bytes[count++] = CODES[byte % 62] ?? 0;
  return new TextDecoder().decode(bytes.subarray(0, count));
}

/** At most 100 letters. */
export function randomBase62(length: number): string {
  if (next + length > letters.length) {
    letters = freshLetters();
    next = 0;
  }
  return letters.slice(next, (next += length));
}

export const freshInvocationId = (): string => `inv_${randomBase62(12)}`;
export const freshConfirmationId = (): string => `cnf_${randomBase62(12)}`;
export const freshRegistrationId = (): string => `reg_${randomBase62(12)}`;
export const freshSurfaceId = (): string => `srf_${randomBase62(22)}`;
