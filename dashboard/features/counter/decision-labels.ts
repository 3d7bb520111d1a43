import type { AppraisalDecision, PlanName } from '../../../src/contract/appraisal.ts'
import type { Tone } from '../../ui/badge.tsx'

export const DECISION_LABELS: Readonly<Record<AppraisalDecision, { readonly word: string; readonly tone: Tone }>> = {
  buy: { word: 'Buy', tone: 'good' },
  buy_and_repair: { word: 'Buy and repair', tone: 'good' },
  inspect: { word: 'Inspect first', tone: 'warn' },
  reject: { word: 'Do not buy', tone: 'bad' },
  identify: { word: 'Identify first', tone: 'blue' },
}

export const PLAN_LABELS: Readonly<Record<PlanName, string>> = {
  sell_as_is: 'Sell as is',
  repair_and_sell: 'Repair and sell',
  sell_for_parts: 'Sell for parts',
}
