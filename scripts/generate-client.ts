/**
 * Writes the types and methods of the client from the OpenAPI document. With `--check` it writes nothing and fails when
 * what is there is no longer what the document says.
 */
import { join } from 'node:path'
import { openApiDocument } from '../src/contract/openapi.ts'
import { generateClient } from './client-generator.ts'

const root = join(import.meta.dir, '..')
const file = join(root, 'client/src/generated.ts')

const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
const format = Bun.spawn([join(root, 'node_modules/.bin/biome'), 'format', `--stdin-file-path=${file}`], {
  stdin: new Blob([generateClient(document)]),
  cwd: root,
})
const source = await new Response(format.stdout).text()
if ((await format.exited) !== 0) throw new Error('what was generated cannot be formatted')

if (process.argv.includes('--check')) {
  const isSame = (await Bun.file(file).text()) === source
  console.log(
    isSame ? 'client: as the OpenAPI document says' : 'client: not as the OpenAPI document says; run npm run generate',
  )
  process.exit(isSame ? 0 : 1)
}
await Bun.write(file, source)
