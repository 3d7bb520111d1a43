/** The secret of `Authorization: Bearer …`; the scheme in any case, one blank or more, nothing after it. */
export function parseBearerToken(authorization: string | null): string | undefined {
  if (authorization === null) return undefined
  const isUsual = authorization.startsWith('Bearer ')
  if (!isUsual && authorization.slice(0, 7).toLowerCase() !== 'bearer ') return undefined
  const secret = authorization.slice(7)
  return secret.charCodeAt(0) === 32 ? secret.trimStart() : secret
}
