import { editDistance } from '../lib/edit-distance.ts'

/** Longer names are no slip of the pen, and more of them no help. */
const MAX_NAME_LENGTH = 40
const MAX_REPORTED = 10
/** From so many letters on two typing errors are forgiven; below three letters any name is near any other. */
const TWO_TYPOS_FROM_LENGTH = 8
const MIN_LETTERS = 3

/**
 * Parameters that nothing reads although they look like ones there are. Any other unknown parameter is ignored without a
 * word, as promised: callers add their own for caches and tracking.
 */
export function findMisspelledParameters(
  sent: readonly string[],
  known: readonly string[],
  takes: (parameter: string) => boolean,
): readonly string[] | null {
  const ignored: string[] = []
  for (const name of sent) {
    if (known.includes(name) || name.length > MAX_NAME_LENGTH || ignored.length === MAX_REPORTED) continue
    if (known.some((one) => isMisspellingOf(name, one)) && !takes(name)) ignored.push(name)
  }
  return ignored.length > 0 ? ignored : null
}

/** Case and the signs between words do not count: `deviceId` is near `device_id`. */
function isMisspellingOf(sent: string, known: string): boolean {
  const [a, b] = [normalizeName(sent), normalizeName(known)]
  if (a === b) return true
  if (a.length < MIN_LETTERS || b.length < MIN_LETTERS) return false
  const most = b.length >= TWO_TYPOS_FROM_LENGTH ? 2 : 1
  return editDistance(a, b, most) <= most
}

const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
