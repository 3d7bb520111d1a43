/** The token stands behind "#", which browsers send to nobody and no log sees. */
export const linkAddress = (baseUrl: string, token: string) => `${baseUrl}/dashboard/join#${token}`
