/** Generates both clients from the contract: client/src/generated.ts and client/python/device_intelligence/generated.py. */
import { join } from 'node:path'
import { openApiDocument } from '../src/contract/openapi.ts'
import { generateClient } from './client-generator.ts'
import { generatePythonClient } from './python-client-generator.ts'

const CLIENT = join(import.meta.dir, '../client')

export async function generateClients(): Promise<void> {
  const document = openApiDocument({ baseUrl: 'http://127.0.0.1:3000', version: '0.0.0' })
  await Promise.all([
    Bun.write(join(CLIENT, 'src/generated.ts'), generateClient(document)),
    Bun.write(join(CLIENT, 'python/device_intelligence/generated.py'), generatePythonClient(document)),
  ])
}

if (import.meta.main) await generateClients()
