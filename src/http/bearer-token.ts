/** The secret of `Authorization: Bearer …`; the scheme is case-insensitive and followed by one or more spaces. */
export function parseBearerToken(authorization: string | null): string | undefined {
  if (authorization === null) return undefined
  const hasUsualCase = authorization.startsWith('Bearer ')
  if (!hasUsualCase && authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  const secret = authorization.slice(7)
  return secret.charCodeAt(0) === 32 ? secret.trimStart() : secret
}
