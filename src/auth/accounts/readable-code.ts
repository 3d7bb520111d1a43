import { randomInt } from 'node:crypto'
import { DomainError } from '../../lib/errors.ts'
import { UPPER_DIGITS } from '../../lib/id.ts'
import { reason } from '../../lib/reasons.ts'

const GROUPS = 4
const GROUP_LENGTH = 4

/** 80 random bits in readable groups, such as 7QX2-M0KD-94TR-H1WB. */
export function generateReadableCode(pick: (below: number) => number = randomInt): string {
  const digit = () => UPPER_DIGITS.charAt(pick(UPPER_DIGITS.length))
  const group = () => Array.from({ length: GROUP_LENGTH }, digit).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Normalizes a typed code: case, dashes, O for 0, I or L for 1. */
export function normalizeReadableCode(typed: string): string {
  const digits = typed
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1')
  return (digits.match(/.{1,4}/g) ?? []).join('-')
}

export const alreadySetUpError = () =>
  new DomainError('not_found', 'This service has its owner already. Sign in instead.', reason('owner_exists'))
