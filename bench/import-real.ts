/**
 * Imports every real list under `../shared/data` into one new database, twice, and prints the counts; fails if the second
 * import changes anything. `bin/bun bench/import-real.ts [--keep]`; `--keep` keeps the database and prints its folder.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '../test/support/program.ts'

const data = ['../../shared/data', '../../../shared/data']
  .map((path) => join(import.meta.dir, path))
  .find((path) => existsSync(path))
if (!data) {
  console.log('Skipped: ../shared/data does not exist.')
  process.exit(0)
}
const scratch = mkdtempSync(join(tmpdir(), 'di-real-'))
const environment = { DATA_DIR: scratch, SAMPLE_DATA: 'off' }
const lists = 'dirbs-list-formats'

/** In the order an operator would import them; each identifier list has its own name. */
const IMPORTS: readonly (readonly [format: string, file: string, ...options: string[]])[] = [
  ['catalogue', 'google-play-certified-2026/certified_devices.csv'],
  ['catalogue', 'google-play-console-catalog-2025/android-devices-catalog.csv'],
  ['catalogue', 'appledb-devices/devices.json', '--groups', join(data, 'appledb-devices/device_groups.json')],
  ['catalogue', 'lineageos-devices/devices.json'],
  ['tac', 'osmocom-tacdb/tacdb.csv'],
  ['tac', 'samsung-tacs-bifrost/tacs.csv'],
  ['tac', `${lists}/gsma__gsma_dump_small_july_2016.txt`],
  ['tac', `${lists}/gsma__gsma_dump_InvalidTac_july_2016.txt`],
  ['tac', `${lists}/gsma__gsma_dump_malformeddate_2016.txt`],
  ['tac', `${lists}/gsma__gsma_escaped_quotes.txt`],
  ['tac', `${lists}/gsma__sample_gsma_import_list_anonymized.txt`],
  ...[
    'stolen_list__sample_stolen_list.csv',
    'stolen_list__sample_stolen_list_duplicate.csv',
    'stolen_list__sample_stolen_list_normalize.csv',
    'stolen_list__sample_stolen_list_v1.csv',
    'stolen_list__stolen_list_hexpound.csv',
    'stolen_list__stolen_list_hexpound_bad_symbol.csv',
    'stolen_list__stolen_list_missingheader.csv',
    'stolen_list__testData1-sample_stolen_list-anonymized.csv',
    'lsds__StolenFullList08-26-2019T163616.csv',
    'lsds__StolenDeltaList08-26-2019T164504.csv',
    'barred_list__sample_barred_list.csv',
    'barred_tac_list__sample_barred_tac_list.csv',
    'registration_list__sample_registration_list.csv',
    'pairing_list__sample_pairinglist.csv',
    'golden_list__sample_golden_list.csv',
  ].map((name) => ['lists', `${lists}/${name}`, '--list', name.replace(/\.csv$/, '')] as const),
]

const CHANGES = ['devices_new', 'devices_changed', 'variants_new', 'facts_changed', 'cleared']

for (const [format, file, ...options] of IMPORTS) {
  const imported = await runProgram(['import', format, join(data, file), ...options, '--json'], environment)
  if (imported.code !== 0) {
    console.log(`${format} ${file}: rejected: ${imported.stderr.trim().split('\n').at(-1)?.replace(data, '')}`)
    continue
  }
  const { dryRun: _dry, report: _report, rejectedBy, remarks, ...figures } = JSON.parse(imported.stdout)
  const formatCounts = (counts: Record<string, number>) =>
    Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  console.log(`${format} ${file}: ${formatCounts(figures).join(', ')}`)
  for (const line of formatCounts(rejectedBy)) console.log(`    rejected: ${line}`)
  for (const line of formatCounts(remarks)) console.log(`    remark: ${line}`)
  const repeated = JSON.parse(
    (await runProgram(['import', format, join(data, file), ...options, '--json'], environment)).stdout,
  )
  const changed = CHANGES.reduce((sum, figure) => sum + (repeated[figure] ?? 0), 0)
  console.log(`    repeated: ${changed} changes`)
  if (changed > 0) process.exitCode = 1
}
console.log((await runProgram(['status'], environment)).stdout)
if (process.argv.includes('--keep')) console.log(scratch)
else rmSync(scratch, { recursive: true, force: true })
