/** Widths of bars and spaces, in modules, for the values 0 to 105 of Code 128; bars and spaces alternate. */
const PATTERNS =
  '212222222122222221121223121322131222122213122312132212221213221312231212112232122132122231113222123122123221223211221132221231213212223112312131311222321122321221312212322112322211212123212321232121111323131123131321112313132113132311211313231113231311112133112331132131113123113321133121313121211331231131213113213311213131311123311321331121312113312311332111314111221411431111111224111422121124121421141122141221112214112412122114122411142112142211241211221114413111241112134111111242121142121241114212124112124211411212421112421211212141214121412121111143111341131141114113114311411113411311113141114131311141411131211412211214211232'
const STOP = '2331112'
const START_B = 104
const START_C = 105
const CODE_B = 100
const FIRST_PRINTABLE = 32

/** Values of a text: digits in pairs (set C) where all are digits, else one by one (set B). */
function valuesOf(text: string): number[] {
  const single = (characters: string) => [...characters].map((character) => character.charCodeAt(0) - FIRST_PRINTABLE)
  if (!/^\d{2,}$/.test(text)) return [START_B, ...single(text)]
  const paired = text.length - (text.length % 2)
  const pairs = (text.slice(0, paired).match(/../g) ?? []).map(Number)
  const rest = text.slice(paired)
  return [START_C, ...pairs, ...(rest ? [CODE_B, ...single(rest)] : [])]
}

/**
 * Widths of the bars and spaces of a Code 128 barcode, starting with a bar; null for a text with characters that the code
 * does not have.
 */
export function code128(text: string): number[] | null {
  if (!/^[ -~]+$/.test(text)) return null
  const values = valuesOf(text)
  const checksum = values.reduce((sum, value, index) => sum + value * Math.max(1, index), 0) % 103
  const widths = [...values, checksum].map((value) => PATTERNS.slice(value * 6, value * 6 + 6)).join('') + STOP
  return [...widths].map(Number)
}
