import { editDistance } from '../text/edit-distance.ts'

/** Longer names are no slip of the pen, and more of them no help. */
const LONGEST_NAME = 40
const MOST_NAMED = 10
/** From so many letters on two typing errors are forgiven; below three letters any name is near any other. */
const TWO_ERRORS_FROM = 8
const LEAST_LETTERS = 3

/**
 * Parameters that nothing reads although they look like ones there are. Any other unknown parameter is ignored without a
 * word, as promised: callers add their own for caches and tracking.
 */
export function ignoredParameters(
  sent: readonly string[],
  known: readonly string[],
  takes: (parameter: string) => boolean,
): readonly string[] | null {
  const ignored: string[] = []
  for (const name of sent) {
    if (known.includes(name) || name.length > LONGEST_NAME || ignored.length === MOST_NAMED) continue
    if (known.some((one) => looksLike(name, one)) && !takes(name)) ignored.push(name)
  }
  return ignored.length > 0 ? ignored : null
}

/** Case and the signs between words do not count: `deviceId` is near `device_id`. */
function looksLike(sent: string, known: string): boolean {
  const [a, b] = [plain(sent), plain(known)]
  if (a === b) return true
  if (a.length < LEAST_LETTERS || b.length < LEAST_LETTERS) return false
  const most = b.length >= TWO_ERRORS_FROM ? 2 : 1
  return editDistance(a, b, most) <= most
}

const plain = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
