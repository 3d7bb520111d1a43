import { expect, test } from 'bun:test'
import { filledDataDir, type RunningProgram, runProgram, shownKeys, startProgram } from '../support/program.ts'
import { waitUntil } from '../support/wait.ts'

test('two servers started together on one folder lose nothing, and each sees the changes of the other', async () => {
  const dataDir = filledDataDir('small')
  const settings = { DATA_DIR: dataDir, RATE_LIMIT_ENTERPRISE: '1000000' }
  const programs = await Promise.all([startProgram(settings), startProgram(settings)])
  const shown = programs.map((program) => shownKeys(program.stderr()).enterprise).filter(Boolean)
  // One first start, not two: otherwise there would be two organizations.
  expect(shown).toHaveLength(1)
  const key = shown[0] as string
  const call = (program: RunningProgram, path: string, json?: unknown) =>
    fetch(program.url + path, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: json === undefined ? undefined : JSON.stringify(json),
    })

  const acknowledged: string[] = []
  await Promise.all(
    programs.flatMap((program) =>
      Array.from({ length: 5 }, async () => {
        for (let sent = 0; sent < 12; sent++) {
          const response = await call(program, '/api/imei', { identifier: '490154203237518' })
          expect(response.status).toBe(200)
          acknowledged.push(((await response.json()) as { data: { lookup_id: string } }).data.lookup_id)
        }
      }),
    ),
  )
  for (const program of programs) {
    const kept = new Set<string>()
    for (let page = 1; page <= 2; page++) {
      const history = await call(program, `/api/imei?limit=100&page=${page}`)
      for (const { lookup_id } of ((await history.json()) as { data: { lookup_id: string }[] }).data)
        kept.add(lookup_id)
    }
    expect(acknowledged.filter((id) => !kept.has(id))).toEqual([])
  }

  const organizations = JSON.parse((await runProgram(['org', 'list', '--json'], settings)).stdout)
  expect(organizations).toHaveLength(1)
  const keys = JSON.parse((await runProgram(['key', 'list', '--org', organizations[0].id, '--json'], settings)).stdout)
  const enterprise = keys.find((one: { tier: string }) => one.tier === 'enterprise')
  expect((await runProgram(['key', 'revoke', enterprise.id], settings)).code).toBe(0)
  for (const program of programs) {
    await waitUntil(async () => (await call(program, '/api/devices')).status === 401, {
      describe: 'the revoked key to be rejected',
    })
  }
  for (const program of programs) expect(await program.stop()).toBe(0)
})
