import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { member } from '../support/browser-session.ts'
import { startPostgres } from '../support/postgres.ts'
import { startService, type TestService } from '../support/service.ts'

const postgres = process.env.NO_POSTGRES ? undefined : await startPostgres()
const PHONE = 'apple-iphone-13-128gb-midnight'

/** A read-only copy of a database at one moment: a replica as old as the copy. */
async function copyOf(url: string): Promise<{ url: string; drop(): Promise<void> }> {
  const address = new URL(url)
  const name = address.pathname.slice(1)
  const copy = `${name}_replica`
  address.pathname = '/postgres'
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: address.href })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${copy} template ${name}`)
  await run(`alter database ${copy} set default_transaction_read_only = on`)
  return { url: new URL(`/${copy}`, url).href, drop: () => run(`drop database ${copy} with (force)`) }
}

async function lookupsIn(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select count(*)::int as total from lookup')
  await client.end()
  return rows[0].total
}

if (postgres) {
  describe('with DATABASE_REPLICA_URL', () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'di-test-'))
    let primary = ''
    let replica: Awaited<ReturnType<typeof copyOf>>
    let service: TestService
    let owner: Awaited<ReturnType<typeof member>>
    let key = ''
    const lookup = async (of: TestService, identifier: string) => {
      const { status } = await of.ask('/api/imei', { key, json: { identifier } })
      expect(status).toBe(200)
    }
    const appraise = async (of: TestService, reference: string) => {
      const json = { variant_id: PHONE, condition: 'Good', reference }
      expect((await of.ask('/api/appraisals', { key, json })).status).toBe(200)
    }

    beforeAll(async () => {
      primary = await postgres.createDatabase(process.env.FILLED_POSTGRES)
      await using before = await startService({ url: primary, dataDir })
      const organization = await before.newOrganization('Replicated')
      key = organization.keys.enterprise
      await lookup(before, '490154203237518')
      await appraise(before, 'old')
      await before.stop()
      replica = await copyOf(primary)
      service = await startService({ url: primary, dataDir }, { DATABASE_REPLICA_URL: replica.url })
      owner = await member(service, organization.organizationId, 'owner')
      await lookup(service, '356938035643809')
      await appraise(service, 'new')
    })
    afterAll(async () => {
      await service.stop()
      rmSync(dataDir, { recursive: true, force: true })
    })

    test('writes go to the primary and never to the replica', async () => {
      expect(await lookupsIn(primary)).toBe(2)
      expect(await lookupsIn(replica.url)).toBe(1)
    })

    test('histories are read from the replica, with its lag', async () => {
      const lookups = await service.ask('/api/imei', { key })
      expect(lookups.body.data.map((one: { identifier: string }) => one.identifier)).toEqual(['490154203237518'])
      const appraisals = await service.ask('/api/appraisals', { key })
      expect(appraisals.body.data.map((one: { reference: string }) => one.reference)).toEqual(['old'])
    })

    test('exports are read from the replica too', async () => {
      const { text } = await owner.get('/account/lookups.csv')
      expect(text).toContain('490154203237518')
      expect(text).not.toContain('356938035643809')
    })

    test('a new key works at once: data that must be current is read from the primary', async () => {
      const { keys } = await service.newOrganization('Later than the replica')
      expect((await service.ask('/api/devices', { key: keys.public })).status).toBe(200)
    })

    test('while the replica is unavailable, the primary is used', async () => {
      await replica.drop()
      const { body } = await service.ask('/api/imei', { key })
      expect(body.meta.total).toBe(2)
    })
  })
}
