/** Path templates in OpenAPI form: `/api/appraisals/{id}`. */
const PARAMETER = /\{([a-z_]+)\}/g

/** Characters allowed in a parameter. None of them is ever percent-encoded, so each resource has exactly one URL. */
const SEGMENT = '[A-Za-z0-9_-]+'

export const hasPathParameters = (path: string) => path.includes('{')

/** Parameters of a path by name; undefined if the path does not match the template. */
export function matchPath(template: string, path: string): Record<string, string> | undefined {
  if (!hasPathParameters(template)) return template === path ? {} : undefined
  const groups = patternOf(template).exec(path)?.groups
  return groups && { ...groups }
}

const patterns = new Map<string, RegExp>()

/** Compiled once: a request may be compared with every path. */
function patternOf(template: string): RegExp {
  const known = patterns.get(template)
  if (known) return known
  const pattern = new RegExp(`^${template.replaceAll('.', '\\.').replace(PARAMETER, `(?<$1>${SEGMENT})`)}$`)
  patterns.set(template, pattern)
  return pattern
}

/** Fills the parameters into a template. */
export function fillPath(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(PARAMETER, (placeholder, name: string) => parameters[name] ?? placeholder)
}

/** The template in the router's syntax, with the allowed characters of each parameter. */
export function toRouterPath(template: string): string {
  return template.replace(PARAMETER, `:$1{${SEGMENT}}`)
}
