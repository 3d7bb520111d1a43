/** A piece of code, and its replacement while a part is switched off. */
export type Replacement = {
  /** Below `src/pricing/`. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** Parts of the price model that can be switched off one by one. */
export const ABLATIONS: Readonly<Record<string, readonly Replacement[]>> = {
  'measured volatility': [
    {
      file: 'model/market-spreads.ts',
      find: 'volatility: volatility.value(0.01, 0.25),',
      replace: 'volatility: start.volatility,',
    },
  ],
  'own channel deviations': [
    {
      file: 'model/device-fit.ts',
      find: 'channelPriorWeight = variance / spreads.channel ** 2',
      replace: 'channelPriorWeight = 1e12',
    },
  ],
  'own grade deviations': [
    {
      file: 'model/device-fit.ts',
      find: 'gradePriorWeight = variance / spreads.grade ** 2',
      replace: 'gradePriorWeight = 1e12',
    },
    {
      file: 'model/device-fit.ts',
      find: 'return grade === UNGRADED ? 0 : variance / ((gradeWeight[grade] as number) + variance / spreads.grade ** 2)',
      replace: 'return 0',
    },
  ],
  'own storage slope': [
    { file: 'model/device-fit.ts', find: 'slopeVariance: spreads.slope ** 2', replace: 'slopeVariance: 1e-12' },
  ],
  'start from cell medians': [
    {
      file: 'model/device-fit.ts',
      find: 'if (pass === 0) startFromMedians(rows, deviation, weight, mean)',
      replace: '',
    },
  ],
  'rejection of gross outliers among few rows': [
    {
      file: 'model/device-fit.ts',
      find: 'if (hasFewRows) rejectGrossOutliers(deviation, trust, spreads, priorVariance)',
      replace: '',
    },
  ],
  'own listing spread': [
    {
      file: 'model/device-fit.ts',
      find: 'listing = (weightedSpread + spreads.listing * ROWS_FOR_HALF_WEIGHT) / (totalWeight + ROWS_FOR_HALF_WEIGHT)',
      replace: 'listing = spreads.listing',
    },
  ],
  'holdout calibration': [
    {
      file: 'model/market-fit.ts',
      find: 'calibration: yield* calibrateOnHoldouts(market, devices, registry.names, effectsWithoutPart, basis),',
      replace: '',
    },
  ],
  'holdout calibration of hidden variants': [
    { file: 'model/holdout-calibration.ts', find: 'unseen: variantCalibration,', replace: 'unseen: NO_CALIBRATION,' },
  ],
  'holdout calibration of hidden devices': [
    {
      file: 'model/holdout-calibration.ts',
      find: 'unknown: unknown.calibration(variantCalibration, priorRows),',
      replace: 'unknown: variantCalibration,',
    },
  ],
  'own interval scale': [
    { file: 'model/device-interval-scale.ts', find: 'if (count < MIN_ROWS) return 1', replace: 'return 1' },
  ],
  'stale sources leave the mix sooner': [
    {
      file: 'model/grade-mix.ts',
      find: '(weight[row] as number) * ((recency[row] as number) / newestRecency)',
      replace: '(weight[row] as number) * (newestRecency > 0 ? 1 : (recency[row] as number))',
    },
  ],
  'offset of the channel mix': [
    {
      file: 'model/grade-mix.ts',
      find: 'const center = quantileOfMix(channels, spread, 0.5)',
      replace: 'const center = 0',
    },
  ],
  'median of the channel mix (mean instead)': [
    {
      file: 'model/grade-mix.ts',
      find: 'const center = quantileOfMix(channels, spread, 0.5)',
      replace:
        'let center = 0\n    for (let at = 0; at < size; at += 1) center += (weight[at] as number) * (offset[at] as number)',
    },
  ],
  'skewed interval of the channel mix': [
    {
      file: 'model/estimate.ts',
      find: 'const isSkewed = mix.betweenVariance > SKEWED_MIX_SHARE * (listingVariance * mix.varianceFactor + uncertainty)',
      replace: 'const isSkewed = false',
    },
  ],
  'spread factor of a channel': [
    {
      file: 'model/market-spreads.ts',
      find: 'factors: Float64Array.from(distancesByChannel, (distances) => spreadFactor(distances, 1, 25, 0.4, 2.5)),',
      replace: 'factors: new Float64Array(distancesByChannel.length).fill(1),',
    },
  ],
  'spread factor of a grade': [
    {
      file: 'model/market-spreads.ts',
      find: 'spreadFactor(distancesByGrade[grade] as number[], expected, 25, 0.5, 3),',
      replace: 'expected,',
    },
  ],
  'measured slope of spread by price': [
    { file: 'model/market-spreads.ts', find: 'slope: spreadSlope(byPrice)', replace: 'slope: SLOPE.expected' },
  ],
  'error shape of quotes': [
    {
      file: 'model/market-spreads.ts',
      find: 'quoteErrors: quoteDistancesByGrade.map((distances) => errorShape(distances)),',
      replace: 'quoteErrors: quoteDistancesByGrade.map(() => NORMAL_ERROR_SHAPE),',
    },
  ],
  'outlier weights of variants and devices': [
    {
      file: 'model/market-effects.ts',
      find: 'const huberWeight = Math.min(1, HUBER_LIMIT / (Math.abs(distance) / Math.sqrt(variance)))',
      replace: 'const huberWeight = 1',
    },
  ],
  'clamp between siblings': [
    { file: 'model/estimate.ts', find: 'clampBetweenSiblings(level, rows, fit)\n', replace: '\n' },
  ],
  'minimum weight of stale rows': [
    {
      file: 'model/estimate.ts',
      find: 'if (total === 0 || total >= 1) return stalenessVariance',
      replace: 'return stalenessVariance',
    },
  ],
  'phone family shifts': [
    {
      file: 'model/prior.ts',
      find: ' + curveShift(CURVE_SHIFTS[family], age, now)',
      replace: '',
    },
  ],
  'trend of the era': [
    {
      file: 'model/prior.ts',
      find: 'return years * (prior.eraLevel + prior.eraByAge * yearsPastThree)',
      replace: 'return 0 * years * yearsPastThree',
    },
  ],
  'late variants': [
    { file: 'model/market.ts', find: 'factor: steps.isLate[variant] as number,', replace: 'factor: 0,' },
  ],
  'storage step by age': [
    {
      file: 'model/market.ts',
      find: 'factor: combinedStep(steps, variant) * (Math.min(8, age ?? 3) - 3),',
      replace: 'factor: 0,',
    },
  ],
  'effect of each storage size': [
    {
      file: 'model/market.ts',
      find: 'GB`, expected: 0, spread: 0.03 }, factor: 1 }',
      replace: 'GB`, expected: 0, spread: 0.03 }, factor: 0 }',
    },
  ],
  'buyback as wide as resale': [
    {
      file: 'quotes/quote.ts',
      find: 'if (!buyback || !resale || (isObserved(side) && isPhone(familyOf(device)))) return buyback',
      replace: 'if (buyback || !resale) return buyback',
    },
  ],
}
