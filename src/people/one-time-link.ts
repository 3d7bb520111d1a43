/** The token stands behind "#", which browsers send to nobody and no log sees. */
export const oneTimeLinkUrl = (baseUrl: string, token: string) => `${baseUrl}/dashboard/join#${token}`
