/** The token is in the URL fragment, which browsers do not send and logs do not contain. */
export const oneTimeLinkUrl = (baseUrl: string, token: string) => `${baseUrl}/dashboard/join#${token}`

export const LINK_ID_PREFIX = 'lnk'
