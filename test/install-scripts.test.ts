import { expect, test } from 'bun:test'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { allowScripts } from '../package.json'

const root = join(import.meta.dir, '..')
type LockedPackage = { readonly hasInstallScript?: boolean; readonly version?: string; readonly dev?: boolean }
type Lock = { readonly packages: Readonly<Record<string, LockedPackage>> }
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

/** Runs `bin/setup` in a folder whose npm fails, with what npm recorded as installed. */
async function setUpAfterNpm(installed: Lock['packages'], locked: Lock['packages']): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'di-setup-'))
  for (const each of ['bin', 'tools', 'node_modules']) mkdirSync(join(folder, each))
  cpSync(join(root, 'bin/setup'), join(folder, 'bin/setup'))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ packages: locked }))
  writeFileSync(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: installed }))
  writeFileSync(join(folder, 'tools/npm'), '#!/bin/sh\nexit 9\n')
  chmodSync(join(folder, 'tools/npm'), 0o755)
  const child = Bun.spawn([join(folder, 'bin/setup')], {
    env: { ...process.env, PATH: `${join(folder, 'tools')}${delimiter}${process.env.PATH}` },
    stderr: 'ignore',
  })
  const code = await child.exited
  rmSync(folder, { recursive: true })
  return code
}

test('after "npm ci" a start installs nothing again, and after a change of the lock file it does', async () => {
  const zod = { 'node_modules/zod': { version: '4.6.7' } }
  const locked = { '': {}, ...zod, 'node_modules/knip': { version: '6.0.0', dev: true } }
  expect(await setUpAfterNpm(zod, locked)).toBe(0)
  expect(await setUpAfterNpm(zod, { ...locked, 'node_modules/zod': { version: '4.7.0' } })).not.toBe(0)
  expect(await setUpAfterNpm({}, locked)).not.toBe(0)
})
