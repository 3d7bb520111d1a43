import { invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'

const MAX_NAME_LENGTH = 100

/** The name of an organization or a key, trimmed and free of control characters. */
export function parseDisplayName(text: string): string {
  const name = text.trim().replace(/\p{Cc}/gu, '')
  if (!name || name.length > MAX_NAME_LENGTH)
    throw invalid(
      'name',
      text,
      `1 to ${MAX_NAME_LENGTH} characters`,
      reason('name_length', { maximum: MAX_NAME_LENGTH }),
    )
  return name
}
