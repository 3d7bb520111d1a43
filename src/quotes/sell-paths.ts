/** Addresses of the public trade-in page. */
export const SELL_PREFIX = '/sell/'

export const shopPath = (slug: string) => `${SELL_PREFIX}${slug}`
export const customerPath = (slug: string, token: string) => `${shopPath(slug)}/q/${token}`
