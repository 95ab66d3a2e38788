// Random ids: base62 from the platform's cryptographic source, without bias.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte; bytes from here on are thrown away, else the first letters would come oftener. */
const FAIR = 248;

// Made many at a time: a letter on its own costs as much as ten of these.
let letters = "";
let next = 0;

function freshLetters(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(2048)).filter((byte) => byte < FAIR);
  return new TextDecoder().decode(bytes.map((byte) => ALPHABET.charCodeAt(byte % 62)));
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
export const freshRegistrationId = (): string => `reg_${randomBase62(12)}`;
export const freshSurfaceId = (): string => `srf_${randomBase62(22)}`;
