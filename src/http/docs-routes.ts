import { html } from '../lib/html.ts'
import { llmsText } from './llms-text.ts'
import { renderDocuments } from './reference/document-renderer.ts'
import type { DocumentTemplates } from './reference/document-templates.ts'
import { fillPlaceholders, type ServiceSettings } from './reference/placeholders.ts'
import { REFERENCE_CSS, REFERENCE_JS } from './reference/reference-page.ts'
import type { SiteRoute } from './router.ts'
import { staticRoute } from './static-file.ts'

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1)
const escapeHtml = (text: string) => html`${text}`.html

/** The API documentation: OpenAPI and the reference page, rendered on first use. */
export function docsRoutes(settings: ServiceSettings): SiteRoute[] {
  let rendering: Promise<DocumentTemplates> | undefined
  const templates = () => {
    rendering ??= renderDocuments().catch((error) => {
      // The next request tries again.
      rendering = undefined
      throw error
    })
    return rendering
  }
  const openApi = async () => fillPlaceholders((await templates()).openApi, settings, escapeJson)
  const page = async () => fillPlaceholders((await templates()).page, settings, escapeHtml)
  return [
    staticRoute('/openapi.json', 'application/json; charset=utf-8', openApi, { 'Access-Control-Allow-Origin': '*' }),
    staticRoute('/llms.txt', 'text/markdown; charset=utf-8', () => llmsText(settings.baseUrl)),
    staticRoute('/docs', 'text/html; charset=utf-8', page),
    staticRoute('/docs/reference.css', 'text/css; charset=utf-8', () => REFERENCE_CSS),
    staticRoute('/docs/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_JS),
  ]
}
