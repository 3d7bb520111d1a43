import type { Device } from '../../src/catalog/device.ts'
import { brandsOf, matchesCertifiedName } from './android.ts'
import type { CatalogueReferences } from './reference-data.ts'
import type { Tally } from './tally.ts'

/** Facts that devices reported to the Play Console. Memory sizes are those of the reporting devices, not of all that were sold. */
type PlayConsoleFacts = {
  readonly screens: ReadonlySet<string>
  readonly memoryGb: readonly number[]
  readonly chips: ReadonlySet<string>
}

export type FindPlayConsoleFacts = (device: Device) => PlayConsoleFacts | undefined

/** Finds console rows by the build names of a device; prefers rows with its name. */
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

/** Compares screen, memory and chip with the Play Console entry of the same build. */
export function checkPlayConsole(devices: readonly Device[], consoleOf: FindPlayConsoleFacts, tally: Tally): void {
  const facts = devices
    .filter(({ category }) => category === 'Smartphone' || category === 'Tablet')
    .map((device) => ({ device, reported: consoleOf(device) }))
  const cooccurrence = chipCooccurrence(facts)
  for (const { device, reported } of facts) {
    if (reported === undefined) {
      tally.unknown('Console: device')
      continue
    }
    const { display, memory, chip } = device.specifications
    const screen = screensOf(display ?? '')[0]
    // A device may report a lower resolution with the same aspect ratio.
    const agrees = [...reported.screens].some(
      (reportedScreen) =>
        reportedScreen === screen || Math.abs(aspectRatio(reportedScreen) - aspectRatio(screen ?? '')) < 0.012,
    )
    if (screen === undefined || reported.screens.size === 0) tally.unknown('Console: resolution')
    else
      tally.record(
        'Console: resolution',
        agrees,
        `${device.name}: ${screen}, reference ${[...reported.screens].join(', ')}`,
      )

    const sizes = [...(memory ?? '').matchAll(/([\d.]+)GB/g)].map(([, size]) => Number(size))
    if (sizes.length === 0 || reported.memoryGb.length === 0) tally.unknown('Console: memory')
    else {
      const [min, max] = [Math.min(...reported.memoryGb), Math.max(...reported.memoryGb)]
      const fits = sizes.some((size) => size >= min && size <= max)
      tally.record('Console: memory', fits, `${device.name}: ${memory}, reference ${min} to ${max} GB`)
    }
    if (chip === undefined || reported.chips.size === 0) tally.unknown('Console: chip')
    else {
      const verdict = isKnownPair(cooccurrence, chip, reported.chips)
      if (verdict === undefined) tally.unknown('Console: chip')
      else
        tally.record('Console: chip', verdict, `${device.name}: ${chip}, reference ${[...reported.chips].join(', ')}`)
    }
  }
}

type ChipCooccurrence = Map<string, Map<string, number>>

/**
 * The catalogue has "Helio G85", the console "MT6769". Pairs are learned from all devices together instead of from a table.
 */
function chipCooccurrence(
  facts: readonly { device: Device; reported: PlayConsoleFacts | undefined }[],
): ChipCooccurrence {
  const cooccurrence: ChipCooccurrence = new Map()
  for (const { device, reported } of facts) {
    for (const name of namesOfChip(device.specifications.chip)) {
      const numbers = cooccurrence.get(name) ?? new Map<string, number>()
      cooccurrence.set(name, numbers)
      for (const chip of reported?.chips ?? []) numbers.set(chip, (numbers.get(chip) ?? 0) + 1)
    }
  }
  return cooccurrence
}

/** Undefined if a name is too rare; false if several other devices pair it with another chip and none with this one. */
function isKnownPair(
  cooccurrence: ChipCooccurrence,
  chip: string,
  reportedChips: ReadonlySet<string>,
): boolean | undefined {
  const numbers = namesOfChip(chip).map((name) => cooccurrence.get(name) ?? new Map<string, number>())
  if (numbers.some((counts) => [...reportedChips].some((reported) => (counts.get(reported) ?? 0) >= 2))) return true
  return numbers.some((counts) => [...counts.values()].some((count) => count >= 3)) ? false : undefined
}

function namesOfChip(chip: string | undefined): string[] {
  return chip?.split(/ or |, /) ?? []
}

/** "Mediatek MT6833V/NZA" and "MT6833P" are one chip. */
function chipNumber(text: string): string {
  const number = text.match(/SM\d{4}|[SM][DS][MA]\d{3,4}|MT\d{4}|s5e\d{4}|exynos ?\d+/i)?.[0] ?? text
  return number === 'unknown' ? '' : number.toUpperCase().replace(' ', '')
}

function screensOf(text: string): string[] {
  return [...text.matchAll(/(\d{3,4}) ?x ?(\d{3,4})/g)].map(([, width, height]) => {
    const [short, long] = [Number(width), Number(height)].sort((a, b) => a - b)
    return `${long} x ${short}`
  })
}

function aspectRatio(screen: string): number {
  const [long = 0, short = 1] = screen.split(' x ').map(Number)
  return long / short
}

const NOMINAL_GB = [0.5, 1, 1.5, 2, 3, 4, 6, 8, 10, 12, 16, 18, 24]

/** Sold size for a reported size, which is slightly smaller because the system reserves memory. */
function nominalGb(megabytes: number): number {
  return NOMINAL_GB.find((size) => size >= (megabytes / 1024) * 0.985) ?? 24
}
