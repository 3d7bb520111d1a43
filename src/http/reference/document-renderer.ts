import type { DocumentTemplates } from './document-templates.ts'

/**
 * Renders the documents in a thread that ends with it: half a second of processor time and 60 MB, for pages that most
 * processes never serve. The executable contains the result instead of this function.
 */
export function renderDocuments(): Promise<DocumentTemplates> {
  const { promise, resolve, reject } = Promise.withResolvers<DocumentTemplates>()
  const worker = new Worker(new URL('./document-worker.ts', import.meta.url).href)
  worker.onmessage = ({ data }: MessageEvent<DocumentTemplates>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`The documents cannot be rendered: ${message}`))
  return promise.finally(() => worker.terminate())
}
