import { editDistance } from '../lib/edit-distance.ts'

/** Longer names are not checked, and more names are not reported. */
const MAX_NAME_LENGTH = 40
const MAX_REPORTED = 10
/** Names of this length may have two typos; shorter than three letters are not checked. */
const TWO_TYPOS_FROM_LENGTH = 8
const MIN_LETTERS = 3

/**
 * Unknown parameters that look like misspelled ones. Other unknown parameters are ignored, because callers add their own
 * for caches and tracking.
 */
export function findMisspelledParameters(
  sentNames: readonly string[],
  knownNames: readonly string[],
  isAccepted: (parameter: string) => boolean,
): readonly string[] | null {
  const ignored: string[] = []
  for (const name of sentNames) {
    if (knownNames.includes(name) || name.length > MAX_NAME_LENGTH || ignored.length === MAX_REPORTED) continue
    if (knownNames.some((knownName) => isMisspellingOf(name, knownName)) && !isAccepted(name)) ignored.push(name)
  }
  return ignored.length > 0 ? ignored : null
}

/** Ignores case and separators: `deviceId` is similar to `device_id`. */
function isMisspellingOf(sent: string, known: string): boolean {
  const [sentName, knownName] = [normalizeName(sent), normalizeName(known)]
  if (sentName === knownName) return true
  if (sentName.length < MIN_LETTERS || knownName.length < MIN_LETTERS) return false
  const maxTypos = knownName.length >= TWO_TYPOS_FROM_LENGTH ? 2 : 1
  return editDistance(sentName, knownName, maxTypos) <= maxTypos
}

const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, '')
