/** Older models of a line cost no more than newer ones with as much memory, whatever they cost at launch. */
import { type Device, slug } from '../catalog/device.ts'
import { startOfDay, YEAR_MS } from '../lib/time.ts'
import { affectsPrice } from './price-attributes.ts'

/** A device of a product line with a known launch price, as it is stored with the fitted launch prices. */
export type LineMember = {
  readonly id: string
  readonly generation: number
  readonly released: number
  readonly configurations: readonly PricedConfiguration[]
}

export type PricedConfiguration = {
  readonly storageGb: number | null
  readonly ramGb: number | null
  /** Other attributes than memory: size, modem, chip. */
  readonly others: string
  readonly cents: number
}

type Memory = Omit<PricedConfiguration, 'cents'>

/** ln share of the launch price at an age in years. */
export type ShareAtAge = (age: number) => number

/** An older model is worth at most this share of a newer one. */
const OLDER_SHARE = 0.98
/** Models that appear within this time are sold beside each other. */
const MIN_DISTANCE_MS = 0.4 * YEAR_MS
/** Curves flatten with age, so that two models are compared at these ages of the newer one. */
const COMPARED_AT_YEARS = [1, 4]

const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii']
const ORDINAL = /^(\d+)(?:st|nd|rd|th)$/
/** Chips count generations; words for parts of a year and "generation" say nothing beside the number. */
const CHIP = /^m(\d)$/
const PART_OF_NAME = new Set(['early', 'mid', 'late', 'nov', 'generation', 'gen', 'mark'])

/**
 * The line of a device and its place in it; null if the name counts no generation. In "A7 IV", "Mac mini (2024)" and "iPad Air 11
 * (M4)" a mark of its own counts, so that the other numbers are sizes or classes; in "Galaxy A54" and "HERO12" it is the last digit.
 */
export function lineOf({ make, name, category }: Pick<Device, 'make' | 'name' | 'category'>) {
  const tokens = slug(name)
    .replace(`${slug(make)}-`, '')
    .split('-')
    .filter((token) => !PART_OF_NAME.has(token))
  const marks = tokens.map(markOf)
  const generation = marks.findLast((mark) => mark !== null)
  const prefix = `${make} ${category}`
  if (generation !== undefined && generation !== null)
    return { key: `${prefix} ${tokens.filter((_, at) => marks[at] === null).join(' ')}`, generation }
  // The number of a camera or a card is its class.
  if (category === 'Camera' || category === 'Graphics Card') return null
  const at = tokens.findLastIndex((token) => /\d/.test(token) && !/^\d+(?:g|gb|k)$/.test(token))
  const number = at < 0 ? undefined : /\d+/.exec(tokens[at] as string)?.[0]
  if (number === undefined) return null
  const general = (tokens[at] as string).replace(number, `${number.slice(0, -1)}_`)
  return { key: `${prefix} ${tokens.with(at, general).join(' ')}`, generation: Number(number) }
}

function markOf(token: string): number | null {
  const [, counted] = ORDINAL.exec(token) ?? CHIP.exec(token) ?? []
  if (counted !== undefined) return Number(counted)
  if (/^(?:19|20)\d\d$/.test(token)) return Number(token)
  const roman = ROMAN.indexOf(token)
  return roman > 0 ? roman + 1 : null
}

/** Null for a device without a line, a day of release or a price. */
export function lineMember(device: Device): { readonly key: string; readonly member: LineMember } | null {
  const line = device.releasedOn === null ? null : lineOf(device)
  if (!line || device.releasedOn === null) return null
  const configurations = device.variants.flatMap((variant): PricedConfiguration[] => {
    // Prices announced in other countries differ too much between models.
    const cents = variant.listCents
    if (!cents) return []
    const sizeOf = (name: string) => gigabytes(variant.attributes.find((attribute) => attribute.name === name)?.value)
    const others = variant.attributes
      .filter(({ name }) => affectsPrice(name) && name !== 'storage' && name !== 'ram')
      .map(({ value }) => slug(value))
      .join('-')
    return [{ storageGb: sizeOf('storage'), ramGb: sizeOf('ram'), others, cents }]
  })
  if (configurations.length === 0) return null
  const { generation } = line
  return {
    key: line.key,
    member: {
      id: device.id,
      generation,
      released: startOfDay(device.releasedOn),
      configurations: rising(configurations),
    },
  }
}

/** A larger variant that was added later for less says nothing about the launch. */
const rising = (configurations: readonly PricedConfiguration[]) =>
  configurations.map((configuration) => {
    const smaller = configurations.filter((other) => hasAsMuchMemory(configuration, other))
    return { ...configuration, cents: Math.max(...smaller.map(({ cents }) => cents)) }
  })

function gigabytes(text: string | undefined): number | null {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)\s*(gb|tb)$/i.exec(text ?? '') ?? []
  return amount ? Number(amount) * (/tb/i.test(unit ?? '') ? 1024 : 1) : null
}

/**
 * The most that a configuration may have cost at launch, in cents, so that it is worth no more than any newer model of the line with at
 * least as much memory; infinite without one. Newer models are limited in the same way.
 */
export function launchLimits(
  members: readonly LineMember[],
  place: LinePlace,
  shareAt: ShareAtAge,
): (configuration: Memory) => number {
  const limited: LineMember[] = []
  for (const member of members.toSorted((one, other) => other.released - one.released)) {
    const configurations = member.configurations.map((configuration) => ({
      ...configuration,
      cents: Math.min(configuration.cents, highestCents(limited, member, configuration, shareAt)),
    }))
    limited.push({ ...member, configurations })
  }
  return (configuration) => highestCents(limited, place, configuration, shareAt)
}

export type LinePlace = Pick<LineMember, 'generation' | 'released'>

const isNewer = (one: LinePlace, other: LinePlace) =>
  one.generation > other.generation && one.released >= other.released + MIN_DISTANCE_MS

function highestCents(
  members: readonly LineMember[],
  place: LinePlace,
  configuration: Memory,
  shareAt: ShareAtAge,
): number {
  let highest = Number.POSITIVE_INFINITY
  for (const member of members.filter((one) => isNewer(one, place))) {
    const share = OLDER_SHARE * Math.exp(lowestGain(place.released, member.released, shareAt))
    for (const other of member.configurations)
      if (hasAsMuchMemory(other, configuration))
        highest = Math.min(highest, (other.cents * share) / storagePremium(other, configuration))
  }
  return highest
}

/** How much more of its launch price the newer model keeps (ln). */
function lowestGain(older: number, newer: number, shareAt: ShareAtAge): number {
  const distance = (newer - older) / YEAR_MS
  return Math.min(...COMPARED_AT_YEARS.map((age) => shareAt(age) - shareAt(age + distance)))
}

/** Used prices pay for storage beside the difference in launch prices (ln per doubling). */
const LN_PER_DOUBLING = 0.08

const storagePremium = ({ storageGb }: Memory, smaller: Memory) =>
  storageGb && smaller.storageGb ? Math.exp(LN_PER_DOUBLING * Math.log2(storageGb / smaller.storageGb)) : 1

const isAtLeast = (one: number | null, other: number | null) =>
  one === null || other === null ? one === other : one >= other

const hasAsMuchMemory = (one: Memory, other: Memory) =>
  one.others === other.others && isAtLeast(one.storageGb, other.storageGb) && isAtLeast(one.ramGb, other.ramGb)
