import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { allowScripts } from '../package.json'

const root = join(import.meta.dir, '..')
type Lock = { readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> }
const readLock = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8')) as Lock
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

test('an installation runs the script of bun and of no other package', () => {
  const { packages } = readLock('package-lock.json')
  const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  expect(withScript.map(nameOf)).toEqual(['bun'])
  expect(allowScripts).toEqual({ bun: true })
  expect(readFileSync(join(root, 'test/tools/.npmrc'), 'utf8')).toContain('ignore-scripts=true')
})

test('no package that reports installations is in a tree', () => {
  for (const path of ['package-lock.json', 'test/tools/package-lock.json'])
    expect(Object.keys(readLock(path).packages).filter((name) => name.includes('@scarf/'))).toEqual([])
})
