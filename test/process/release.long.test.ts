import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { VERSION } from '../../src/lib/version.ts'
import { runProgram } from '../support/program.ts'

const root = join(import.meta.dir, '../..')

test('a release has an executable for each platform with a checksum and a bill of materials, and the one for this machine runs', async () => {
  const build = await runProgram([join(root, 'scripts/build.ts'), '--release'], {}, [process.execPath])
  expect(build.code, build.stderr).toBe(0)
  const sums = readFileSync(join(root, 'dist/SHA256SUMS'), 'utf8').trimEnd().split('\n')
  const names = sums.map((line) => line.split('  ')[1])
  const files = ['-linux-x64', '-linux-arm64', '.cdx.json'].map((end) => `device-intelligence-${VERSION}${end}`)
  expect(names).toEqual(files)
  const bill = JSON.parse(readFileSync(join(root, `dist/device-intelligence-${VERSION}.cdx.json`), 'utf8'))
  expect(bill.components.map(({ name }: { name: string }) => name)).toContain('kysely')
  const check = await runProgram(['-c', `cd ${root}/dist && sha256sum --check SHA256SUMS`], {}, ['sh'])
  expect(check.code, check.stderr).toBe(0)
  const own = join(root, `dist/device-intelligence-${VERSION}-linux-${process.arch}`)
  expect((await runProgram(['--version'], {}, [own])).stdout.trim()).toBe(VERSION)
})
