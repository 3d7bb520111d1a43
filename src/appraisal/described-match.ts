/** The device that a seller's text names. */
import { namesOnlyParts } from '../catalog/matching/part-words.ts'
import type { MatchRejection } from '../catalog/matching/rejection.ts'
import { storageSizes } from '../text/sizes.ts'
import type { DescribedDevice } from './described-device.ts'
import type { TextMatch } from './identity.ts'

type NameMatch = Pick<TextMatch, 'device' | 'rejection'>

/** The text sells something else than one device. */
const SELLS_SOMETHING_ELSE = new Set<MatchRejection | null>([
  ...(['accessory', 'part', 'box', 'lot', 'replica', 'wanted', 'service', 'multiple_models'] as const),
])
/** Parts and accessories may be what is broken or what comes with the device: "iPhone 13, case broken". */
const BESIDE_FAULTS = new Set<MatchRejection | null>(['part', 'accessory'])

/** In a longer text these words are beside the device more often than they are what is sold; the reader knows what is. */
const BESIDE_DEVICE = new Set<MatchRejection | null>(['part', 'accessory', 'service'])

/** How sure the reader is that the text offers something else is decided there; these offers have no device to appraise. */
const OFFERS_WITHOUT_DEVICE = {
  wanted: 'wanted',
  several: 'lot',
  accessory: 'accessory',
  service: 'service',
  box: 'box',
  dummy: 'replica',
  parts: null,
} as const

/**
 * Tries the places of the text where the name may stand. A text that sells something else stays what it is, unless it states
 * faults of a device.
 */
export async function findDescribedDevice<Match extends NameMatch>(
  { names, laterNames, title, reading, stated }: DescribedDevice,
  matchName: (name: string) => Match | Promise<Match>,
): Promise<Match | null> {
  let first: Match | null = null
  // A short title is too little to tell what it offers; the words of titles decide there.
  const offered = reading.offer === 'device' || title !== null ? null : OFFERS_WITHOUT_DEVICE[reading.offer]
  const statesFault = stated.some((words) => !namesOnlyParts(words))
  const isOffered = (rejection: MatchRejection | null) =>
    (statesFault && BESIDE_FAULTS.has(rejection)) ||
    (title === null && reading.offer === 'device' && BESIDE_DEVICE.has(rejection))
  const isSomethingElse = ({ rejection }: Match) => SELLS_SOMETHING_ELSE.has(rejection) && !isOffered(rejection)
  if (title !== null && title !== names[0]) {
    const whole = await matchName(title)
    if (isSomethingElse(whole)) return whole
  }
  for (const name of names) {
    const match = await matchName(withStorage(name, reading.rest))
    if (match.device) return offered ? { ...match, device: null, rejection: offered } : match
    first ??= match
    if (isSomethingElse(match) || match.rejection === null) return match
  }
  if (offered) return first
  const later = await Promise.all(laterNames.map((name) => matchName(withStorage(name, reading.rest))))
  const [found, ...others] = later.filter(({ device }) => device !== null)
  // A second device may be the old one, or one that is wanted in exchange.
  return found && others.every(({ device }) => device?.id === found.device?.id) ? found : first
}

/** The size often stands behind the name: "iPhone 12\nBlack, 128GB". */
function withStorage(name: string, text: string): string {
  if (storageSizes(name).length > 0) return name
  const [size, ...others] = storageSizes(text)
  return size === undefined || others.length > 0 ? name : `${name} ${size}`
}
