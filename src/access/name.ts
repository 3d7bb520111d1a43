import { invalid } from '../errors.ts'

const LONGEST_NAME = 100

/** The name of an organization or a key, trimmed and free of control characters. */
export function readName(text: string): string {
  const name = text.trim().replace(/\p{Cc}/gu, '')
  if (!name || name.length > LONGEST_NAME) throw invalid('name', text, `1 to ${LONGEST_NAME} characters`)
  return name
}
