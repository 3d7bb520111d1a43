/** Stored instead of keys, session tokens and links. Plain SHA-256 is enough: they are at least 190 random bits. */
export function hashSecret(secret: string): string {
  return Bun.SHA256.hash(secret, 'hex')
}
