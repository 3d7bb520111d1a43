import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** A code of the step before and after is taken too: clocks differ, and people type slowly. */
const STEP_TOLERANCE = 1

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Device Intelligence', label, secret: Secret.fromBase32(secret), period: PERIOD_S, digits: 6 })

/** 160 bits, as the standard asks for, in the form that people can type. */
export const generateTotpSecret = () => new Secret({ size: 20 }).base32

/** What an authenticator app reads from a picture. */
export const totpUri = (secret: string, email: string) => totpOf(secret, email).toString()

/**
 * The step of time that a code is of, or undefined if it is none of now. A step counts once, so a code seen is worth
 * nothing.
 */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code.replace(/\s/g, ''), timestamp: now, window: STEP_TOLERANCE })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta
}
