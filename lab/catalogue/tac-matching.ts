import type { BundledTac } from '../../src/catalog/bundled-catalogue-service.ts'
import type { Device } from '../../src/catalog/device.ts'
import { imeiFromDigits } from '../../src/identifier/imei.ts'
import { findDeviceId } from '../../src/import/catalogue/device-lookup.ts'
import { createImportRegistry, type ImportRegistry } from '../../src/import/catalogue/import-registry.ts'
import { normalizeMake, resolveMake } from '../../src/import/catalogue/makes.ts'
import { mergeDevice } from '../../src/import/catalogue/merge-device.ts'
import { cleanText } from '../../src/import/catalogue/names.ts'
import { bundledDraft } from '../../src/import/catalogue/seed-catalogue-service.ts'
import { hasSequentialEraDigits, isTacOlderThanDevice } from '../../src/import/tac/tac-age.ts'
import { matchByTac, type TacEntry } from '../../src/risk/device-match.ts'
import type { CatalogueReferences } from './reference-data.ts'

/** Confidence that an import gives to rows of each list. */
const OSMOCOM_CONFIDENCE = 60
const SAMSUNG_CONFIDENCE = 75
const MIN_CONFIDENCE = 80

type OsmocomRow = {
  readonly tac: string
  readonly make: string
  readonly words: readonly string[]
  readonly id: string | undefined
}

/** Devices matched to the rows of a list, compared with the words of each row. */
export type TacMatchReport = {
  /** Rows of a make in the bundled catalogue. */
  readonly ofMakes: number
  /** Rows among these whose words name a bundled device. */
  readonly ofDevices: number
  readonly matched: number
  readonly correct: number
  readonly wrong: readonly string[]
  /** With all lists imported, matches with a confidence above 80 that the words of a list contradict. */
  readonly confidentlyWrong: readonly string[]
  /** Bundled TACs that another list assigns to another make, or that are older than their device. */
  readonly contradicted: readonly string[]
  readonly perMake: readonly { readonly make: string; readonly named: number; readonly matched: number }[]
}

/** Simulates an import of the Osmocom list into a database with the bundled catalogue. */
export function evaluateTacMatching(
  devices: readonly Device[],
  tacs: readonly BundledTac[],
  references: Pick<CatalogueReferences, 'osmocomTacs' | 'samsungTacs'>,
): TacMatchReport {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const registry = createImportRegistry(
    devices.map(bundledDraft).map((draft) => mergeDevice(draft.id, undefined, draft).device),
  )
  const phones = Map.groupBy(
    devices.filter(({ category }) => category === 'Smartphone' || category === 'Tablet'),
    ({ make }) => normalizeMake(make),
  )
  const rows = references.osmocomTacs
    .map((row) => readRow(row, registry))
    .filter(({ make }) => phones.has(normalizeMake(make)))
  const namedRows = rows.map((row) => ({
    ...row,
    named: (phones.get(normalizeMake(row.make)) ?? []).filter(
      (device) => namesDevice(row.words, device) && !isFromOtherEra(row.tac, device),
    ),
  }))
  const matchedRows = namedRows.filter(({ id }) => id !== undefined)
  const wrong = matchedRows.filter(({ id = '', words }) => {
    const device = byId.get(id)
    return !device || !namesDevice(words, device)
  })
  const perMake = [...Map.groupBy(namedRows, ({ make }) => make)].map(([make, makeRows]) => ({
    make,
    named: makeRows.filter(({ named, id }) => named.length > 0 || id !== undefined).length,
    matched: makeRows.filter(({ id }) => id !== undefined).length,
  }))
  const describeRow = (row: (typeof namedRows)[number]) => `${row.tac} ${row.make} ${row.words[0]} at ${row.id}`
  return {
    ofMakes: rows.length,
    ofDevices: namedRows.filter(({ named, id }) => named.length > 0 || id !== undefined).length,
    matched: matchedRows.length,
    correct: matchedRows.length - wrong.length,
    wrong: wrong.map(describeRow),
    confidentlyWrong: confidentMismatches(namedRows, tacs, byId, references, registry).map(describeRow),
    contradicted: contradictedTacs(tacs, byId, references, registry),
    perMake: perMake.filter(({ named }) => named > 0).sort((left, right) => right.named - left.named),
  }

  function confidentMismatches(
    rows: typeof namedRows,
    bundled: readonly BundledTac[],
    devicesById: ReadonlyMap<string, Device>,
    lists: Pick<CatalogueReferences, 'samsungTacs'>,
    finder: ImportRegistry,
  ): typeof namedRows {
    const entries = Map.groupBy(
      [
        ...bundled.map((fact) => entryOf(fact.tac, fact.deviceId, fact.make, fact.model, fact.source, fact.confidence)),
        ...rows.map((row) =>
          entryOf(row.tac, row.id ?? null, row.make, row.words[0] ?? '', 'osmocom', OSMOCOM_CONFIDENCE),
        ),
        ...lists.samsungTacs.flatMap(([tac = '', ...models]) =>
          models
            .map((model) => model.trim())
            .filter(Boolean)
            .map((model) => {
              const id = findDeviceId(finder, 'Samsung', null, [model], tac) ?? null
              return entryOf(tac, id, 'Samsung', model, 'samsung-tac', SAMSUNG_CONFIDENCE)
            }),
        ),
      ],
      ({ tac }) => tac,
    )
    return rows.filter((row) => {
      const match = matchByTac(imeiFromDigits(`${row.tac}000000`), entries.get(row.tac) ?? [], [])
      if (match.confidence <= MIN_CONFIDENCE || match.deviceId === null) return false
      const device = devicesById.get(match.deviceId)
      return !device || !namesDevice(row.words, device)
    })
  }
}

function entryOf(
  tac: string,
  deviceId: string | null,
  make: string,
  model: string,
  source: string,
  confidence: number,
): TacEntry {
  return { tac, deviceId, deviceName: deviceId === null ? null : model, make, model, source, confidence }
}

function readRow(row: readonly string[], registry: ImportRegistry): OsmocomRow {
  const [tac = '', brand = '', model = ''] = row
  const { make, line } = resolveMake(cleanText(brand), registry.spellingOfMake)
  const words = [cleanText(model), ...(row[7] ?? '').split(',').map((name) => name.trim())].filter(Boolean)
  return { tac, make, words, id: findDeviceId(registry, make, line, words, tac) }
}

function contradictedTacs(
  tacs: readonly BundledTac[],
  byId: ReadonlyMap<string, Device>,
  references: Pick<CatalogueReferences, 'osmocomTacs'>,
  registry: ImportRegistry,
): readonly string[] {
  const rowsByTac = new Map(references.osmocomTacs.map((row) => [row[0] ?? '', readRow(row, registry)]))
  return tacs
    .filter(({ tac, deviceId, make }) => {
      if (isTacOlderThanDevice(tac, byId.get(deviceId)?.releasedOn ?? null)) return true
      const row = rowsByTac.get(tac)
      return row !== undefined && (row.make !== make || (row.id !== undefined && !sharesTac(tacs, tac, row.id)))
    })
    .map(({ tac, deviceId }) => `${tac} at ${deviceId}`)
}

function sharesTac(tacs: readonly BundledTac[], tac: string, id: string): boolean {
  return tacs.some((fact) => fact.tac === tac && fact.deviceId === id)
}

/** The TAC is older than the device, or has the sequential digits of early TACs: the row means an older device of the same name. */
function isFromOtherEra(tac: string, { releasedOn }: Device): boolean {
  return isTacOlderThanDevice(tac, releasedOn) || (hasSequentialEraDigits(tac) && (releasedOn ?? '') >= '2020')
}

/** Independent of the importer: a word of the row is the name of the device, one of its model numbers or has the prefix of one. */
function namesDevice(words: readonly string[], device: Device): boolean {
  const normalize = (text: string) => text.toLowerCase().replace(/[^a-z0-9+]/g, '')
  const names = new Set(
    [device.name, device.name.replace(device.make, ''), device.name.replace(/^Galaxy /, '')].map(normalize),
  )
  const numbers = device.modelNumbers.map(normalize).filter((number) => number.length >= 5)
  const families = new Set(numbers.map((number) => /^sm[a-z]\d{3}/.exec(number)?.[0]).filter(Boolean))
  return words
    .flatMap((phrase) => [
      phrase,
      phrase.replace(/\(.*/, ''),
      phrase.replace(/ \d+ ?GB$/, ''),
      ...phrase.split(/[ ,()]/),
    ])
    .map(normalize)
    .some((word) => names.has(word) || numbers.includes(word) || families.has(/^sm[a-z]\d{3}/.exec(word)?.[0]))
}
