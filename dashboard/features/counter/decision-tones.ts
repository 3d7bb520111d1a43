import type { AppraisalDecision } from '../../../src/contract/appraisal.ts'
import type { Tone } from '../../ui/badge.tsx'

export const DECISION_TONES: Readonly<Record<AppraisalDecision, Tone>> = {
  buy: 'good',
  buy_and_repair: 'good',
  inspect: 'warn',
  reject: 'bad',
  identify: 'blue',
}
