import { openApiJson } from '../contract/openapi.ts'
import { llmsText } from './llms-text.ts'
import { REFERENCE_CSS, REFERENCE_JS, type ReferenceOptions, referencePage } from './reference/reference-page.ts'
import type { SiteRoute } from './router.ts'
import { staticRoute } from './static.ts'

/** The description of the API, for programs and for people. */
export function documentRoutes(options: ReferenceOptions): SiteRoute[] {
  return [
    staticRoute('/openapi.json', 'application/json; charset=utf-8', () => openApiJson(options), {
      'Access-Control-Allow-Origin': '*',
    }),
    staticRoute('/llms.txt', 'text/markdown; charset=utf-8', () => llmsText(options.baseUrl)),
    staticRoute('/docs', 'text/html; charset=utf-8', () => referencePage(options)),
    staticRoute('/docs/reference.css', 'text/css; charset=utf-8', () => REFERENCE_CSS),
    staticRoute('/docs/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_JS),
  ]
}
