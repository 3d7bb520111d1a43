import { expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MODEL_PARTS } from '../../src/pricing/model/model-parts.ts'

test('every part of the model that can be left out is a switch in the code', async () => {
  const root = join(import.meta.dir, '../../src/pricing')
  const files = ['model', 'quotes'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((file) => join(root, folder, file)),
  )
  const code = (await Promise.all(files.map((file) => Bun.file(file).text()))).join('\n')
  const unused = MODEL_PARTS.filter((part) => !code.includes(`uses('${part}')`) && !code.includes(`uses("${part}")`))
  expect(unused).toEqual([])
})
