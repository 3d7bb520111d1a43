import { createHmac, timingSafeEqual } from 'node:crypto'
import { generateToken } from '../accounts/token.ts'

type DeviceOwner = { readonly id: string; readonly passwordHash: string | null }

/**
 * Marks a browser that has signed in as this person. Wrong passwords from such a browser are counted separately, so a
 * stranger who guesses passwords cannot lock the owner out. Signed with the password hash: a new password voids it.
 */
export function issueDeviceToken(person: DeviceOwner): string | undefined {
  const id = generateToken()
  return person.passwordHash === null ? undefined : `${id}.${sign(id, person.id, person.passwordHash)}`
}

/** The id of the device if the token was issued for this person and their current password. */
export function findKnownDevice(token: string | undefined, person: DeviceOwner | undefined): string | undefined {
  const [id, signature] = token?.split('.') ?? []
  if (!id || !signature || !person || person.passwordHash === null) return undefined
  const expected = Buffer.from(sign(id, person.id, person.passwordHash))
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? id : undefined
}

const sign = (id: string, personId: string, passwordHash: string) =>
  createHmac('sha256', passwordHash).update(`${personId} ${id}`).digest('base64url')
