import carrier from '../../../docs/examples/sources/carrier-oauth.json'
import registry from '../../../docs/examples/sources/registry-check.json'
import lookup from './lookup-template.json'
import type { Definition } from './source-form.ts'

/** The first source of an example file without its secrets, which have fields of their own. */
function templateOf({ sources: [source] }: { readonly sources: readonly Definition[] }): Definition {
  const { headers: _, oauth, ...request } = (source?.request ?? {}) as Record<string, unknown>
  if (!oauth) return { ...source, request }
  const { client_secret: __, ...login } = oauth as Record<string, unknown>
  return { ...source, request: { ...request, oauth: login } }
}

export const SOURCE_TEMPLATES = { registry: templateOf(registry), lookup, carrier: templateOf(carrier) } as const
