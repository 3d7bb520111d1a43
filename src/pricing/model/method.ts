/** Day of the bundled coefficients, which `npm run lab -- calibrate` writes. */
export const PRIOR_FITTED_AT = Date.UTC(2026, 10, 16)

/** Version of the price model. Change it when the same observations would give other numbers, or a fit is stored in another form. */
export const PRICING_METHOD = 'hierarchical/31'
