/**
 * What is kept of a key, a session or a one-time link: a copy of the store opens nothing. Plain SHA-256 is enough, because
 * they are at least 190 random bits and not passwords that can be guessed.
 */
export function hashSecret(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex')
}
