const MASK_CHARACTER = '•'

/**
 * An identifier as logs and metrics may show it: the TAC, which names a model and not a person, and the last two
 * characters. Whatever is too short to have a TAC keeps its last two characters alone.
 */
export function maskIdentifier(identifier: string): string {
  const text = identifier.replace(/[^0-9A-Za-z]/g, '')
  if (text.length <= 4) return MASK_CHARACTER.repeat(text.length)
  const shown = /^[0-9A-Fa-f]{14,16}$/.test(text) ? 8 : 0
  return text.slice(0, shown) + MASK_CHARACTER.repeat(text.length - shown - 2) + text.slice(-2)
}
