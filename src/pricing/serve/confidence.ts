import { NORMAL_MEDIAN } from '../engine/device-fit.ts'

/** Half of all deals lie closer to the estimate than this (as a share of the price). */
export function expectedError(spread: number): number {
  return NORMAL_MEDIAN * spread
}

/** 100 = no error, 80 = 5 %, 60 = 10 %, 0 = 25 % and more. */
export function confidence(error: number): number {
  return Math.round(100 * Math.max(0, 1 - 4 * error))
}
