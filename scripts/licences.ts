/** `bin/bun scripts/licences.ts > docs/licences.md`: the licences of everything that is installed, from the lock file. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
}

const root = join(import.meta.dir, '..')
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const installed = Object.entries(lock.packages).filter(([path]) => path.startsWith('node_modules/'))

function byLicence(packages: readonly (readonly [string, Locked])[]): string[] {
  const names = new Map<string, string[]>()
  for (const [path, { license = 'not said in the lock file', version }] of packages) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    names.set(license, [...(names.get(license) ?? []), `${name} ${version}`])
  }
  return [...names]
    .sort(([, left], [, right]) => right.length - left.length)
    .map(([license, all]) => `| ${license} | ${all.length} | ${all.sort().join(', ')} |`)
}

const isDev = ([, { dev, devOptional }]: readonly [string, Locked]) => Boolean(dev || devOptional)
const head = ['| licence | packages | which |', '|---|---|---|']
console.log(
  [
    '# Licences of what is installed',
    '',
    'Written by `bin/bun scripts/licences.ts` from the lock file. The service itself is Apache-2.0; the data on board names its sources in [data/NOTICE](../data/NOTICE).',
    '',
    '## What the service runs with',
    '',
    ...head,
    ...byLicence(installed.filter((each) => !isDev(each))),
    '',
    '## What only tests, checks and benches need',
    '',
    ...head,
    ...byLicence(installed.filter(isDev)),
  ].join('\n'),
)
