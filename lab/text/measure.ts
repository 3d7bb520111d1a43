/** Compares what the reader reads with what the labels say. */
import { DEFECT_CODES, type DefectCode } from '../../src/contract/defect-catalogue.ts'
import { readText } from '../../src/text/reader.ts'
import { isOffer, type LabelledText } from './corpus.ts'

export const TOTAL_DEFECTS: ReadonlySet<string> = new Set(['no_power', 'water_damage', 'activation_locked'])

/** A text as it was read: for each defect the certainty of the surest statement. */
export type ReadExample = {
  readonly example: LabelledText
  readonly certainties: ReadonlyMap<DefectCode, number>
  readonly asked: boolean
  readonly kind: string
}

export function readExample(example: LabelledText): ReadExample {
  const reading = readText(example.text)
  const present = reading.statements.filter(({ assertion }) => assertion === 'present')
  return {
    example,
    certainties: new Map(present.map(({ code, certainty }) => [code, certainty])),
    asked: reading.unclear.length > 0,
    kind: reading.offer,
  }
}

export type Score = {
  texts: number
  right: number
  wrong: number
  missed: number
  faultless: number
  falseTexts: number
  falseTotal: number
  asked: number
}

const emptyScore = (): Score => ({
  texts: 0,
  right: 0,
  wrong: 0,
  missed: 0,
  faultless: 0,
  falseTexts: 0,
  falseTotal: 0,
  asked: 0,
})

export const precision = ({ right, wrong }: Score) => right / Math.max(1, right + wrong)
export const recall = ({ right, missed }: Score) => right / Math.max(1, right + missed)

/** Only offers of a device count; doubtful statements count neither way. */
export function scoreTexts(read: readonly ReadExample[]): {
  readonly score: Score
  readonly byCode: ReadonlyMap<DefectCode, Score>
  readonly faults: readonly string[]
} {
  const score = emptyScore()
  const byCode = new Map(DEFECT_CODES.map((code) => [code, emptyScore()]))
  const faults: string[] = []
  for (const { example, certainties, asked } of read) {
    if (!isOffer(example)) continue
    score.texts++
    if (asked) score.asked++
    const wrong = [...certainties.keys()].filter((code) => !example.defects.has(code) && !example.maybe.has(code))
    const missed = [...example.defects].filter((code) => !certainties.has(code))
    for (const code of certainties.keys()) if (example.defects.has(code)) count(code, 'right')
    for (const code of wrong) count(code, 'wrong')
    for (const code of missed) count(code, 'missed')
    score.falseTotal += wrong.filter((code) => TOTAL_DEFECTS.has(code)).length
    if (example.defects.size === 0) {
      score.faultless++
      if (wrong.length > 0) score.falseTexts++
    }
    if (wrong.length + missed.length > 0)
      faults.push(
        `${example.language} wrong [${wrong}] missed [${missed}]: ${example.text.slice(0, 200).replace(/\s+/g, ' ')}`,
      )
  }
  function count(code: DefectCode, what: 'right' | 'wrong' | 'missed') {
    score[what]++
    ;(byCode.get(code) as Score)[what]++
  }
  return { score, byCode, faults }
}

/** Of the statements in a band of certainty, the share that is right. */
export function calibration(read: readonly ReadExample[], bands: readonly number[]) {
  return bands.map((from, index) => {
    const to = bands[index + 1] ?? 1.01
    const stated = read.flatMap(({ example, certainties }) =>
      isOffer(example)
        ? [...certainties]
            .filter(([code, certainty]) => certainty >= from && certainty < to && !example.maybe.has(code))
            .map(([code]) => example.defects.has(code))
        : [],
    )
    return { from, to: Math.min(to, 1), stated: stated.length, right: stated.filter(Boolean).length }
  })
}
