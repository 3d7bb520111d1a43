import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const BEGIN = '<!-- drawing: folders -->'
const END = '<!-- end: folders -->'

/** Folders of src with a file of that name. */
function foldersWith(pattern: string): string {
  const files = [...new Bun.Glob(`src/*/**/${pattern}`).scanSync(root)]
  const folders = files
    .map((file) => file.split('/')[1] ?? '')
    .filter((folder) => !['app', 'cli', 'http', 'db'].includes(folder))
  return [...new Set(folders)].sort().join(', ')
}

/** How a request travels, with the folders as they are. */
function folderDrawing(): string {
  return `\`\`\`mermaid
flowchart TD
  C["caller, dashboard, MCP client"] --> S["src/http: server.ts, router.ts"]
  S --> P["src/http/api-pipeline.ts:<br>load shedding, key, limit, quota, tier, validation"]
  K["src/contract: path, tier, schemas"] -.-> P
  P --> R["*routes.ts of a subject:<br>${foldersWith('*routes.ts')}"]
  R --> V["*-service.ts and pure rules:<br>${foldersWith('*-service.ts')}"]
  V --> T["*-store.ts:<br>${foldersWith('*-store.ts')}"]
  T --> D[("src/db: SQLite or PostgreSQL")]
  R --> X["src/http/response.ts: envelope, ETag, compression"]
\`\`\``
}

/** Replaces the drawing of a document. */
export function insertFolderDrawing(document: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)]
  if (from < 0 || to < from) throw new Error('the document has no place for the drawing')
  return `${document.slice(0, from)}${BEGIN}\n${folderDrawing()}\n${document.slice(to)}`
}
