/** Fits what the network says to how often it was right, with few numbers, for there are few texts. */
import { DEFECT_COUNT, FIRST_OFFER, LABELS } from '../../src/text/labels.ts'
import type { Calibration } from './pack.ts'

/** Of a text and a label: the log-odds before calibration, and whether the text states the label. */
export type Outcome = { readonly label: number; readonly logOdds: number; readonly isStated: boolean }

/** Labels that are calibrated together: each group has one scale, each label a shift near that of its group. */
const GROUP_ENDS = [DEFECT_COUNT, 2 * DEFECT_COUNT, FIRST_OFFER, LABELS.length]
const groupOf = (label: number) => GROUP_ENDS.findIndex((end) => label < end)
/** Outcomes that a shift of its own has to outweigh. */
const SHIFT_PRIOR = 4
const ROUNDS = 100
const MAX_STEP = 0.5
const MAX_SCALE_STEP = 0.05

const probability = (logOdds: number) => 1 / (1 + Math.exp(-logOdds))
const bounded = (step: number, limit = MAX_STEP) => Math.max(-limit, Math.min(limit, step))
const round = (value: number) => Math.round(value * 1000) / 1000

export function calibrate(outcomes: readonly Outcome[]): Calibration {
  const groups = GROUP_ENDS.map((_, group) => fitLine(outcomes.filter(({ label }) => groupOf(label) === group)))
  const byLabel = Map.groupBy(outcomes, ({ label }) => label)
  const isRare = (label: number) => (byLabel.get(label) ?? []).filter(({ isStated }) => isStated).length < LEAST_STATED
  const lineOf = (label: number) => (isRare(label) ? AS_IT_IS : (groups[groupOf(label)] as Line))
  return {
    scale: LABELS.map((_, label) => round(lineOf(label).scale)),
    shift: LABELS.map((_, label) =>
      isRare(label) ? 0 : round(lineOf(label).shift + fitShift(byLabel.get(label) ?? [], lineOf(label))),
    ),
  }
}

/** Labels that fewer texts state keep what the network says. */
const LEAST_STATED = 10
const AS_IT_IS: Line = { scale: 1, shift: 0 }

type Line = { readonly scale: number; readonly shift: number }

/** Logistic regression by Newton's method. */
function fitLine(outcomes: readonly Outcome[]): Line {
  let [scale, shift] = [1, 0]
  for (let round = 0; round < ROUNDS; round++) {
    // A weak pull towards what the network says keeps both finite.
    let [g0, g1, h00, h01, h11] = [-shift, 1 - scale, 1, 0, 1]
    for (const { logOdds, isStated } of outcomes) {
      const p = probability(scale * logOdds + shift)
      const error = (isStated ? 1 : 0) - p
      const w = p * (1 - p)
      g0 += error
      g1 += error * logOdds
      h00 += w
      h01 += w * logOdds
      h11 += w * logOdds * logOdds
    }
    const determinant = h00 * h11 - h01 * h01
    // Whole steps from far away miss.
    shift += bounded((h11 * g0 - h01 * g1) / determinant)
    scale += bounded((h00 * g1 - h01 * g0) / determinant, MAX_SCALE_STEP)
  }
  return { scale, shift }
}

function fitShift(outcomes: readonly Outcome[], line: Line): number {
  let shift = 0
  for (let round = 0; round < ROUNDS; round++) {
    let [g, h] = [-SHIFT_PRIOR * shift, SHIFT_PRIOR]
    for (const { logOdds, isStated } of outcomes) {
      const p = probability(line.scale * logOdds + line.shift + shift)
      g += (isStated ? 1 : 0) - p
      h += p * (1 - p)
    }
    shift += bounded(g / h)
  }
  return shift
}
