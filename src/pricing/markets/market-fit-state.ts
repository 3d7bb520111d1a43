/** How current the fit of the markets is. */
export type MarketFitState = {
  /** When the markets were fitted; null before the first fit. */
  readonly fittedAt: number | null
  /** Observations that were added since. */
  readonly observationsSince: number
  /** Whether so many were added that levels and ranges may be wrong. */
  readonly isOutdated: boolean
}

/** If the number of observations grows by this factor, the next fit does not wait for the night. */
export const REFIT_GROWTH = 1.25
/** Fewer new observations are as uncertain as those before them. */
const MIN_NEW_OBSERVATIONS = 50

/** `fit`: the last fit of this version of the model, if there is one. */
export function marketFitState(
  fit: { readonly fittedAt: number; readonly observations: number } | undefined,
  observations: number,
): MarketFitState {
  const observationsSince = Math.max(0, observations - (fit?.observations ?? 0))
  return {
    fittedAt: fit?.fittedAt ?? null,
    observationsSince,
    isOutdated: observationsSince >= MIN_NEW_OBSERVATIONS && (!fit || observations > fit.observations * REFIT_GROWTH),
  }
}
