/** A piece of code, and what stands in its place while a part is switched off. */
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
      find: 'volatility: wander.value(0.01, 0.25),',
      replace: 'volatility: start.volatility,',
    },
  ],
  'own channel deviations': [
    {
      file: 'model/device-fit.ts',
      find: 'channelFirm = variance / spreads.channel ** 2',
      replace: 'channelFirm = 1e12',
    },
  ],
  'own grade deviations': [
    { file: 'model/device-fit.ts', find: 'rungFirm = variance / spreads.grade ** 2', replace: 'rungFirm = 1e12' },
    {
      file: 'model/device-fit.ts',
      find: 'return at === UNGRADED ? 0 : variance / ((rungWeight[at] as number) + variance / spreads.grade ** 2)',
      replace: 'return 0',
    },
  ],
  'own storage slope': [
    { file: 'model/device-fit.ts', find: 'slopeVariance: spreads.slope ** 2', replace: 'slopeVariance: 1e-12' },
  ],
  'start from cell medians': [
    {
      file: 'model/device-fit.ts',
      find: 'if (pass === 0) startFromMedians(rows, plain, weight, mean)',
      replace: '',
    },
  ],
  'rejection of gross outliers among few rows': [
    {
      file: 'model/device-fit.ts',
      find: 'if (few) rejectGrossOutliers(plain, trusted, spreads, priorVariance)',
      replace: '',
    },
  ],
  'own listing spread': [
    {
      file: 'model/device-fit.ts',
      find: 'listing = (found + spreads.listing * ROWS_FOR_HALF_WEIGHT) / (fresh + ROWS_FOR_HALF_WEIGHT)',
      replace: 'listing = spreads.listing',
    },
  ],
  'holdout calibration': [
    {
      file: 'model/market-fit.ts',
      find: 'market = { ...market, calibration: yield* calibrateOnHoldouts(market, devices, registry.names, without, basis) }',
      replace: '',
    },
  ],
  'holdout calibration of hidden variants': [
    { file: 'model/holdout-calibration.ts', find: 'unseen: ofVariants,', replace: 'unseen: NO_CALIBRATION,' },
  ],
  'holdout calibration of hidden devices': [
    {
      file: 'model/holdout-calibration.ts',
      find: 'unknown: unknown.outcome(ofVariants, (PRIOR_DEVICES * unknown.size()) / Math.max(1, unknown.looks())),',
      replace: 'unknown: ofVariants,',
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
      find: 'const uneven = rung.betweenVariance > SKEWED_MIX_SHARE * (single * rung.varianceFactor + unsure)',
      replace: 'const uneven = false',
    },
  ],
  'spread factor of a channel': [
    {
      file: 'model/market-spreads.ts',
      find: 'factors: Float64Array.from(byChannel, (own) => within(own, 1, 25, 0.4, 2.5)),',
      replace: 'factors: new Float64Array(byChannel.length).fill(1),',
    },
  ],
  'spread factor of a grade': [
    {
      file: 'model/market-spreads.ts',
      find: 'gradeFactor: start.gradeFactor.map((expected, at) => within(byRung[at] as number[], expected, 25, 0.5, 3)),',
      replace: 'gradeFactor: start.gradeFactor,',
    },
  ],
  'measured slope of spread by price': [
    { file: 'model/market-spreads.ts', find: 'slope: spreadSlope(byPrice)', replace: 'slope: SLOPE.expected' },
  ],
  'error shape of quotes': [
    {
      file: 'model/market-spreads.ts',
      find: 'quoteErrors: byServed.map((distances) => errorShape(distances, 40, { medianScale: 0.5, halfWidth80: 0.8 })),',
      replace: 'quoteErrors: byServed.map(() => NORMAL_ERROR_SHAPE),',
    },
  ],
  'outlier weights of variants and devices': [
    {
      file: 'model/market-effects.ts',
      find: 'const say = Math.min(1, HUBER_LIMIT / (Math.abs(distance) / Math.sqrt(variance)))',
      replace: 'const say = 1',
    },
  ],
  'clamp between siblings': [
    { file: 'model/estimate.ts', find: 'clampBetweenSiblings(level, rows, fit)\n', replace: '\n' },
  ],
  'minimum weight of stale rows': [
    {
      file: 'model/estimate.ts',
      find: 'if (total === 0 || total >= 1) return wandered',
      replace: 'return wandered',
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
      find: 'return years * (prior.eraLevel + prior.eraByAge * aged)',
      replace: 'return 0 * years * aged',
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
