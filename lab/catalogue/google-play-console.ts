import type { Device } from '../../src/catalog/device.ts'
import { brandsOf, matchesCertifiedName } from './android.ts'
import type { CatalogueReferences } from './reference-data.ts'
import type { Tally } from './tally.ts'

/** What the console's devices reported of themselves; the sizes of memory are those that came by, not all that were sold. */
type PlayConsoleFacts = {
  readonly screens: ReadonlySet<string>
  readonly memoryGb: readonly number[]
  readonly chips: ReadonlySet<string>
}

export type FindPlayConsoleFacts = (device: Device) => PlayConsoleFacts | undefined

/** Rows of the console by the build names of a device; of several those that carry its name. */
export function playConsoleIndex(references: CatalogueReferences): FindPlayConsoleFacts {
  const rows = new Map(references.consoleRows.map((row) => [`${row[0]?.toLowerCase()} ${row[1]}`, row]))
  const buildsOf = new Map<string, Set<string>>()
  for (const [brand = '', , build = '', model = ''] of references.playRows) {
    const key = `${brand.toLowerCase()} ${model.toUpperCase()}`
    buildsOf.set(key, (buildsOf.get(key) ?? new Set()).add(build))
  }
  return (device) => {
    const candidates = brandsOf(device.make).flatMap((brand) => {
      const certified = device.modelNumbers.flatMap((model) => [
        ...(buildsOf.get(`${brand} ${model.toUpperCase()}`) ?? []),
      ])
      const builds = new Set([...device.modelIdentifiers, ...certified])
      return [...builds].map((build) => rows.get(`${brand} ${build}`)).filter((row) => row !== undefined)
    })
    const namedRows = candidates.filter((row) => matchesCertifiedName(device, row[3] ?? ''))
    const selectedRows = namedRows.length > 0 ? namedRows : candidates
    if (selectedRows.length === 0) return undefined
    return {
      screens: new Set(selectedRows.flatMap((row) => screensOf(row[8] ?? ''))),
      memoryGb: selectedRows.flatMap((row) =>
        [...(row[4] ?? '').matchAll(/\d+/g)].map(([digits]) => nominalGb(Number(digits))),
      ),
      chips: new Set(selectedRows.map((row) => chipNumber(row[6] ?? '')).filter((chip) => chip !== '')),
    }
  }
}

/** Screen, memory and chip against what Google's console knows of the same build. */
export function checkPlayConsole(devices: readonly Device[], consoleOf: FindPlayConsoleFacts, tally: Tally): void {
  const facts = devices
    .filter(({ category }) => category === 'Smartphone' || category === 'Tablet')
    .map((device) => ({ device, known: consoleOf(device) }))
  const cooccurrence = chipCooccurrence(facts)
  for (const { device, known } of facts) {
    if (known === undefined) {
      tally.unknown('Console: device')
      continue
    }
    const { display, memory, chip } = device.specifications
    const screen = screensOf(display ?? '')[0]
    // A screen can be told to draw fewer pixels, in the same shape.
    const agrees = [...known.screens].some(
      (one) => one === screen || Math.abs(screenShape(one) - screenShape(screen ?? '')) < 0.012,
    )
    if (screen === undefined || known.screens.size === 0) tally.unknown('Console: resolution')
    else
      tally.record('Console: resolution', agrees, `${device.name}: ${screen}, known ${[...known.screens].join(', ')}`)

    const sizes = [...(memory ?? '').matchAll(/([\d.]+)GB/g)].map(([, size]) => Number(size))
    if (sizes.length === 0 || known.memoryGb.length === 0) tally.unknown('Console: memory')
    else {
      const [min, max] = [Math.min(...known.memoryGb), Math.max(...known.memoryGb)]
      const fits = sizes.some((size) => size >= min && size <= max)
      tally.record('Console: memory', fits, `${device.name}: ${memory}, known ${min} to ${max} GB`)
    }
    if (chip === undefined || known.chips.size === 0) tally.unknown('Console: chip')
    else {
      const verdict = isKnownPair(cooccurrence, chip, known.chips)
      if (verdict === undefined) tally.unknown('Console: chip')
      else tally.record('Console: chip', verdict, `${device.name}: ${chip}, known ${[...known.chips].join(', ')}`)
    }
  }
}

type ChipCooccurrence = Map<string, Map<string, number>>

/**
 * People say "Helio G85", the console "MT6769": which belongs to which is learnt from all devices together, so that no
 * table of names has to be kept.
 */
function chipCooccurrence(facts: readonly { device: Device; known: PlayConsoleFacts | undefined }[]): ChipCooccurrence {
  const cooccurrence: ChipCooccurrence = new Map()
  for (const { device, known } of facts) {
    for (const name of namesOfChip(device.specifications.chip)) {
      const numbers = cooccurrence.get(name) ?? new Map<string, number>()
      cooccurrence.set(name, numbers)
      for (const chip of known?.chips ?? []) numbers.set(chip, (numbers.get(chip) ?? 0) + 1)
    }
  }
  return cooccurrence
}

/** Undefined where a name is too rare to tell; false where several others put it to another chip and none to this one. */
function isKnownPair(cooccurrence: ChipCooccurrence, chip: string, known: ReadonlySet<string>): boolean | undefined {
  const numbers = namesOfChip(chip).map((name) => cooccurrence.get(name) ?? new Map<string, number>())
  if (numbers.some((counts) => [...known].some((one) => (counts.get(one) ?? 0) >= 2))) return true
  return numbers.some((counts) => [...counts.values()].some((count) => count >= 3)) ? false : undefined
}

function namesOfChip(chip: string | undefined): string[] {
  return chip?.split(/ or |, /) ?? []
}

/** "Mediatek MT6833V/NZA" and "MT6833P" are one chip. */
function chipNumber(text: string): string {
  const known = text.match(/SM\d{4}|[SM][DS][MA]\d{3,4}|MT\d{4}|s5e\d{4}|exynos ?\d+/i)?.[0] ?? text
  return known === 'unknown' ? '' : known.toUpperCase().replace(' ', '')
}

function screensOf(text: string): string[] {
  return [...text.matchAll(/(\d{3,4}) ?x ?(\d{3,4})/g)].map(([, one, other]) => {
    const [short, long] = [Number(one), Number(other)].sort((a, b) => a - b)
    return `${long} x ${short}`
  })
}

function screenShape(screen: string): number {
  const [long = 0, short = 1] = screen.split(' x ').map(Number)
  return long / short
}

const NOMINAL_GB = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12, 16, 18, 24]

/** What is left for programs is a little less than what was sold, never more. */
function nominalGb(megabytes: number): number {
  return NOMINAL_GB.find((size) => size >= (megabytes / 1024) * 0.985) ?? 24
}
