import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { ABLATIONS } from './ablations.ts'

test('every part that can be switched off is found once in the code', async () => {
  for (const { file, find } of Object.values(ABLATIONS).flat()) {
    const source = await Bun.file(join(import.meta.dir, '../../src/pricing', file)).text()
    expect(source.split(find), `${file}: ${find}`).toHaveLength(2)
  }
})
