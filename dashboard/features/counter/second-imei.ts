import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { luhnDigit } from '../../../src/identifier/check-digit.ts'

type Looked = Pick<LookupResultWire, 'identifier' | 'second_identifier' | 'device_match'>

const bare = (text: string) => text.replace(/[^0-9A-Za-z]/g, '').toUpperCase()
const isImei = (text: string) => /^\d{15}$/.test(text) && luhnDigit(text.slice(0, 14)) === text[14]
const tacOf = (text: string) => bare(text).slice(0, 8)

/** Whether a scan repeats what the lookup is about. */
export const isOfLookup = ({ identifier, second_identifier: second }: Looked, scanned: string): boolean =>
  [identifier, second ?? ''].some((known) => bare(known) === bare(scanned))

/** Whether two IMEIs may be those of one dual-SIM phone: both are of the same model, and the first has no second yet. */
export function mayBeSecondImei(first: Looked, next: Looked): boolean {
  if (first.second_identifier || next.second_identifier) return false
  if (!isImei(bare(first.identifier)) || !isImei(bare(next.identifier))) return false
  const { matched_device_id: model } = first.device_match
  return (
    tacOf(first.identifier) === tacOf(next.identifier) ||
    (model !== null && model === next.device_match.matched_device_id)
  )
}
