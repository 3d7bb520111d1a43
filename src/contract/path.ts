/** Paths with places in them, as OpenAPI writes them: `/api/appraisals/{id}`. */
const PLACE = /\{([a-z_]+)\}/g

/** What can stand in a place. Nothing of it is ever encoded, so that a thing has one address and no other spelling. */
const SEGMENT = '[A-Za-z0-9_-]+'

export const hasPlaces = (path: string) => path.includes('{')

/** What stands in the places of a path, by their names; undefined when the address is not of this form. */
export function placesIn(path: string, address: string): Record<string, string> | undefined {
  if (!hasPlaces(path)) return path === address ? {} : undefined
  const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(PLACE, `(?<$1>${SEGMENT})`)}$`)
  const groups = pattern.exec(address)?.groups
  return groups && { ...groups }
}

/** The address of one thing: what is given stands in the places of its name. */
export function fillPlaces(path: string, given: Readonly<Record<string, string>>): string {
  return path.replace(PLACE, (place, name: string) => given[name] ?? place)
}

/** The path as the router writes it: each place under its name, with what can stand there. */
export function routerPath(path: string): string {
  return path.replace(PLACE, `:$1{${SEGMENT}}`)
}
