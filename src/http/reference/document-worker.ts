/** Thread that renders the documents. Started by document-renderer.ts. */
import { documentTemplates } from './document-templates.ts'

if (!Bun.isMainThread) postMessage(documentTemplates())
