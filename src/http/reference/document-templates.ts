import { openApiDocument } from '../../contract/openapi.ts'
import { VERSION } from '../../lib/version.ts'
import { BASE_URL_PLACEHOLDER } from './placeholders.ts'
import { referencePage } from './reference-page.ts'

export type DocumentTemplates = { readonly openApi: string; readonly page: string }

/** The OpenAPI document and the reference page, with placeholders for what depends on the settings of the service. */
export function documentTemplates(): DocumentTemplates {
  const openApi = openApiDocument({ baseUrl: BASE_URL_PLACEHOLDER, version: VERSION })
  return { openApi: JSON.stringify(openApi), page: referencePage(openApi) }
}
