/** First lines of advertisements as people write them, with the device that they name: how many an appraisal matches or asks about. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeDevice } from '../../src/appraisal/described-device.ts'
import { findDescribedDevice } from '../../src/appraisal/described-match.ts'
import type { Resolver } from '../../src/catalog/matching/resolver.ts'
import { parseCsv } from '../../src/import/read/csv-reader.ts'

const FIRST_LINES = join(import.meta.dir, '../../test/matching/first-lines.csv')

export type FirstLine = {
  readonly language: string
  /** Rules and words were made with the tuning lines; the kept ones judge them. */
  readonly part: 'tuning' | 'kept'
  readonly title: string
  /** Ids of the devices that it may name; none if it names no device. */
  readonly expected: readonly string[]
}

export function readFirstLines(): FirstLine[] {
  const [, ...rows] = parseCsv(readFileSync(FIRST_LINES, 'utf8'))
  return rows.map(([language = '', part = '', title = '', expected = '-']) => ({
    language,
    part: part === 'kept' ? 'kept' : 'tuning',
    title,
    expected: expected === '-' ? [] : expected.split('|'),
  }))
}

/** `right` includes a question that is due; `unknown`: neither matched nor asked although the catalogue has the device. */
export type FirstLineScore = { rows: number; inCatalogue: number; right: number; wrong: string[]; unknown: string[] }

export async function scoreFirstLines(
  lines: readonly FirstLine[],
  resolve: Resolver,
  isInCatalogue: (id: string) => boolean,
): Promise<FirstLineScore> {
  const score: FirstLineScore = { rows: 0, inCatalogue: 0, right: 0, wrong: [], unknown: [] }
  for (const { title, expected, language } of lines) {
    const found = await findDescribedDevice(describeDevice(title), (name) =>
      resolve({ text: name, mayBeDefective: true }),
    )
    const isKnown = expected.some(isInCatalogue)
    const asked = found?.candidates.map(({ device }) => device.id) ?? []
    const isDue = found?.rejection === null || found?.rejection === 'incomplete_name'
    score.rows++
    if (isKnown) score.inCatalogue++
    if (found?.device && !(expected.length === 1 && expected[0] === found.device.id))
      score.wrong.push(`${language}: ${title} → ${found.device.id}, not ${expected.join('|') || '-'}`)
    else if (!isKnown) continue
    else if (found?.device || (isDue && asked.some((id) => expected.includes(id)))) score.right++
    else score.unknown.push(`${language}: ${title} → ${found?.rejection ?? 'ambiguous'}, not ${expected.join('|')}`)
  }
  return score
}
