/** Devices by what was said of their names. */
import { agreement } from './agreement.ts'
import type { Fit } from './answer.ts'
import type { Claim, Claims } from './claims.ts'
import { keyOf } from './device-name.ts'
import type { Item } from './items.ts'
import type { Entry, KnownDevices } from './known.ts'
import type { Reading } from './reading.ts'

/** What a way of finding takes from how sure it is. */
const COSTS = { bare: 10, loose: 6, softDropped: 2 } as const

export type Looked = { readonly fits: Fit[]; readonly less: number; readonly key: string }

/** First everything that was said, then without what people say beside a name, then with numbers that stand apart. */
export function lookUp(claims: Claims, make: string | null, reading: Reading, { byMake, bare }: KnownDevices): Looked {
  const keys = make === null ? bare : byMake.get(make)
  const less = make === null ? COSTS.bare : 0
  // Without a make every word before the name must be known: "Cubot Note 20" is not Samsung's.
  if (!keys || (make === null && hasUnknownBefore(claims, reading.items))) return { fits: [], less, key: '' }
  const { list, loose } = claims
  const hard = list.some((claim) => claim.isSoft) ? list.filter((claim) => !claim.isSoft) : list
  const tries: (readonly [readonly Claim[], number])[] = [[list, 0]]
  if (hard !== list) tries.push([hard, COSTS.softDropped])
  if (loose.length > 0 && hard.some((claim) => !claim.isNumber)) {
    tries.push([[...hard, ...loose].sort((a, b) => a.at - b.at), COSTS.loose])
  }
  // "T14 Gen 2 i5" is the one with "(Intel)" in its name, and 'Tab A 10.1"' the "Tab A 10.1".
  if (reading.processor !== null) tries.push([[...hard, claimOf(reading.processor, false)], 0])
  for (const inches of reading.inches) tries.push([[...hard, claimOf(inches.toFixed(1), true)], 0])
  for (const [said, costs] of tries) {
    if (said.length === 0) continue
    for (const order of ORDERS) {
      const list = order(said)
      if (list === said && order !== asSaid) continue
      const key = keyOf(list)
      const entries = keys.get(key)
      if (!entries) continue
      const fits = fitting(entries, reading)
      if (fits.length > 0) return { fits, less: less + costs, key }
    }
  }
  return { fits: [], less, key: keyOf(hard) }
}

/** Something that was said beside the name and is part of some names. */
const claimOf = (text: string, isNumber: boolean): Claim => ({
  text,
  at: Number.POSITIVE_INFINITY,
  isSoft: false,
  isNumber,
  isLine: false,
})

/** Devices of one key that nothing in the title speaks against, each with how much of its name was said. */
function fitting(entries: readonly Entry[], reading: Reading): Fit[] {
  const fits: Fit[] = []
  /** Those that differ from others by a network or an amount the title does not name. */
  const undecided: Fit[] = []
  for (const { known, says } of entries) {
    const { network, nameColors } = known
    if (network === 'none' && reading.network === 5) continue
    if (network === 'wi-fi' && isCellularSaid(reading)) continue
    if (network === 'bluetooth' && isSaid(reading, 'Wi-Fi')) continue
    const isNetworkSaid = typeof network !== 'number' || reading.network === network
    if (!isNetworkSaid && reading.network !== null) continue
    if (nameColors.length > 0 && !fitsColors(nameColors, reading)) continue
    const agreed = agreement(reading, known.facts)
    if (!agreed) continue
    const isTimeSaid = agreed.isTimeSaid || says === 'time' || says === 'all'
    const isSizeSaid = agreed.isSizeSaid || says === 'size' || says === 'all'
    const list = isNetworkSaid && agreed.isAmountSaid ? fits : undecided
    list.push({
      known,
      isWhole: isTimeSaid && isSizeSaid && isNetworkSaid,
      isUnsaid: !isTimeSaid || !isNetworkSaid,
      isChipExact: agreed.isChipExact,
      isByNumber: says === 'size' || says === 'time',
    })
  }
  return fits.length > 0 ? fits : undecided
}

const isCellularSaid = (reading: Reading) =>
  reading.network !== null || isSaid(reading, 'LTE') || isSaid(reading, 'Cellular')

const isSaid = ({ items }: Reading, connectivity: string) =>
  items.some(({ word }) => word?.role === 'connectivity' && word.value === connectivity)

/** HERO7 Silver is not HERO7 White; but a color that is not said rules out nothing. The first one said belongs to the name. */
function fitsColors(own: readonly string[], reading: Reading): boolean {
  const first = reading.items.find((item) => item.word?.role === 'color')?.word?.value
  return first === undefined || own.includes(first)
}

/** People say the pieces of a name in several orders, and some of them twice. */
const asSaid = (list: readonly Claim[]) => list
/** Each gives back the list itself where it would change nothing. */
const ORDERS: readonly ((list: readonly Claim[]) => readonly Claim[])[] = [
  asSaid,
  withoutRepeats,
  linesFirst,
  numberSecond,
]

function hasUnknownBefore(claims: Claims, items: readonly Item[]): boolean {
  const first = claims.list[0]?.at ?? 0
  return items.slice(0, first).some((item) => !item.isRead && !item.isSign && item.word === null)
}

/** "Galaxy S21 … Galaxy S21 5G": what is said twice is said once. Only line words may repeat by themselves. */
function withoutRepeats(list: readonly Claim[]): readonly Claim[] {
  const half = list.length / 2
  if (Number.isInteger(half) && half > 0) {
    const isTwice = list.slice(0, half).every((claim, at) => claim.text === list[at + half]?.text)
    if (isTwice) return list.slice(0, half)
  }
  const once = list.filter(
    ({ isLine, text }, at) => !isLine || list.findIndex((claim) => claim.isLine && claim.text === text) === at,
  )
  return once.length === list.length ? list : once
}

/** "13 Pro Max iPhone". */
function linesFirst(list: readonly Claim[]): readonly Claim[] {
  const first = list.findIndex((claim) => !claim.isLine)
  if (first < 0 || !list.some((claim, at) => at > first && claim.isLine)) return list
  return [...list.filter((claim) => claim.isLine), ...list.filter((claim) => !claim.isLine)]
}

/** "iPhone Pro Max 12". */
function numberSecond(list: readonly Claim[]): readonly Claim[] {
  const numbers = list.filter((claim) => claim.isNumber)
  if (numbers.length !== 1) return list
  const lines = list.filter((claim) => claim.isLine)
  if (list[lines.length]?.isNumber && !list.slice(0, lines.length).some((claim) => !claim.isLine)) return list
  return [...lines, ...numbers, ...list.filter((claim) => !claim.isLine && !claim.isNumber)]
}
