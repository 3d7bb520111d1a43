import { html } from '../lib/html.ts'
import { llmsText } from './llms-text.ts'
import { type DocumentTemplates, documentTemplates } from './reference/document-templates.ts'
import { fillPlaceholders, type ServiceSettings } from './reference/placeholders.ts'
import { REFERENCE_CSS, REFERENCE_JS } from './reference/reference-page.ts'
import { type StaticRoute, staticRoute } from './static-file.ts'

const escapeJson = (text: string) => JSON.stringify(text).slice(1, -1)
const escapeHtml = (text: string) => html`${text}`.html

/** The API documentation: OpenAPI and the reference page. */
export function docsRoutes(settings: ServiceSettings): StaticRoute[] {
  let rendered: DocumentTemplates | undefined
  const templates = () => {
    rendered ??= documentTemplates()
    return rendered
  }
  const openApi = () => fillPlaceholders(templates().openApi, settings, escapeJson)
  return [
    staticRoute('/openapi.json', 'application/json; charset=utf-8', openApi, { 'Access-Control-Allow-Origin': '*' }),
    staticRoute('/llms.txt', 'text/markdown; charset=utf-8', () => llmsText(settings.baseUrl)),
    staticRoute('/docs', 'text/html; charset=utf-8', () => fillPlaceholders(templates().page, settings, escapeHtml)),
    staticRoute('/docs/reference.css', 'text/css; charset=utf-8', () => REFERENCE_CSS),
    staticRoute('/docs/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_JS),
  ]
}
