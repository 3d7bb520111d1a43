/** Colour moves a used price by less than any range we give, and most sources do not tell it. */
const PRICE_NEUTRAL_ATTRIBUTES = new Set(['color', 'colour', 'band', 'band color'])

/** Whether variants that differ in this attribute are priced apart. */
export const affectsPrice = (attribute: string) => !PRICE_NEUTRAL_ATTRIBUTES.has(attribute.toLowerCase())
