/**
 * Written by `npm run lab -- calibrate --families`. Do not edit by hand. Cheap phones: 119 models of 12 makes in shops of one
 * country, beside the iPhones of the same shops. MacBooks: 37 models in one chain of another country, without tax, as sales.
 */
export const FITTED_SHIFTS = { 'mid-range': { atLaunch: 0.155, perYear: 0.071 } } as const

export const FITTED_SHARES = {
  macbook: [0.922, 0.733, 0.584, 0.489, 0.345, 0.201, 0.113],
} as const
