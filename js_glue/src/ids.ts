// Random ids: base62 from the platform's cryptographic source, without bias.

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest multiple of 62 in a byte; bytes from here on are thrown away, else the first letters would come oftener. */
const FAIR = 248;

const pool = new Uint8Array(2048);
let next = pool.length;

export function randomBase62(length: number): string {
  let text = "";
  let left = length;
  while (left > 0) {
    if (next === pool.length) {
      crypto.getRandomValues(pool);
      next = 0;
    }
    const byte = pool[next++] ?? FAIR;
    if (byte >= FAIR) continue;
    text += ALPHABET.charAt(byte % 62);
    left--;
  }
  return text;
}

export const freshInvocationId = (): string => `inv_${randomBase62(12)}`;
export const freshRegistrationId = (): string => `reg_${randomBase62(12)}`;
export const freshSurfaceId = (): string => `srf_${randomBase62(22)}`;
