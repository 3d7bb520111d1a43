/** Scores matched titles: correct, wrong, missed. */
import type { Resolution, TitleListing } from '../../src/catalog/matching/resolution.ts'

/** `expected`: a device id, `-` if the title must be rejected, or `id|id` if it must be ambiguous with these candidates. */
export type LabelledTitle = { readonly listing: TitleListing; readonly expected: string }

export type MatchScore = {
  readonly correct: number
  readonly wrong: readonly string[]
  readonly missed: readonly string[]
  readonly rows: number
  /** Rows that name a device of the catalogue: only these can be missed. */
  readonly toMatch: number
}

/** Titles of devices that are not in the catalogue must be rejected. */
export function scoreMatching(
  rows: readonly LabelledTitle[],
  resolve: (listing: TitleListing) => Resolution,
  isInCatalogue: (deviceId: string) => boolean,
): MatchScore {
  const wrong: string[] = []
  const missed: string[] = []
  let correct = 0
  let toMatch = 0
  for (const { listing, expected } of rows) {
    const { device, decision, rejection, candidates } = resolve(listing)
    const line = `${listing.make ? `[${listing.make}] ` : ''}${listing.text}`
    if (expected.includes('|')) {
      const ids = candidates.map((candidate) => candidate.device.id)
      if (device) wrong.push(`${line} → ${device.id}, not ${expected}`)
      else if (decision === 'ambiguous' && expected.split('|').every((id) => ids.includes(id))) correct++
      else missed.push(`${line} → ${rejection ?? decision}, not ${expected}`)
      toMatch++
      continue
    }
    const expectedId = expected !== '-' && isInCatalogue(expected) ? expected : null
    if (expectedId) toMatch++
    if ((device?.id ?? null) === expectedId) correct++
    else if (device) wrong.push(`${line} → ${device.id}, not ${expected}`)
    else {
      const candidateIds = candidates.map((candidate) => candidate.device.id).slice(0, 3)
      missed.push(
        `${line} → ${rejection ?? decision}, not ${expected}${candidateIds.length ? ` (${candidateIds.join(', ')})` : ''}`,
      )
    }
  }
  return { correct, wrong, missed, rows: rows.length, toMatch }
}

const share = (part: number, whole: number) => `${((100 * part) / Math.max(1, whole)).toFixed(2)} %`

export const summary = ({ correct, wrong, missed, rows, toMatch }: MatchScore) =>
  `${rows} titles, ${rows - toMatch} of them to be rejected: correct ${correct}, wrong ${wrong.length} (${share(wrong.length, rows)}), missed ${missed.length} (${share(missed.length, toMatch)} of ${toMatch})`

const TITLE = ['title', 'text', 'name', 'model']
const EXPECTED = ['expected', 'expected_device_id', 'device_id', 'device', 'id', 'expected device id', 'label']

/** Finds columns by name; without a header the first two are title and expected id. Null if a row has fewer than two cells. */
export function parseLabelledRows(rows: readonly (readonly string[])[]): LabelledTitle[] | null {
  const head = (rows[0] ?? []).map((name) => name.trim().toLowerCase())
  const column = (names: readonly string[]) => head.findIndex((name) => names.includes(name))
  const title = column(TITLE)
  const expected = column(EXPECTED)
  const isNamed = title >= 0 && expected >= 0
  const make = isNamed ? column(['make', 'brand']) : -1
  const storage = isNamed ? column(['storage']) : -1
  const body = isNamed ? rows.slice(1) : rows
  if (body.length === 0 || body.some((row) => row.length < 2)) return null
  return body.map((row) => ({
    listing: { text: row[isNamed ? title : 0] ?? '', make: row[make] || null, storage: row[storage] || null },
    expected: (row[isNamed ? expected : 1] ?? '').trim() || '-',
  }))
}
