import { createHash, randomBytes } from 'node:crypto'

/** 128 random bits, short enough for a QR code on a receipt; the URL contains nothing else. */
export const createShareToken = () => randomBytes(16).toString('base64url')

/** Other texts are rejected without a database query. */
export const isShareToken = (text: string) => /^[A-Za-z0-9_-]{22}$/.test(text)

/** Plain SHA-256 is enough: 128 random bits cannot be guessed. */
export const hashShareToken = (token: string) => createHash('sha256').update(token).digest('hex')
