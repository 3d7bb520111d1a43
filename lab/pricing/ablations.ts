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
      file: 'model/device-deviations.ts',
      find: 'priorWeight = variance / spreads.channel ** 2',
      replace: 'priorWeight = 1e12',
    },
  ],
  'start from cell medians': [
    {
      file: 'model/device-fit.ts',
      find: 'if (pass === 0) startFromMedians(rows, deviation, trust, mean)',
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
  'more memory never costs less': [
    {
      file: 'model/estimate.ts',
      find: 'riseWithMemory(rows.device.variants, fit.trustedWeight, quotedLevel)\n',
      replace: '\n',
    },
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
  'effect of each storage size': [
    {
      file: 'model/effect-terms.ts',
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
  'judging each of few rows against the others': [
    {
      file: 'model/device-fit.ts',
      find: 'const varianceFactor = hasFewRows\n',
      replace: 'const varianceFactor = hasFewRows && pass < 0\n',
    },
  ],
  'lower limit of the prior spread for outliers': [
    {
      file: 'model/device-fit.ts',
      find: 'const MIN_OUTLIER_PRIOR_SPREAD = 0.2',
      replace: 'const MIN_OUTLIER_PRIOR_SPREAD = 0',
    },
  ],
  'half-life by volatility': [
    {
      file: 'model/recency.ts',
      find: 'return Math.max(MIN_HALF_LIFE_DAYS, Math.min(MAX_HALF_LIFE_DAYS, days))',
      replace: 'return days > 0 ? MAX_HALF_LIFE_DAYS : MIN_HALF_LIFE_DAYS',
    },
  ],
  'measured drift': [
    {
      file: 'model/drift.ts',
      find: 'if (spanMonths <= 0)',
      replace: 'if (spanMonths < Infinity)',
    },
  ],
  'effect of the launch price': [
    {
      file: 'model/effect-terms.ts',
      find: 'factor: launchLn - LN_700_DOLLARS }',
      replace: 'factor: 0 }',
    },
  ],
  'effect of the age': [
    {
      file: 'model/effect-terms.ts',
      find: "{ effect: { name: 'age', expected: 0, spread: 0.06 }, factor: age - 3 }",
      replace: "{ effect: { name: 'age', expected: 0, spread: 0.06 }, factor: 0 }",
    },
  ],
  "effect of the seller's word": [
    {
      file: 'model/effect-terms.ts',
      find: 'terms.push(effectTerm(`label:',
      replace: 'void (effectTerm(`label:',
    },
  ],
  'effect of the source': [
    {
      file: 'model/effect-terms.ts',
      find: 'terms.push(effectTerm(`market:',
      replace: 'void (effectTerm(`market:',
    },
  ],
  'spread of expert curves': [
    {
      file: 'model/base-level.ts',
      find: 'effects.has(familyEffect(family)) ? 0 : CURVE_SPREAD ** 2',
      replace: 'effects.has(familyEffect(family)) ? 0 : 0',
    },
  ],
  'weight of sources that never grade': [
    {
      file: 'model/grade-mix.ts',
      find: 'return UNGRADED_PRIOR_ROWS / (UNGRADED_PRIOR_ROWS + graded)',
      replace: 'return graded >= 0 ? 1 : 0',
    },
  ],
  'ungraded rows shift all grades': [
    {
      file: 'model/grade-mix.ts',
      find: '{ ...mix, center: mix.center + shift }',
      replace: 'mix',
    },
  ],
  'balance of sources': [
    {
      file: 'model/observation-columns.ts',
      find: 'weight: balancedWeights(columns, channels.names)',
      replace: 'weight: columns.recency.slice()',
    },
  ],
  'country levels': [
    {
      file: 'model/country-levels.ts',
      find: 'if (code === HOME) return 0',
      replace: 'if (code) return 0',
    },
  ],
  'country levels other than tax': [
    {
      file: 'model/country-levels.ts',
      find: '{ kr: -0.03, vn: 0.07 }',
      replace: '{}',
    },
  ],
  'levels borrowed from other countries': [
    {
      file: 'model/base-level.ts',
      find: 'if (borrowed) return borrowed',
      replace: '',
    },
  ],
  'cells borrowed from other countries': [
    {
      file: 'model/estimate.ts',
      find: 'cells: side.fit.level.map((level) => level - deviation),',
      replace: 'cells: new Float64Array(side.fit.level.length),',
    },
  ],
  'effects inherited from other countries': [
    {
      file: 'model/market-fit.ts',
      find: 'if (!world) return new Map()',
      replace: 'if (world || !world) return new Map()',
    },
  ],
  'variance of a country level': [
    {
      file: 'model/market-fit.ts',
      find: 'return world ? withLevelVariance(market) : market',
      replace: 'return market',
    },
    {
      file: 'model/country-markets.ts',
      find: '    levelVariance: COUNTRY_LEVEL_SPREAD ** 2,',
      replace: '    levelVariance: 0,',
    },
  ],
  'wide lock discount of unobserved buyback': [
    {
      file: 'model/channel-offsets.ts',
      find: "market.trade === 'buyback' ? BUYBACK_LOCK_SPREAD : LOCK_SPREAD",
      replace: 'LOCK_SPREAD',
    },
  ],
  'range down to wholesale prices': [
    {
      file: 'quotes/quote.ts',
      find: 'isMarginKnown ? 0 : WHOLESALE_SPREAD + Math.min(1, WHOLESALE_HANDLING_CENTS / Math.exp(buyback.ln[at]!))',
      replace: 'isMarginKnown ? 0 : 0 * at + margin',
    },
  ],
  'own prices: level of the organization': [
    {
      file: 'quotes/own-prices.ts',
      find: 'const level = !hasLevel ? 0 : (center * weight) / (weight + HALF_WEIGHT_PRICES)',
      replace: 'const level = 0 * weight',
    },
  ],
  'own prices: distance of each grade': [
    {
      file: 'quotes/own-prices.ts',
      find: 'const grades = hasLevel ? gradeDistances(devices, center) : NO_GRADES',
      replace: 'const grades = hasLevel && devices.length < 0 ? gradeDistances(devices, center) : NO_GRADES',
    },
  ],
  'dense cells': [
    {
      file: 'model/dense-cells.ts',
      find: 'if (own.length < MIN_DENSE_WEIGHT) continue',
      replace: 'if (own.length < 1e9 * MIN_DENSE_WEIGHT) continue',
    },
  ],
  'own prices: deviations of devices': [
    {
      file: 'quotes/own-prices.ts',
      find: 'level + grades[cell % GRADE_COUNT]! + pooled.level[cell]!',
      replace: 'level + grades[cell % GRADE_COUNT]! + 0 * pooled.level[cell]!',
    },
  ],
  'calibration of ranges': [
    {
      file: 'model/market-fit.ts',
      find: 'rangeScales: yield* calibrateRanges(market, devices, registry.names, effectsWithoutPart, basis),',
      replace: '',
    },
  ],
  'ranges by depth': [
    {
      file: 'model/range-calibration.ts',
      find: 'return 2 + DEPTH_WEIGHTS.filter((least) => weight >= least).length',
      replace: 'return weight < 0 ? DEPTH_WEIGHTS.length : 3',
    },
  ],
  'variance of the channel mix': [
    {
      file: 'model/grade-mix.ts',
      find: 'variance += weight[at]! * (offset[at]! - center) ** 2',
      replace: 'variance += 0',
    },
  ],
  'offset of the channel mix': [
    {
      file: 'model/grade-mix.ts',
      find: 'const center = medianOfMix({ size, offset, weight }, spread)',
      replace: 'const center = 0',
    },
  ],
  'median of the channel mix (mean instead)': [
    {
      file: 'model/grade-mix.ts',
      find: 'const center = medianOfMix({ size, offset, weight }, spread)',
      replace:
        'let center = 0\n    for (let at = 0; at < size; at += 1) center += (weight[at] as number) * (offset[at] as number)',
    },
  ],
  'own prices: reach of devices with own prices': [
    { file: 'quotes/own-prices.ts', find: 'const seenShare = total > 0 ?', replace: 'const seenShare = total < 0 ?' },
  ],
  'own prices: reach of devices without own prices': [
    { file: 'quotes/own-prices.ts', find: 'const unseenShare = prices /', replace: 'const unseenShare = 0 * prices /' },
  ],
  'own prices: ask premium': [
    { file: 'quotes/own-prices.ts', find: 'const ASK_PREMIUM = 0.05', replace: 'const ASK_PREMIUM = 0' },
  ],
  'spread of listings by price': [
    {
      file: 'model/base-level.ts',
      find: 'Math.exp(typicalPrice.slope * (typicalPrice.ln - ln))',
      replace: 'Math.exp(0 * (typicalPrice.ln - ln))',
    },
  ],
}
