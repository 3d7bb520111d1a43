/** The request of an appraisal together with what its text states. */
import type { Device } from '../catalog/device.ts'
import { isOnlyName } from '../catalog/matching/only-name.ts'
import type { AppraisalRequestWire } from '../contract/appraisal-request.ts'
import { CONDITIONS } from '../contract/condition-grades.ts'
import type { DefectCode } from '../contract/defect-catalogue.ts'
import { deviceKind } from '../contract/device-kinds.ts'
import type { CarrierLock } from '../contract/pricing.ts'
import { foldText } from '../lib/fold-text.ts'
import { storageSizes } from '../text/sizes.ts'
import type { DescribedDevice, ReadField, TextFinding, UnreadWords } from './described-device.ts'
import type { TextMatch } from './identity.ts'
import { possibleDefects } from './possible-defects.ts'

/** A field of the request that differs from the text. The field counts. */
export type TextContradiction = ReadField & {
  readonly stated: string
  /** The text describes a cheaper device than the request, so that the device must be inspected. */
  readonly isWorse: boolean
}

export type TextReading = {
  readonly readFields: readonly ReadField[]
  readonly contradictions: readonly TextContradiction[]
  readonly unreadWords: readonly UnreadWords[]
  /** Defects that rest on the text alone. */
  readonly unconfirmedDefects: readonly UnconfirmedDefect[]
}

export type UnconfirmedDefect = { readonly words: string; readonly code: DefectCode }

export type StatedFields = Pick<AppraisalRequestWire, 'condition' | 'defects' | 'lock' | 'attributes'>

export const EMPTY_READING: TextReading = {
  readFields: [],
  contradictions: [],
  unreadWords: [],
  unconfirmedDefects: [],
}

/** Attributes that a text states beside the name of a device. */
const ATTRIBUTE_FIELDS = new Set(['storage', 'ram', 'color'])

/**
 * Completes the stated fields with what the text says. Stated fields win; listed defects and defects of the text add up, unless
 * the request states that there are none.
 */
export function completeRequest<Request extends StatedFields>(
  request: Request,
  described: DescribedDevice,
  match: TextMatch | null,
  device: Device | null,
): { readonly request: Request; readonly reading: TextReading } {
  const readFields: ReadField[] = []
  const contradictions: TextContradiction[] = []
  const unreadWords: UnreadWords[] = described.unreadWords.filter(({ words }) => !device || !isOnlyName(words, device))
  const unconfirmedDefects: UnconfirmedDefect[] = []
  const isPossible = defectFilter(device)
  let { condition, lock } = request
  const defects = new Set(request.defects ?? [])
  const hasNoDefects = request.defects?.length === 0
  let readLock: CarrierLock | null = null

  for (const finding of [...described.findings, ...findingsOfMatch(described, match)]) {
    const { words } = finding
    if (device && isOwnWord(finding, device)) continue
    switch (finding.field) {
      case 'battery_health':
        readFields.push({ words, field: 'battery_health', value: String(finding.percent) })
        break
      case 'condition':
        if (condition === undefined) {
          condition = finding.condition
          readFields.push({ words, field: 'condition', value: finding.condition })
        } else if (request.condition !== undefined && condition !== finding.condition)
          contradictions.push({
            words,
            field: 'condition',
            value: finding.condition,
            stated: condition,
            isWorse: CONDITIONS.indexOf(finding.condition) > CONDITIONS.indexOf(condition),
          })
        break
      case 'lock': {
        if (readLock !== null) break
        readLock = finding.lock
        const stated = request.lock ?? (request.defects?.includes('carrier_locked') ? 'locked' : undefined)
        if (finding.lock === 'locked' && !isPossible('carrier_locked'))
          unreadWords.push({ words, withholdsOffer: false })
        else if (stated === undefined) {
          lock = finding.lock
          readFields.push({ words, field: 'lock', value: finding.lock })
        } else if (stated !== finding.lock)
          contradictions.push({ words, field: 'lock', value: finding.lock, stated, isWorse: finding.lock === 'locked' })
        break
      }
      case 'defects': {
        const code = finding.codes.find(isPossible)
        if (code === undefined) unreadWords.push({ words, withholdsOffer: false })
        else if (hasNoDefects)
          contradictions.push({ words, field: 'defects', value: code, stated: 'none', isWorse: true })
        else {
          if (!defects.has(code)) unconfirmedDefects.push({ words, code })
          defects.add(code)
          readFields.push({ words, field: 'defects', value: code })
        }
      }
    }
  }
  readFields.push(...described.facts)
  for (const words of match?.wantedWords ?? []) readFields.push({ words, field: 'wanted', value: 'true' })
  if (isLockUnclear(match, described)) unreadWords.push({ words: 'locked', withholdsOffer: false })
  readFields.push(...readAttributes(request, described, match))
  contradictions.push(...storageContradictions(request, described, device))
  return {
    request: {
      ...request,
      condition,
      lock,
      defects: request.defects === undefined && defects.size === 0 ? undefined : [...defects],
    },
    reading: { readFields, contradictions, unreadWords, unconfirmedDefects },
  }
}

/** "Shadow Black" is a colour of the device, and no fault. */
const isOwnWord = ({ field, words }: TextFinding, device: Device) =>
  (field === 'defects' || field === 'condition') && /\p{L}/u.test(words) && isOnlyName(words, device)

function defectFilter(device: Device | null): (code: DefectCode) => boolean {
  if (!device || !deviceKind(device)) return () => true
  const possible = new Set(possibleDefects(device).map(({ code }) => code))
  return (code) => possible.has(code)
}

const attributeOf = (match: TextMatch | null, name: string) =>
  match?.attributes.find((attribute) => attribute.name === name)?.value

/** What the matching of the name found out: a grade, a lock or a carrier, and words for a device that does not work. */
function findingsOfMatch({ findings }: DescribedDevice, match: TextMatch | null): TextFinding[] {
  if (!match) return []
  const result: TextFinding[] = []
  const isRead = (field: TextFinding['field']) => findings.some((finding) => finding.field === field)
  if (match.condition && !isRead('condition'))
    result.push({ field: 'condition', words: match.conditionWords.join(', '), condition: match.condition })
  const carrier = attributeOf(match, 'carrier')
  const lock = attributeOf(match, 'lock')?.toLowerCase()
  if (!isRead('lock') && (carrier || lock)) {
    const words = [carrier, lock].filter((value) => value !== undefined).join(' ')
    result.push({ field: 'lock', words, lock: lock === 'unlocked' ? 'unlocked' : 'locked' })
  }
  return result
}

/** "locked" without a carrier may mean a lock to an account, which makes a device worthless. */
function isLockUnclear(match: TextMatch | null, { findings }: DescribedDevice): boolean {
  if (attributeOf(match, 'lock')?.toLowerCase() !== 'locked' || attributeOf(match, 'carrier')) return false
  return !findings.some(
    (finding) =>
      finding.field === 'lock' || (finding.field === 'defects' && finding.codes.includes('activation_locked')),
  )
}

function readAttributes(
  { attributes = {} }: StatedFields,
  { reading: { rest } }: DescribedDevice,
  match: TextMatch | null,
): ReadField[] {
  if (!match?.device) return []
  return match.attributes.flatMap(({ name: attribute, value }) =>
    ATTRIBUTE_FIELDS.has(attribute) && attributes[attribute] === undefined
      ? [{ words: wordsAsWritten(rest, value), field: `attributes.${attribute}`, value }]
      : [],
  )
}

function storageContradictions(
  { attributes = {} }: StatedFields,
  { reading: { rest } }: DescribedDevice,
  device: Device | null,
): TextContradiction[] {
  const [size, ...otherSizes] = storageSizes(rest)
  const stated = attributes.storage
  if (size === undefined || otherSizes.length > 0 || stated === undefined) return []
  const [statedSize] = storageSizes(stated)
  if (statedSize === undefined || statedSize === size) return []
  // A size that the device never had is a slip of the text, not another device.
  const isWorse = device === null || device.variants.some((variant) => hasStorage(variant, size))
  return [{ words: wordsAsWritten(rest, size), field: 'attributes.storage', value: size, stated, isWorse }]
}

function hasStorage({ attributes }: Device['variants'][number], size: string): boolean {
  return attributes.some(({ name, value }) => name === 'storage' && storageSizes(value).includes(size))
}

/** The words in the seller's spelling, if the text has them in one piece. */
function wordsAsWritten(text: string, words: string): string {
  const at = foldText(text).indexOf(foldText(words))
  return at >= 0 && foldText(text).length === text.length ? text.slice(at, at + words.length) : words
}
