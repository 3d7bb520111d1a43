import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/database.ts'
import { fill } from '../support/filled-database.ts'
import { postgresBinaries } from '../support/postgres.ts'
import { runProgram, startProgram } from '../support/program.ts'
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts'
import { waitUntil } from '../support/wait.ts'

const LOOKUPS = 100

if (!postgresBinaries()) console.warn('No PostgreSQL here: several hosts are left out.')

/** The standby first, so that the order of the list decides nothing. */
const address = ({ ports }: ReplicatedPostgres, more = '') =>
  `postgres://postgres@127.0.0.1:${ports.standby},127.0.0.1:${ports.primary}/postgres?target_session_attrs=read-write${more}`

/** Sends identifier checks to the real program until it is stopped; keeps which of them were acknowledged. */
async function underLoad(servers: ReplicatedPostgres) {
  const settings = {
    DATABASE_URL: address(servers),
    DATA_DIR: join(servers.folder, 'service'),
    SAMPLE_DATA: 'off',
    RATE_LIMIT_ENTERPRISE: '10000000',
  }
  await fill({ url: settings.DATABASE_URL, dataDir: settings.DATA_DIR }, 'small')
  const program = await startProgram(settings)
  const organization = (await runProgram(['org', 'create', 'Several hosts'], settings)).stdout.trim()
  const created = await runProgram(['key', 'create', '--org', organization, '--tier', 'enterprise'], settings)
  const headers = { Authorization: `Bearer ${created.stdout.trim()}`, 'Content-Type': 'application/json' }
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let isOver = false
  let sent = 0
  const senders = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const body = JSON.stringify({ identifier: String(35_000_000_000_000 + sent++ * 7_919) })
      const response = await fetch(`${program.url}/api/imei`, { method: 'POST', headers, body })
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1)
      const text = await response.text()
      if (response.status === 200) acknowledged.push(JSON.parse(text).data.lookup_id)
      else await Bun.sleep(10)
    }
  })
  const more = async (when: string) => {
    const target = acknowledged.length + LOOKUPS
    await waitUntil(() => acknowledged.length >= target, { describe: `${LOOKUPS} lookups ${when}` })
  }
  return {
    acknowledged,
    statuses,
    more,
    async stop() {
      isOver = true
      await Promise.all(senders)
      expect(await program.stop()).toBe(0)
    },
  }
}

describe.skipIf(!postgresBinaries())('DATABASE_URL with a primary and its standby', () => {
  let servers: ReplicatedPostgres
  beforeAll(async () => {
    servers = (await startReplicatedPostgres()) as ReplicatedPostgres
  }, 240_000)
  afterAll(() => servers.stop(), 240_000)

  test('the primary is used, wherever it is in the list; with standbys only nothing opens', async () => {
    const db = await openDatabase({ url: address(servers), dataDir: '' })
    await db.transaction((tx) => db.announceChange(tx, 'jobs'))
    await db.close()
    const standby = `postgres://postgres@127.0.0.1:${servers.ports.standby}/postgres?target_session_attrs=read-write`
    expect(openDatabase({ url: standby, dataDir: '' })).rejects.toThrow('is read-only, for example a standby')
  })

  test('a commit whose wait for the standby was cancelled is an error, although PostgreSQL gives only a warning', async () => {
    const db = await openDatabase({ url: address(servers, '&query_timeout=60000'), dataDir: '', workload: 'server' })
    const psql = (query: string) => servers.shell('primary', `psql -Atqc "${query}"`)
    const setStandby = async (name: string) => {
      await psql(`alter system set synchronous_standby_names = '${name}'`)
      await psql('select pg_reload_conf()')
    }
    try {
      await setStandby('nobody')
      const outcome = db
        .transaction((tx) => db.announceChange(tx, 'jobs'))
        .then(
          () => 'acknowledged',
          (error) => String(error),
        )
      const cancel = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"
      await waitUntil(async () => (await psql(cancel)) !== '', { describe: 'a commit that waits for the standby' })
      expect(await outcome).toContain('the standby has not confirmed the commit')
    } finally {
      await setStandby('standby')
      await db.close()
    }
  })

  test('the certificate of a client is its password, on every host', async () => {
    const { folder, shell } = servers
    await shell(
      'primary',
      `cd ${folder}
       openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=authority -keyout ca.key -out ca.pem 2> /dev/null
       for name in server shop; do
         openssl req -newkey rsa:2048 -nodes -subj /CN=$name -keyout $name.key -out $name.csr 2> /dev/null
         echo subjectAltName=IP:127.0.0.1 > names
         openssl x509 -req -in $name.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out $name.pem 2> /dev/null
       done
       psql -qc 'create role shop superuser login'
       printf 'hostssl all shop 127.0.0.1/32 cert\\nhost all shop 127.0.0.1/32 reject\\n' | cat - $PGDATA/pg_hba.conf > hba
       for data in primary standby; do
         cp hba ${folder}/$data/pg_hba.conf
         printf "ssl = on\\nssl_ca_file = '${folder}/ca.pem'\\nssl_cert_file = '${folder}/server.pem'\\nssl_key_file = '${folder}/server.key'\\n" >> ${folder}/$data/postgresql.conf
         kill -HUP $(head -1 ${folder}/$data/postmaster.pid)
       done`,
    )
    const { ports } = servers
    const url = `postgres://shop@127.0.0.1:${ports.standby},127.0.0.1:${ports.primary}/postgres?sslmode=verify-full&sslrootcert=${folder}/ca.pem`
    const withCertificate = `${url}&sslcert=${folder}/shop.pem&sslkey=${folder}/shop.key`
    const opens = async (address: string) => {
      const db = await openDatabase({ url: address, dataDir: '' })
      await db.transaction((tx) => db.announceChange(tx, 'jobs'))
      await db.close()
    }
    // The servers read their settings again soon after the signal.
    await waitUntil(
      () =>
        opens(withCertificate).then(
          () => true,
          () => false,
        ),
      { describe: 'TLS to be on' },
    )
    expect(opens(url)).rejects.toThrow()
  })

  test('two servers accept writes: what is acknowledged is on the promoted one, and the process moves there', async () => {
    const load = await underLoad(servers)
    await load.more('before the promotion')
    // The primary keeps running, as if the network between the machines were cut.
    await servers.promote()
    await load.more('on the new primary')
    await load.stop()
    const stored = new Set((await servers.shell('standby', `psql -Atc 'select id from lookup'`)).split('\n'))
    expect(load.acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    console.log(
      `two primaries: ${load.acknowledged.length} acknowledged, 0 lost; responses ${JSON.stringify([...load.statuses])}`,
    )
  }, 240_000)
})

describe.skipIf(!postgresBinaries())('the machine of the primary is lost', () => {
  let servers: ReplicatedPostgres
  beforeAll(async () => {
    servers = (await startReplicatedPostgres()) as ReplicatedPostgres
  }, 240_000)
  afterAll(() => servers.stop(), 240_000)

  test('the promoted standby is used without a change of settings, and has every acknowledged lookup', async () => {
    const load = await underLoad(servers)
    await load.more('before the failover')
    await servers.killPrimary()
    await servers.promote()
    await load.more('after the failover')
    await load.stop()
    const stored = new Set((await servers.shell('standby', `psql -Atc 'select id from lookup'`)).split('\n'))
    expect(load.acknowledged.filter((id) => !stored.has(id))).toEqual([])
    expect([...load.statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
    console.log(
      `failover: ${load.acknowledged.length} acknowledged, 0 lost; responses ${JSON.stringify([...load.statuses])}`,
    )
  }, 240_000)
})
