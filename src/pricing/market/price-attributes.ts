/** Colour moves a used price by less than any range we give, and most sources do not tell it. */
const WITHOUT_A_PRICE = new Set(['color', 'colour', 'band', 'band color'])

/** Whether variants that differ in this attribute are priced apart. */
export const movesPrice = (attribute: string) => !WITHOUT_A_PRICE.has(attribute.toLowerCase())
