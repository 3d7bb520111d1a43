/** The token is in the URL fragment, which browsers do not send and logs do not contain. */
export const oneTimeLinkUrl = (baseUrl: string, token: string) => `${baseUrl}/dashboard/join#${token}`

export const LINK_ID_PREFIX = 'lnk'

/** Whether an id is that of an invitation rather than that of an account. */
export const isLinkId = (id: string) => id.startsWith(`${LINK_ID_PREFIX}_`)
