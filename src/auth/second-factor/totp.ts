import { Secret, TOTP } from 'otpauth'

const PERIOD_S = 30
/** Accepts the previous and the next time step, because clocks differ. */
const STEP_TOLERANCE = 1

const totpOf = (secret: string, label = '') =>
  new TOTP({ issuer: 'Device Intelligence', label, secret: Secret.fromBase32(secret), period: PERIOD_S, digits: 6 })

/** 160 bits in base32. */
export const generateTotpSecret = () => new Secret({ size: 20 }).base32

/** The URI in the QR code for authenticator apps. */
export const totpUri = (secret: string, email: string) => totpOf(secret, email).toString()

/** The time step of a code; undefined if it is not valid now. Each step can be used once, against replays. */
export function findTotpStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code.replace(/\s/g, ''), timestamp: now, window: STEP_TOLERANCE })
  return delta === null ? undefined : Math.floor(now / 1000 / PERIOD_S) + delta
}
