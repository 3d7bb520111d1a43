import { DECISION_WORDS } from '../../../src/appraisal/appraisal-sheet.ts'
import type { AppraisalDecision } from '../../../src/contract/appraisal.ts'
import type { Tone } from '../../ui/badge.tsx'

const TONES: Readonly<Record<AppraisalDecision, Tone>> = {
  buy: 'good',
  buy_and_repair: 'good',
  inspect: 'warn',
  reject: 'bad',
  identify: 'blue',
}

export const DECISION_LABELS = Object.fromEntries(
  Object.entries(DECISION_WORDS).map(([decision, word]) => [
    decision,
    { word, tone: TONES[decision as AppraisalDecision] },
  ]),
) as Readonly<Record<AppraisalDecision, { readonly word: string; readonly tone: Tone }>>
