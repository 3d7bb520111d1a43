import type { Device } from '../../src/catalog/device.ts'
import type { TacOnBoard } from '../../src/catalog/onboard.ts'
import { findDevice } from '../../src/import/catalogue/known-device.ts'
import { type KnownRegistry, knownRegistry } from '../../src/import/catalogue/known-registry.ts'
import { makeKey, makeOf } from '../../src/import/catalogue/makes.ts'
import { mergeDevice } from '../../src/import/catalogue/merge.ts'
import { tidyText } from '../../src/import/catalogue/names.ts'
import { onBoardDraft } from '../../src/import/catalogue/on-board.ts'
import { isOlderThan, looksOld } from '../../src/import/catalogue/tac-era.ts'
import { imeiOf } from '../../src/risk/identifier/imei.ts'
import { matchByTac, type TacEntry } from '../../src/risk/match.ts'
import type { References } from './reference.ts'

/** What an import believes of a fact of either list. */
const OSMOCOM_CONFIDENCE = 60
const SAMSUNG_CONFIDENCE = 75
const SURE = 80

type Row = {
  readonly tac: string
  readonly make: string
  readonly words: readonly string[]
  readonly id: string | undefined
}

/** Which device a list's row names, held against what the row says in its own words. */
export type TacTies = {
  /** Rows of a make on board. */
  readonly ofMakes: number
  /** Those of them that name a device on board, as far as their words tell. */
  readonly ofDevices: number
  readonly tied: number
  readonly right: number
  readonly wrong: readonly string[]
  /** With all lists imported, answers of more than 80 that a list's words contradict. */
  readonly sureAndWrong: readonly string[]
  /** TACs on board that another list gives to another make, or that are older than their device. */
  readonly contradicted: readonly string[]
  readonly perMake: readonly { readonly make: string; readonly named: number; readonly tied: number }[]
}

/** As if the Osmocom list were imported into a store with what is on board. */
export function checkTacTies(
  devices: readonly Device[],
  tacs: readonly TacOnBoard[],
  references: Pick<References, 'osmocomTacs' | 'samsungTacs'>,
): TacTies {
  const byId = new Map(devices.map((device) => [device.id, device]))
  const registry = knownRegistry(
    devices.map(onBoardDraft).map((draft) => mergeDevice(draft.id, undefined, draft).device),
  )
  const phones = Map.groupBy(
    devices.filter(({ category }) => category === 'Smartphone' || category === 'Tablet'),
    ({ make }) => makeKey(make),
  )
  const rows = references.osmocomTacs
    .map((row) => readRow(row, registry))
    .filter(({ make }) => phones.has(makeKey(make)))
  const says = rows.map((row) => ({
    ...row,
    named: (phones.get(makeKey(row.make)) ?? []).filter(
      (device) => saysDevice(row.words, device) && !isOfAnotherTime(row.tac, device),
    ),
  }))
  const tied = says.filter(({ id }) => id !== undefined)
  const wrong = tied.filter(({ id = '', words }) => {
    const device = byId.get(id)
    return !device || !saysDevice(words, device)
  })
  const perMake = [...Map.groupBy(says, ({ make }) => make)].map(([make, of]) => ({
    make,
    named: of.filter(({ named, id }) => named.length > 0 || id !== undefined).length,
    tied: of.filter(({ id }) => id !== undefined).length,
  }))
  const spell = (row: (typeof says)[number]) => `${row.tac} ${row.make} ${row.words[0]} at ${row.id}`
  return {
    ofMakes: rows.length,
    ofDevices: says.filter(({ named, id }) => named.length > 0 || id !== undefined).length,
    tied: tied.length,
    right: tied.length - wrong.length,
    wrong: wrong.map(spell),
    sureAndWrong: sureAndWrong(says, tacs, byId, references, registry).map(spell),
    contradicted: contradictedTacs(tacs, byId, references, registry),
    perMake: perMake.filter(({ named }) => named > 0).sort((left, right) => right.named - left.named),
  }

  function sureAndWrong(
    judged: typeof says,
    onBoard: readonly TacOnBoard[],
    known: ReadonlyMap<string, Device>,
    lists: Pick<References, 'samsungTacs'>,
    finder: KnownRegistry,
  ): typeof says {
    const entries = Map.groupBy(
      [
        ...onBoard.map((fact) => entryOf(fact.tac, fact.deviceId, fact.make, fact.model, fact.source, fact.confidence)),
        ...judged.map((row) =>
          entryOf(row.tac, row.id ?? null, row.make, row.words[0] ?? '', 'osmocom', OSMOCOM_CONFIDENCE),
        ),
        ...lists.samsungTacs.flatMap(([tac = '', ...models]) =>
          models
            .map((model) => model.trim())
            .filter(Boolean)
            .map((model) => {
              const id = findDevice(finder, 'Samsung', null, [model], tac) ?? null
              return entryOf(tac, id, 'Samsung', model, 'samsung-tac', SAMSUNG_CONFIDENCE)
            }),
        ),
      ],
      ({ tac }) => tac,
    )
    return judged.filter((row) => {
      const match = matchByTac(imeiOf(`${row.tac}000000`), entries.get(row.tac) ?? [], [])
      if (match.confidence <= SURE || match.deviceId === null) return false
      const device = known.get(match.deviceId)
      return !device || !saysDevice(row.words, device)
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

function readRow(row: readonly string[], registry: KnownRegistry): Row {
  const [tac = '', brand = '', model = ''] = row
  const { make, line } = makeOf(tidyText(brand), registry.make)
  const words = [tidyText(model), ...(row[7] ?? '').split(',').map((name) => name.trim())].filter(Boolean)
  return { tac, make, words, id: findDevice(registry, make, line, words, tac) }
}

function contradictedTacs(
  tacs: readonly TacOnBoard[],
  byId: ReadonlyMap<string, Device>,
  references: Pick<References, 'osmocomTacs'>,
  registry: KnownRegistry,
): readonly string[] {
  const elsewhere = new Map(references.osmocomTacs.map((row) => [row[0] ?? '', readRow(row, registry)]))
  return tacs
    .filter(({ tac, deviceId, make }) => {
      if (isOlderThan(tac, byId.get(deviceId)?.releasedOn ?? null)) return true
      const other = elsewhere.get(tac)
      return other !== undefined && (other.make !== make || (other.id !== undefined && !sharesTac(tacs, tac, other.id)))
    })
    .map(({ tac, deviceId }) => `${tac} at ${deviceId}`)
}

function sharesTac(tacs: readonly TacOnBoard[], tac: string, id: string): boolean {
  return tacs.some((fact) => fact.tac === tac && fact.deviceId === id)
}

/** A code with the digits of the years when they were counted, and a late device: the words are those of a namesake. */
function isOfAnotherTime(tac: string, { releasedOn }: Device): boolean {
  return isOlderThan(tac, releasedOn) || (looksOld(tac) && (releasedOn ?? '') >= '2020')
}

/** Read without the importer: one of the row's words is the device's name, one of its model numbers or begins like one. */
function saysDevice(words: readonly string[], device: Device): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9+]/g, '')
  const names = new Set(
    [device.name, device.name.replace(device.make, ''), device.name.replace(/^Galaxy /, '')].map(plain),
  )
  const numbers = device.modelNumbers.map(plain).filter((number) => number.length >= 5)
  const families = new Set(numbers.map((number) => /^sm[a-z]\d{3}/.exec(number)?.[0]).filter(Boolean))
  return words
    .flatMap((phrase) => [
      phrase,
      phrase.replace(/\(.*/, ''),
      phrase.replace(/ \d+ ?GB$/, ''),
      ...phrase.split(/[ ,()]/),
    ])
    .map(plain)
    .some((word) => names.has(word) || numbers.includes(word) || families.has(/^sm[a-z]\d{3}/.exec(word)?.[0]))
}
