/** `bin/bun scripts/licences.ts` writes the licences of all packages that are shipped with the service into docs/decisions/dependencies.md. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

type LockedPackage = {
  readonly license?: string
  /** Installed for development only. `devOptional` packages are also installed with the runtime dependencies. */
  readonly dev?: boolean
}
type PackageEntry = readonly [path: string, LockedPackage]

const HEAD = ['| licence | packages | names |', '|---|---|---|']

function groupByLicence(packages: readonly PackageEntry[]): [licence: string, names: string[]][] {
  const groups = Map.groupBy(packages, ([, { license }]) => license ?? 'not stated in the lock file')
  return [...groups]
    .map(([licence, entries]): [string, string[]] => {
      const names = entries.map(([path]) => path.split('node_modules/').at(-1) ?? path)
      return [licence, [...new Set(names)].sort()]
    })
    .sort(([, left], [, right]) => right.length - left.length)
}

/** The section Licences of docs/decisions/dependencies.md; a test compares it. */
export function licencesSection(): string {
  const lockFile = readFileSync(join(import.meta.dir, '../package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, LockedPackage> }
  const installed = Object.entries(packages).filter(([path]) => path.startsWith('node_modules/'))
  const shipped = groupByLicence(installed.filter(([, { dev }]) => !dev))
  return `${[
    '## Licences',
    '',
    'Generated from the lock file by `bin/bun scripts/licences.ts`. The service is Apache-2.0 ([LICENSE](../../LICENSE)); [data/NOTICE](../../data/NOTICE) lists the sources and licences of the bundled data. Versions are in `package-lock.json`. Packages that only tests, checks and benchmarks use are not listed.',
    '',
    'Bun statically links JavaScriptCore (LGPL-2). The reader in `zxing-wasm` is ZXing-C++ (Apache-2.0).',
    '',
    ...HEAD,
    ...shipped.map(([licence, names]) => `| ${licence} | ${names.length} | ${names.join(', ')} |`),
  ].join('\n')}\n`
}

if (import.meta.main) {
  const page = join(import.meta.dir, '../docs/decisions/dependencies.md')
  const [reasons = ''] = readFileSync(page, 'utf8').split('## Licences\n')
  writeFileSync(page, reasons + licencesSection())
}
