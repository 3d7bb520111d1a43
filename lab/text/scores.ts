/** What the network says of a text before calibration: for each label the log-odds of its surest clause, or of the whole text. */
import { runToEnd } from '../../src/lib/time-sliced.ts'
import { findClauses } from '../../src/text/clauses.ts'
import { readFacts, withoutIdentifiers } from '../../src/text/facts.ts'
import { FIRST_OFFER, LABEL_INDEX, LABELS } from '../../src/text/labels.ts'
import { calibration, scoreClauses } from '../../src/text/network.ts'
import { tokenize } from '../../src/text/text-tokens.ts'
import type { Outcome } from './calibrate.ts'
import { isOffer, type LabelledText, targetOf } from './corpus.ts'

export type ScoredText = {
  readonly example: LabelledText
  /** By label. */
  readonly logOdds: readonly number[]
  /** Health of the battery that the text states: it decides whether the battery is weak. */
  readonly battery: number | null
}

export function scoreText(example: LabelledText): ScoredText {
  const allTokens = tokenize(example.text.normalize('NFC'))
  const facts = readFacts(allTokens)
  const tokens = withoutIdentifiers(allTokens, facts)
  const { clauses, offers } = runToEnd(scoreClauses(tokens, findClauses(tokens)))
  const logOdds = LABELS.map((_, label) => {
    const calibrated =
      label < FIRST_OFFER
        ? Math.max(...clauses.map((clause) => clause[label] as number))
        : (offers[label - FIRST_OFFER] as number)
    return (calibrated - (calibration.shift[label] as number)) / (calibration.scale[label] as number)
  })
  return { example, logOdds, battery: facts.battery?.value ?? null }
}

const WEAK_BATTERY = LABEL_INDEX.get('weak_battery') as number

/** Of all texts and labels, as far as the labels of the text say. */
export function outcomesOf(texts: readonly ScoredText[]): Outcome[] {
  return texts.flatMap(({ example, logOdds, battery }) => {
    const { states, isKnown } = targetOf(example)
    return logOdds.flatMap((each, label) => {
      if (!isKnown[label] || (label === WEAK_BATTERY && battery !== null)) return []
      // Of other offers only the kind was labelled with care.
      if (!isOffer(example) && label < FIRST_OFFER) return []
      return [{ label, logOdds: each, isStated: states[label] === 1 }]
    })
  })
}
