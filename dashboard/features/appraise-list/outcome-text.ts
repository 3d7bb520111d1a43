import type { TFunction } from 'i18next'
import type { RowOutcome } from '../../../src/contract/device-lists.ts'
import { codeTexts } from '../../codes.ts'
import type { Tone } from '../../ui/badge.tsx'
import { DECISION_TONES } from '../counter/decision-tones.ts'

export const OUTCOME_TONES: Readonly<Record<RowOutcome, Tone>> = {
  ...DECISION_TONES,
  unchecked: 'plain',
  question: 'warn',
  invalid: 'plain',
}

export const outcomeText = (outcome: RowOutcome, t: TFunction<'appraise-list'>) =>
  outcome === 'unchecked' || outcome === 'question' || outcome === 'invalid'
    ? t(`outcome.${outcome}`)
    : codeTexts().decision(outcome)
