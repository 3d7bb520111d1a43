import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/**
 * Which file may import which. A folder is a subject; in it `routes.ts` may import HTTP, `*-store.ts` SQL, `*-service.ts` owns clocks and
 * connections, and every other file is pure: it imports only pure files.
 */
const root = join(import.meta.dir, '..')
const files = [...new Bun.Glob('src/**/*.ts').scanSync(root)].filter((file) => !file.endsWith('.test.ts')).sort()

type Import = { readonly from: string; readonly to: string; readonly typeOnly: boolean }

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found: Import[] = []
  for (const match of text.matchAll(/^\s*(?:import|export)\s+(type\s)?[^'"()]*?from\s+['"]([^'"]+)['"]/gm)) {
    const [, type, target = ''] = match
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target
    found.push({ from: file, to, typeOnly: type !== undefined })
  }
  for (const match of text.matchAll(/\bimport\(['"]([^'"]+)['"]\)/g)) {
    const target = match[1] ?? ''
    const to = target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target
    found.push({ from: file, to, typeOnly: false })
  }
  return found
}

const imports = files.flatMap(importsOf)
const SUBJECTS = [
  'appraisal',
  'auth',
  'catalog',
  'currency',
  'events',
  'identifier',
  'jobs',
  'mail',
  'mcp',
  'pricing',
  'quotes',
  'records',
  'repairs',
  'risk',
  'tables',
  'usage',
]
const isIn = (folder: string) => (file: string) => file.startsWith(`src/${folder}/`)
const fileName = (file: string) => file.split('/').at(-1) ?? ''
const isStore = (file: string) => /(^|-)store\.ts$/.test(fileName(file))
const isRoutes = (file: string) => /(^|-)routes\.ts$/.test(fileName(file))
/** Authenticates requests for src/http, which knows no subject. */
const isGuard = (file: string) => file === 'src/auth/guard.ts'
const broken = (rule: (found: Import) => boolean) => imports.filter(rule).map(({ from, to }) => `${from} → ${to}`)

test('the check finds files and imports', () => {
  expect(files.length).toBeGreaterThan(30)
  expect(imports.length).toBeGreaterThan(60)
})

test('the contract imports nothing else of the project', () => {
  expect(broken(({ from, to }) => isIn('contract')(from) && to.startsWith('src/') && !isIn('contract')(to))).toEqual([])
})

test('only HTTP code imports HTTP, and src/http imports no subject', () => {
  const speaksHttp = (file: string) =>
    isIn('http')(file) ||
    isIn('auth/sign-in')(file) ||
    isIn('cli')(file) ||
    isIn('app')(file) ||
    isRoutes(file) ||
    isGuard(file)
  const isHttp = (target: string) => isIn('http')(target) || /^hono(\/|$)/.test(target)
  // Settings use the type of trusted proxies from src/http.
  const isSetting = ({ from, to }: Import) => from === 'src/config.ts' && to === 'src/http/client-address.ts'
  expect(
    broken(
      (found) =>
        isHttp(found.to) &&
        !found.typeOnly &&
        !speaksHttp(found.from) &&
        found.from !== 'src/app.ts' &&
        !isSetting(found),
    ),
  ).toEqual([])
  const ABOVE = ['appraisal', 'catalog', 'pricing', 'repairs', 'risk', 'auth', 'usage', 'import', 'db', 'cli', 'app']
  expect(broken(({ from, to }) => isIn('http')(from) && ABOVE.some((folder) => isIn(folder)(to)))).toEqual([])
})

test('errors of rules and stores depend neither on HTTP nor on the command line', () => {
  expect(broken(({ from, to }) => from === 'src/lib/errors.ts' && to.startsWith('src/') && !isIn('lib')(to))).toEqual(
    [],
  )
  const own = { ApiError: ['http', 'auth/sign-in', 'app'], CommandError: ['cli'] }
  for (const [name, folders] of Object.entries(own)) {
    const users = files.filter((file) => new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, file), 'utf8')))
    expect(users.length).toBeGreaterThan(3)
    const mayThrow = (file: string) =>
      folders.some((folder) => isIn(folder)(file)) || (name === 'ApiError' && (isRoutes(file) || isGuard(file)))
    expect(users.filter((file) => !mayThrow(file))).toEqual([])
  }
})

test('only stores, the command line and the wiring import the database', () => {
  const mayKnow = (file: string) =>
    isIn('db')(file) ||
    isIn('cli')(file) ||
    isIn('app')(file) ||
    isStore(file) ||
    file === 'src/app.ts' ||
    file === 'src/auth/demo-keys-store.ts'
  expect(
    broken(
      ({ from, to, typeOnly }) => (isIn('db')(to) || to === 'kysely' || to === 'pg') && !typeOnly && !mayKnow(from),
    ),
  ).toEqual([])
})

test('only db/ distinguishes the two databases', () => {
  const talksDialect = files.filter(
    (file) =>
      !isIn('db')(file) &&
      /bun:sqlite|from 'pg'|dialect === '(sqlite|postgres)'/.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(talksDialect.filter((file) => !['src/cli/status.ts'].includes(file))).toEqual([])
})

/** Owns a clock, a timer or a connection, or waits; marked by its name. Every other file of a subject is pure. */
const isService = (file: string) => /-service\.ts$/.test(fileName(file))
const isPure = (file: string) =>
  SUBJECTS.some((subject) => isIn(subject)(file)) && !isStore(file) && !isRoutes(file) && !isService(file)

const OUTSIDE_MODULES =
  /^(node:(fs|net|http|https|os|child_process|worker_threads|timers)|bun(:.*)?$|cockatiel$|src\/(db\/reload-on-change|lib\/(event-loop|batch-loader|group-commit|child-process|secret-file|outgoing-http)|config)\.ts)/
const OUTSIDE_CALLS =
  /\b(process\.|console\.(log|info|warn|error)\b|performance\.now\b|Date\.now\b|Math\.random\b|crypto\.(getRandomValues|randomUUID)\b|Bun\.(sleep|file|write|spawn|serve|listen|connect|env)\b|(setTimeout|setInterval|setImmediate|queueMicrotask|fetch)\()|\bnew Date\(\)/

/** Uses of the clock, randomness, the network, the disk or the process in a file. */
function touches(file: string): string[] {
  const code = readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '')
  const called = OUTSIDE_CALLS.exec(code)?.[0]
  const known = importsOf(file).filter(({ to, typeOnly }) => !typeOnly && (OUTSIDE_MODULES.test(to) || isService(to)))
  return [...(called ? [called] : []), ...known.map(({ to }) => to)].map((what) => `${file} → ${what}`)
}

test('a pure file uses neither clock, randomness, network, disk nor process', () => {
  expect(files.filter(isPure).flatMap(touches)).toEqual([])
})

test('a service uses a clock, a connection or a process', () => {
  expect(
    files.filter(
      (file) => isService(file) && touches(file).length === 0 && !importsOf(file).some(({ to }) => isIn('db')(to)),
    ),
  ).toEqual([])
})

test('a pure file or service of a subject imports no HTTP, no store and no program', () => {
  const pure = (file: string) => isPure(file) || (isService(file) && SUBJECTS.some((subject) => isIn(subject)(file)))
  const impure = ({ to }: Import) =>
    isStore(to) ||
    isRoutes(to) ||
    isIn('db')(to) ||
    isIn('cli')(to) ||
    isIn('import')(to) ||
    to === 'src/app.ts' ||
    to === 'src/config.ts'
  expect(broken((found) => pure(found.from) && !found.typeOnly && impure(found))).toEqual([])
})

test('in a subject only stores import SQL or a database', () => {
  const subject = (file: string) => SUBJECTS.some((each) => isIn(each)(file)) && !isStore(file)
  // The type of a row may be imported, queries may not.
  const known = ({ to, typeOnly }: Import) =>
    (isIn('db')(to) || to === 'kysely') &&
    !(typeOnly && ['src/db/schema.ts', 'src/db/reload-on-change.ts'].includes(to))
  expect(broken((found) => subject(found.from) && known(found))).toEqual([])
  const speaks = /\.(selectFrom|insertInto|updateTable|deleteFrom|executeQuery|transaction)\(|\bsql`/
  expect(files.filter(subject).filter((file) => speaks.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

// Coarse on purpose: it cannot see which statement lacks its audit entry, but it finds every file that writes these tables.
test('code that changes keys, organizations or people also writes the audit trail', () => {
  const changes =
    /\.(insertInto|updateTable|deleteFrom)\(\s*'(api_key|organization|organization_tier|account|one_time_link)'/
  const writers = files.filter((file) => changes.test(readFileSync(join(root, file), 'utf8')))
  expect(writers.length).toBeGreaterThan(3)
  const audits = /\b(writeAuditEntry|rewriteAuditEntries|auditRow|auditAccount)\(/
  expect(writers.filter((file) => !audits.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

const isImporter = (file: string) => /-importer\.ts$/.test(file) || file === 'src/import/importers.ts'

test('a pure file of src/import uses nothing outside, no store and no importer', () => {
  const isPureImport = (file: string) =>
    isIn('import')(file) && !isStore(file) && !isImporter(file) && !isRoutes(file) && !isService(file)
  const impure = (to: string) => isStore(to) || isImporter(to) || isIn('db')(to) || to === 'kysely' || isService(to)
  expect(files.filter(isPureImport).length).toBeGreaterThan(20)
  expect(files.filter(isPureImport).flatMap(touches)).toEqual([])
  expect(broken(({ from, to, typeOnly }) => isPureImport(from) && !typeOnly && impure(to))).toEqual([])
})

test('in src/import only stores contain SQL', () => {
  const talksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom|insertMany)\(|\bsql`/
  const others = files.filter((file) => isIn('import')(file) && !isStore(file))
  expect(others.filter((file) => talksSql.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
})

test('src/import/read imports only lib and tables, and formats import no other format but the catalogue', () => {
  const wing = (name: string) => isIn(`import/${name}`)
  const mayRead = (file: string) => ['import/read', 'lib', 'tables'].some((folder) => isIn(folder)(file))
  expect(broken(({ from, to }) => wing('read')(from) && to.startsWith('src/') && !mayRead(to))).toEqual([])
  const kinds = ['catalogue', 'identifier-lists', 'prices', 'repairs']
  const isAcross = ({ from, to }: Import) =>
    kinds.some((one) => wing(one)(from) && kinds.some((other) => other !== one && wing(other)(to)))
  expect(broken((found) => isAcross(found) && !wing('catalogue')(found.to))).toEqual([])
})

test('no lower layer imports src/import', () => {
  const mayKnow = (file: string) =>
    ['import', 'lists', 'cli', 'app'].some((folder) => isIn(folder)(file)) || file === 'src/app.ts'
  expect(broken(({ from, to }) => isIn('import')(to) && !mayKnow(from))).toEqual([])
})

test('tables are read below pricing, appraisal and lists, and importing knows no appraisal', () => {
  const above = ['appraisal', 'import', 'lists', 'pricing', 'repairs', 'risk']
  expect(broken(({ from, to }) => isIn('tables')(from) && above.some((folder) => isIn(folder)(to)))).toEqual([])
  expect(broken(({ from, to }) => isIn('import')(from) && (isIn('appraisal')(to) || isIn('lists')(to)))).toEqual([])
})

test('lib imports no subject', () => {
  expect(broken(({ from, to }) => isIn('lib')(from) && to.startsWith('src/') && !isIn('lib')(to))).toEqual([])
})

test('the pricing model imports neither markets nor quotes, and markets do not import quotes', () => {
  const wing = (name: string) => isIn(`pricing/${name}`)
  expect(broken(({ from, to }) => wing('model')(from) && (wing('markets')(to) || wing('quotes')(to)))).toEqual([])
  expect(broken(({ from, to }) => wing('markets')(from) && wing('quotes')(to))).toEqual([])
})

test('routes import only the types of stores', () => {
  expect(broken(({ from, to, typeOnly }) => isRoutes(from) && isStore(to) && !typeOnly)).toEqual([])
})

test('no lower layer imports the program', () => {
  const top = ['src/main.ts', 'src/app.ts']
  const isTop = (file: string) => top.includes(file) || isIn('app')(file)
  const mayKnow = (file: string) => isIn('cli')(file) || isTop(file)
  expect(broken(({ from, to }) => (isTop(to) || isIn('cli')(to)) && !mayKnow(from))).toEqual([])
})

/** File names that every subject may have, with the same meaning. */
const SAME_IN_EVERY_SUBJECT = ['routes.ts', 'present.ts']

test('file names are unique across subjects', () => {
  // Files of the contract, the commands and the wiring are named after their subject.
  const mirrors = (file: string) => ['contract', 'cli', 'app'].some((folder) => isIn(folder)(file))
  const own = files.filter((file) => !mirrors(file) && !SAME_IN_EVERY_SUBJECT.includes(fileName(file)))
  const twice = [...Map.groupBy(own, fileName).values()].filter((same) => same.length > 1)
  expect(twice.map((same) => same.join(' and '))).toEqual([])
})

test('no two folders import each other, types included', () => {
  const folderOf = (file: string) => /^src\/([^/]+)\//.exec(file)?.[1]
  const edges = new Set(
    imports.flatMap(({ from, to }) => {
      const [importer, imported] = [folderOf(from), folderOf(to)]
      return importer && imported && importer !== imported ? [`${importer} → ${imported}`] : []
    }),
  )
  expect(edges.size).toBeGreaterThan(20)
  const mutual = [...edges].flatMap((edge) => {
    const [importer = '', imported = ''] = edge.split(' → ')
    return importer < imported && edges.has(`${imported} → ${importer}`) ? [`${importer} ↔ ${imported}`] : []
  })
  expect(mutual).toEqual([])
})

test('there are no import cycles', () => {
  const graph = new Map<string, string[]>()
  for (const { from, to, typeOnly } of imports) if (!typeOnly) graph.set(from, [...(graph.get(from) ?? []), to])
  const circles: string[] = []
  const done = new Set<string>()
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) {
      circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      return
    }
    if (done.has(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...path, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  expect(circles).toEqual([])
})

/** Pure modules that pages share with the service, beside the contract: what is read or calculated in the browser. */
const SHARED_WITH_PAGES = [
  'src/appraisal/appraisal-sheet.ts',
  'src/appraisal/device-title.ts',
  'src/appraisal/main-reason.ts',
  'src/appraisal/reason-texts.ts',
  'src/appraisal/sheet-words.ts',
  'src/appraisal/split-amount.ts',
  'src/currency/minor-units.ts',
  'src/identifier/check-digit.ts',
  'src/identifier/identifier-mask.ts',
  'src/import/read/',
  'src/lib/',
  'src/lists/',
  'src/pricing/price-attributes.ts',
  'src/repairs/fault-kinds.ts',
  'src/tables/',
  'src/text/facts.ts',
  'src/text/text-tokens.ts',
]

test('pages import the contract and named pure modules only', () => {
  const pages = [...new Bun.Glob('dashboard/**/*.{ts,tsx}').scanSync(root)].filter((file) => !file.includes('.test.'))
  const targets = pages.flatMap(importsOf).filter(({ to }) => to.startsWith('src/'))
  expect(targets.length).toBeGreaterThan(50)
  const isShared = (to: string) => isIn('contract')(to) || SHARED_WITH_PAGES.some((module) => to.startsWith(module))
  expect(targets.filter(({ to }) => !isShared(to)).map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  const used = SHARED_WITH_PAGES.filter((module) => targets.some(({ to }) => to.startsWith(module)))
  expect(used).toEqual(SHARED_WITH_PAGES)
})
