const MASK_CHARACTER = '•'

/**
 * Masks an identifier for logs and metrics: shows the TAC, which names a model and not a person, and the last two
 * characters. An identifier without a TAC shows its last two characters only.
 */
export function maskIdentifier(identifier: string): string {
  const text = identifier.replace(/[^0-9A-Za-z]/g, '')
  if (text.length <= 4) return MASK_CHARACTER.repeat(text.length)
  const visiblePrefix = /^[0-9A-Fa-f]{14,16}$/.test(text) ? 8 : 0
  return text.slice(0, visiblePrefix) + MASK_CHARACTER.repeat(text.length - visiblePrefix - 2) + text.slice(-2)
}
