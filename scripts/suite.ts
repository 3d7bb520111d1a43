/**
 * `npm run test:faults` and `npm run test:attacks`: the tests of faults and attacks of both suites. With `--long` they run as
 * often and as long as test/README.md says, which takes hours. The environment (KILLS, STOPS, DOWN_SECONDS, POWER_CUTS,
 * SOAK_SECONDS, FUZZ) overrides either form.
 */
import { join } from 'node:path'

const SUITES: Readonly<Record<string, { readonly files: readonly string[]; readonly long: Record<string, string> }>> = {
  faults: {
    files: [
      'test/faults/',
      'test/api/unreadable-row',
      'test/process/lookup-durability',
      'test/process/first-start',
      'test/process/disk',
      'test/process/database-down',
      'test/process/postgres-failover',
      'test/process/stop',
      'test/process/shared-folder',
      'test/process/shared-limits',
      'src/lib/write-all',
      'test/process/feeds',
      'src/jobs/clock-check',
      'test/api/clock-jump',
      'src/auth/rate-limit/redis-',
    ],
    long: { KILLS: '1000', STOPS: '100', DOWN_SECONDS: '60', POWER_CUTS: '200', SOAK_SECONDS: '1800' },
  },
  attacks: {
    files: [
      'test/attacks/',
      'test/api/fuzz',
      'test/api/hostile-input',
      'test/api/tier-matrix',
      'test/api/people-limit',
      'test/process/slow-clients',
      'test/process/secrets',
      'test/process/behind-proxy',
      'src/http/server.test.ts',
      'src/events/webhook-call',
      'src/risk/sources/provider-service',
      'test/api/webhook-queue',
      'src/events/delivery-queue',
      'test/api/account-takeover',
      'test/api/observations',
      'src/pricing/model/source-weights',
      'test/api/rate-limits',
      'test/api/key-terms',
      'test/api/organization-limits',
      'test/api/event-tiers',
      'src/lib/public-address',
    ],
    long: { FUZZ: '100000' },
  },
}

const [name = '', ...options] = process.argv.slice(2)
const suite = SUITES[name]
if (!suite || options.some((option) => option !== '--long')) {
  console.error(`Usage: suite.ts ${Object.keys(SUITES).join('|')} [--long]`)
  process.exit(2)
}
const run = Bun.spawn([process.execPath, join(import.meta.dir, 'test.ts'), '--all', ...suite.files], {
  env: { ...(options.includes('--long') ? suite.long : {}), ...process.env },
  stdout: 'inherit',
  stderr: 'inherit',
})
process.exit(await run.exited)
