import { randomBytes } from 'node:crypto'

/** 256 random bits for a cookie or a one-time link. */
export const generateToken = () => randomBytes(32).toString('base64url')
