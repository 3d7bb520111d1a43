import { type JsonObject, openApiDocument } from '../contract/openapi.ts'
import { llmsText } from './llms-text.ts'
import { REFERENCE_CSS, REFERENCE_JS, type ReferenceOptions, referencePage } from './reference/reference-page.ts'
import { type StaticRoute, staticRoute } from './static-file.ts'

/** The API documentation: OpenAPI and the reference page. */
export function docsRoutes(options: ReferenceOptions): StaticRoute[] {
  // Rendered once for both pages: it takes tens of milliseconds.
  let openApi: JsonObject | undefined
  const document = () => {
    openApi ??= openApiDocument(options)
    return openApi
  }
  return [
    staticRoute('/openapi.json', 'application/json; charset=utf-8', () => JSON.stringify(document()), {
      'Access-Control-Allow-Origin': '*',
    }),
    staticRoute('/llms.txt', 'text/markdown; charset=utf-8', () => llmsText(options.baseUrl)),
    staticRoute('/docs', 'text/html; charset=utf-8', () => referencePage(options, document())),
    staticRoute('/docs/reference.css', 'text/css; charset=utf-8', () => REFERENCE_CSS),
    staticRoute('/docs/reference.js', 'text/javascript; charset=utf-8', () => REFERENCE_JS),
  ]
}
