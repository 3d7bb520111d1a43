import { afterAll, beforeAll, expect, test } from 'bun:test'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const VARIANT = 'apple-iphone-13-128gb-midnight'
const WATCHED = '356938035643809'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    const limits = { maxWatchesPerOrganization: 102, maxSharesPerOrganization: 22 }
    service = await startService(await store.open(), { SAMPLE_DATA: 'off' }, limits)
  })
  afterAll(() => service.stop())

  test('watches are limited per subject and per organization: one more is 409, an update is not', async () => {
    const [{ keys }, other] = [await service.newOrganization('Watcher'), await service.newOrganization('Other')]
    const watch = (json: object, key = keys.enterprise) => service.ask('/api/watches', { key, json })
    const statuses: number[] = []
    for (let at = 0; at < 100; at++) statuses.push((await watch({ identifier: WATCHED, reference: `r${at}` })).status)
    expect(new Set(statuses)).toEqual(new Set([200]))
    const perSubject = await watch({ identifier: WATCHED, reference: 'one more' })
    expect([perSubject.status, perSubject.body.error.code, perSubject.body.error.message]).toEqual([
      409,
      'LIMIT_REACHED',
      'A subject can have at most 100 watches. End a watch of it first.',
    ])
    expect((await watch({ identifier: WATCHED, reference: 'r7', until: '2099-01-01' })).status).toBe(200)
    const { id } = (await watch({ variant_id: VARIANT })).body.data
    expect((await watch({ identifier: '354178036859789' })).status).toBe(200)
    const perOrganization = await watch({ identifier: '490154203237518' })
    expect([perOrganization.status, perOrganization.body.error.message]).toEqual([
      409,
      'Watches: 102 of 102 records are used. End a watch first.',
    ])
    expect((await watch({ variant_id: VARIANT, threshold_percent: 20 })).status).toBe(200)
    expect((await watch({ identifier: WATCHED }, other.keys.enterprise)).status).toBe(200)
    await service.ask(`/api/watches/${id}`, { key: keys.enterprise, method: 'DELETE' })
    expect((await watch({ identifier: '490154203237518' })).status).toBe(200)
  })

  test('share codes in use are limited per appraisal and per organization: one more is 409, until one is revoked', async () => {
    const { organizationId, keys } = await service.newOrganization('Sharer')
    const owner = await member(service, organizationId, 'owner')
    const appraise = async (): Promise<string> =>
      (await service.ask('/api/appraisals', { key: keys.paid, json: { variant_id: VARIANT, condition: 'Good' } })).body
        .data.appraisal_id
    const share = (id: string) => owner.post(`/api/appraisals/${id}/shares`, { facts: ['device'] })
    const [first, second] = [await appraise(), await appraise()]
    const shared = []
    for (let at = 0; at < 20; at++) shared.push((await share(first)).body.data.share.share_id)
    const perAppraisal = await share(first)
    expect([perAppraisal.status, perAppraisal.body.error.code]).toEqual([409, 'LIMIT_REACHED'])
    expect(perAppraisal.body.error.message).toBe(
      'An appraisal can have at most 20 codes in use. Revoke a code of it first.',
    )
    expect([(await share(second)).status, (await share(second)).status]).toEqual([200, 200])
    const perOrganization = await share(second)
    expect([perOrganization.status, perOrganization.body.error.message]).toEqual([
      409,
      'Share codes in use: 22 of 22 records are used. Revoke a code first.',
    ])
    expect((await owner.send('DELETE', `/api/appraisals/${first}/shares/${shared[0]}`)).status).toBe(200)
    expect((await share(second)).status).toBe(200)
  })
})
