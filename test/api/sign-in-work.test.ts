import { expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountStore } from '../../src/account/store.ts'
import { browserSession, member } from '../support/browser-session.ts'
import { OPERATOR, startService } from '../support/service.ts'

const ROUNDS = 9

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** Processor time of this whole process, hashing threads included: unlike the clock it does not see other programs. */
async function workOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

// If an address that nobody has were refused without hashing, the time alone would tell who has an account here.
test('a wrong password costs the same work whether the address is known, unknown or has no password yet', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'di-work-'))
  const service = await startService({ url: '', dataDir: folder }, { SAMPLE_DATA: 'off' })
  const { organizationId } = service
  const addresses = {
    known: [] as string[],
    invited: Array.from({ length: ROUNDS }, (_, at) => `invited-${at}@example.test`),
    unknown: Array.from({ length: ROUNDS }, (_, at) => `unknown-${at}@example.test`),
  }
  for (let at = 0; at < ROUNDS; at++) addresses.known.push((await member(service, organizationId, 'member')).email)
  for (const email of addresses.invited) {
    await accountStore(service.app.db).addMember(organizationId, { email, role: 'member' }, OPERATOR, Date.now())
  }
  const signIn = async (email: string) => {
    const { status } = await browserSession(service).post('/account/sign-in', { email, password: 'not the password' })
    expect(status).toBe(401)
  }
  await signIn('first-of-all@example.test')
  // Side by side, round after round, so that whatever else the process does falls on all of them alike.
  const work = { known: [] as number[], invited: [] as number[], unknown: [] as number[] }
  for (let at = 0; at < ROUNDS; at++) {
    for (const kind of ['known', 'invited', 'unknown'] as const) {
      work[kind].push(await workOf(() => signIn(addresses[kind][at] as string)))
    }
  }
  const hash = await Bun.password.hash('whatever', { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 })
  const hashing: number[] = []
  for (let at = 0; at < ROUNDS; at++) hashing.push(await workOf(() => Bun.password.verify('not it', hash)))
  await service.stop()
  rmSync(folder, { recursive: true })

  const known = median(work.known)
  for (const other of [median(work.invited), median(work.unknown)]) {
    // One hashing more or less would be a factor of two.
    expect(other / known).toBeGreaterThan(0.6)
    expect(other / known).toBeLessThan(1.6)
    expect(other).toBeGreaterThan(median(hashing) * 0.6)
  }
}, 60_000)
