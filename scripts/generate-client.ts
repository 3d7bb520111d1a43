/**
 * Generates both clients and the table of endpoints in the README from the contract. With `--check` it writes nothing and fails
 * if a file is out of date.
 */
import { join } from 'node:path'
import { openApiDocument } from '../src/contract/openapi.ts'
import { generateClient } from './client-generator.ts'
import { insertEndpointTable } from './endpoint-table.ts'
import { generatePythonClient } from './python-client-generator.ts'

const root = join(import.meta.dir, '..')
const client = join(root, 'client/src/generated.ts')
const readme = join(root, 'README.md')

const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
const format = Bun.spawn([join(root, 'node_modules/.bin/biome'), 'format', `--stdin-file-path=${client}`], {
  stdin: new Blob([generateClient(document)]),
  cwd: root,
})
const source = await new Response(format.stdout).text()
if ((await format.exited) !== 0) throw new Error('Cannot format the generated client.')

const generated = [
  [client, source],
  [join(root, 'client/python/device_intelligence/generated.py'), generatePythonClient(document)],
  [readme, insertEndpointTable(await Bun.file(readme).text())],
] as const

if (process.argv.includes('--check')) {
  const outdated: string[] = []
  for (const [file, text] of generated) if ((await Bun.file(file).text()) !== text) outdated.push(file)
  console.log(outdated.length === 0 ? 'generated files are up to date' : `run npm run generate: ${outdated.join(', ')}`)
  process.exit(outdated.length === 0 ? 0 : 1)
}
for (const [file, text] of generated) await Bun.write(file, text)
