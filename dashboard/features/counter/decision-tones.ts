import type { AppraisalDecision } from '../../../src/contract/appraisal.ts'
import type { Tone } from '../../ui/badge.tsx'

export const DECISION_TONES: Readonly<Record<AppraisalDecision, Tone>> = {
  buy: 'good',
  buy_and_repair: 'good',
  inspect: 'warn',
  reject: 'bad',
  identify: 'blue',
}

/** Decisions that advise to buy. A device to inspect can be bought too, once somebody has inspected it. */
export const BUYING_DECISIONS: ReadonlySet<AppraisalDecision> = new Set(['buy', 'buy_and_repair'])
