/** Paths with places in them, as OpenAPI writes them: `/api/appraisals/{id}`. */
const PARAMETER = /\{([a-z_]+)\}/g

/** What can stand in a place. Nothing of it is ever encoded, so that a thing has one address and no other spelling. */
const SEGMENT = '[A-Za-z0-9_-]+'

export const hasPathParameters = (path: string) => path.includes('{')

/** What stands in the places of a path, by their names; undefined when the address is not of this form. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  if (!hasPathParameters(template)) return template === path ? {} : undefined
  const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(PARAMETER, `(?<$1>${SEGMENT})`)}$`)
  const groups = pattern.exec(path)?.groups
  return groups && { ...groups }
}

/** The address of one thing: what is given stands in the places of its name. */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(PARAMETER, (placeholder, name: string) => parameters[name] ?? placeholder)
}

/** The path as the router writes it: each place under its name, with what can stand there. */
export function toRouterPath(template: string): string {
  return template.replace(PARAMETER, `:$1{${SEGMENT}}`)
}
