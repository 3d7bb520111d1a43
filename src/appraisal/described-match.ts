/** The device of a seller's text, matched with and without the words that describe it. */
import type { Device } from '../catalog/device.ts'
import type { MatchRejection } from '../catalog/matching/rejection.ts'
import { type DeviceKind, deviceKind } from '../contract/device-kinds.ts'
import { foldText } from '../lib/fold-text.ts'
import { storageSizes } from '../pricing/observations/listing-text.ts'
import type { DescribedDevice, TextFinding } from './described-device.ts'
import { namesPart } from './description-lexicon.ts'
import type { TextMatch } from './identity.ts'

type NameMatch = Pick<TextMatch, 'device' | 'rejection' | 'unmatchedWords' | 'defectWords' | 'wantedWords'>

/** The text sells something else than one device. */
const SELLS_SOMETHING_ELSE = new Set<MatchRejection | null>([
  ...(['accessory', 'part', 'box', 'lot', 'replica', 'wanted', 'service', 'multiple_models'] as const),
])

/**
 * Words that describe the device hide its name ("iPhone 13 screen lifting"), or belong to it ("iPhone 13 battery original",
 * which is a battery). So the name is matched first, then the whole text, then the name without words beside the faults.
 */
export async function findDescribedDevice<Match extends NameMatch>(
  text: string,
  described: DescribedDevice,
  matchName: (name: string) => Match | Promise<Match>,
): Promise<{ readonly described: DescribedDevice; readonly match: Match | null }> {
  if (described.name === '') return { described, match: null }
  const match = await matchName(described.name)
  const whole = described.name === text ? match : await matchName(text)
  if (match.device && beginsWithWanted(text, whole)) return { described, match: whole }
  if (match.device) return { described, match: withContext(match, whole, described) }
  if (whole.device) return { described, match: withoutReadWords(whole, match) }
  const { hasStatements } = described
  if (SELLS_SOMETHING_ELSE.has(match.rejection) && !(hasStatements && BESIDE_FAULTS.has(match.rejection)))
    return { described, match }
  if (sellsOnlyExtras(whole, described)) return { described, match: whole }
  // "PS5 Dead Space": what was read is part of a title that is known.
  const isPartOfTitle = whole.rejection === 'accessory' && match.rejection !== 'accessory'
  for (const shortened of described.shortened) {
    const shorterMatch = await matchName(shortened.name)
    const { device } = shorterMatch
    const mayNameGame = isPartOfTitle || (shortened.isTail && !statesFaultOfPart(described))
    if (device && !(mayNameGame && mayBeGame(device)) && !isBrokenAccessory(described, match, device))
      return { described: { ...described, ...shortened }, match: shorterMatch }
  }
  return { described, match }
}

/** "I need iPhone 12", unlike "iPhone 12 needs a battery". */
function beginsWithWanted(text: string, { rejection, wantedWords }: NameMatch): boolean {
  const folded = foldText(text).trim()
  return rejection === 'wanted' && wantedWords.some((words) => folded.startsWith(foldText(words)))
}

/** What the text describes is read already. */
const withoutReadWords = <Match extends NameMatch>(whole: Match, match: Match): Match => ({
  ...whole,
  unmatchedWords: whole.unmatchedWords.filter((word) => match.unmatchedWords.includes(word)),
  defectWords: match.defectWords,
})

/** "PS5 Ghost of Yotei". */
const mayBeGame = ({ category }: Device) => category.includes('Console')

/** "Switch Lite stick drift, …" is no game, unlike "PS5 Astro Bot broken". */
const statesFaultOfPart = ({ findings }: DescribedDevice) =>
  findings.some((finding) => finding.field === 'defects' && finding.subject === undefined)

/** Parts of a device and what is sold with it have faults, too: "case battery dead". */
const BESIDE_FAULTS = new Set<MatchRejection | null>(['part', 'accessory'])

/**
 * "PS4 controller broken" sells the controller, unlike "PS4 500GB controller broken", "PS4, controller broken" and "AirPods Pro
 * case battery dead".
 */
function isBrokenAccessory({ findings, name }: DescribedDevice, { rejection }: NameMatch, device: Device): boolean {
  if (rejection !== 'accessory' || /[,;|]/.test(name) || storageSizes(name).length > 0) return false
  return !namesPart(name) && findings.every((finding) => isOfAccessory(finding, deviceKind(device)))
}

/** Whether an accessory can have the state; the case belongs to earbuds, the sticks to a handheld. */
function isOfAccessory(finding: TextFinding, kind: DeviceKind | null): boolean {
  if (finding.field !== 'defects' || finding.subject !== undefined) return true
  if (finding.isOptional) return kind !== 'earbuds'
  return finding.codes[0] === 'no_power' || (finding.codes[0] === 'stick_drift' && kind === 'console')
}

const SOLD_ALONE = new Set<MatchRejection | null>(['service', 'part', 'box', 'replica', 'wanted'])

/**
 * "iPhone 13 iCloud unlock service", "iPhone 12 true tone chip screen": nothing in the text describes a device, unlike
 * "iPhone 13 128GB, battery service".
 */
const sellsOnlyExtras = ({ rejection }: NameMatch, { name, findings }: DescribedDevice) =>
  SOLD_ALONE.has(rejection) && storageSizes(name).length === 0 && findings.length === 0

/** The whole text decides where its other words change the meaning of the name: "iPhone 13 128GB mini scratches". */
function withContext<Match extends NameMatch>(match: Match, whole: Match, described: DescribedDevice): Match {
  if (whole.device) return whole.device === match.device ? match : withoutReadWords(whole, match)
  if (match.device && isBrokenAccessory(described, whole, match.device)) return whole
  if (sellsOnlyExtras(whole, described)) return whole
  const hasStatements = described.hasStatements || storageSizes(described.name).length > 0
  const isAmbiguous = whole.rejection === null
  return isAmbiguous || (!hasStatements && SELLS_SOMETHING_ELSE.has(whole.rejection)) ? whole : match
}
