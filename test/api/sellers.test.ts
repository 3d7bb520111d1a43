import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { SellerEntryWire } from '../../src/contract/sellers.ts'
import { CORRECTION_MINUTES, RECEIPT_HOURS } from '../../src/contract/sellers.ts'
import { CIPHERTEXT_PREFIX } from '../../src/lib/encryption.ts'
import { DAY_MS, dayOf, HOUR_MS, MINUTE_MS } from '../../src/lib/time.ts'
import { deleteExpiredSellers } from '../../src/stock/seller-store.ts'
import { member } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { startService, type TestService } from '../support/service.ts'

const PHONE = 'apple-iphone-13-128gb-midnight'
const TODAY = dayOf(Date.now())
const PIXEL = 'data:image/png;base64,iVBORw0KGgo='
const PHOTO = `data:image/jpeg;base64,${'A'.repeat(1_000)}`
const ADA = {
  name: 'Ada Łovelace',
  address: '1 High Street, Exampleton',
  id_kind: 'id_card',
  id_number: 'L01X 00T47',
  date_of_birth: '1990-12-31',
  signature: PIXEL,
  photos: [{ kind: 'id', image: PHOTO }],
  payout: { method: 'cash', reference: 'R-1' },
}

onDatabaseOfSuite((store) => {
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  let manager: Awaited<ReturnType<typeof member>>
  let clerk: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    service = await startService(await store.open())
    owner = await member(service, service.organizationId, 'owner')
    manager = await member(service, service.organizationId, 'manager')
    clerk = await member(service, service.organizationId, 'clerk')
  })
  afterAll(() => service.stop())

  const settings = (json: object) => owner.send('PATCH', '/api/manage/settings', json)
  const appraise = async (): Promise<string> =>
    (await clerk.post('/api/appraisals', { variant_id: PHONE, condition: 'Good' })).body.data.appraisal_id
  const buy = async (seller: object | undefined) => {
    const id = await appraise()
    const json = { status: 'bought', price: 12_000, confirm_amount: true, seller }
    return { id, ...(await clerk.post(`/api/appraisals/${id}/outcome`, json)) }
  }
  const list = async (query = ''): Promise<SellerEntryWire[]> => (await manager.get(`/api/sellers?${query}`)).body.data
  const rows = (table: 'seller_record' | 'seller_name', id: string) =>
    service.app.db.query.selectFrom(table).selectAll().where('appraisal_id', '=', id).orderBy('appraisal_id').execute()
  const photosOf = (id: string) =>
    service.app.db.query
      .selectFrom('seller_photo')
      .selectAll()
      .where('photos_id', 'in', (eb) =>
        eb
          .selectFrom('seller_record')
          .select('photos_id')
          .where('appraisal_id', '=', id)
          .$narrowType<{ photos_id: string }>(),
      )
      .execute()
  const allPhotos = () => service.app.db.query.selectFrom('seller_photo').select('photos_id').execute()
  /** The seller was recorded that long ago. */
  const age = async (id: string, ageMs: number) => {
    await service.app.db.transaction(async (tx) => {
      await tx
        .updateTable('seller_record')
        .set(({ eb }) => ({ created_at: eb('created_at', '-', ageMs) }))
        .where('appraisal_id', '=', id)
        .execute()
    })
  }
  const auditOf = async (id: string): Promise<{ action: string; who: string; detail: Record<string, string> }[]> => {
    const { body } = await owner.get('/api/manage/audit?kind=appraisal')
    return body.data.filter(({ subject }: { subject: string }) => subject === id)
  }
  const outcome = (caller: typeof clerk, id: string, seller: object) =>
    caller.post(`/api/appraisals/${id}/outcome`, { status: 'bought', price: 12_000, seller })

  test('nothing is recorded unless the organization turned it on, and only what it asks for', async () => {
    expect((await manager.get('/api/manage/settings')).body.data).toMatchObject({
      seller_record: 'off',
      seller_retention_days: null,
    })
    const off = await buy({ name: 'Ada' })
    expect([off.status, off.body.error.details[0].field]).toEqual([400, 'seller'])
    expect((await service.ask(`/api/appraisals/${off.id}`, { tier: 'paid' })).body.data.outcome).toBeNull()
    await settings({ seller_record: 'name' })
    const address = await buy({ name: 'Ada', address: 'x' })
    expect([address.status, address.body.error.details[0].field]).toEqual([400, 'seller.address'])
    expect((await buy({ name: 'Grace', payout: { method: 'transfer' } })).status).toBe(200)
    expect((await settings({ seller_record: 'full' })).body.data.seller_record).toBe('full')
    expect((await owner.get('/api/manage/audit?kind=organization')).text).toContain(
      'organization.seller_record_changed',
    )
  })

  describe('a seller', () => {
    test('is stored encrypted with the purchase, and read by managers and owners only', async () => {
      const { id, status, text } = await buy(ADA)
      expect(status).toBe(200)
      expect(text).not.toContain('ovelace')
      const [entry] = await list(`appraisal_id=${id}`)
      expect(entry).toMatchObject({
        appraisal_id: id,
        bought_on: TODAY,
        price: 12_000,
        name: 'Ada Łovelace',
        id_number: 'L01X 00T47',
        payout: { method: 'cash', reference: 'R-1' },
        photo_count: 1,
        created_by: { kind: 'person' },
        stock_number: expect.any(Number),
      })
      const [record] = await rows('seller_record', id)
      const [signature, photo] = await photosOf(id)
      for (const row of [record, signature, photo]) {
        expect((row as { document: string }).document.startsWith(CIPHERTEXT_PREFIX)).toBe(true)
        expect(JSON.stringify(row)).not.toMatch(/ovelace|L01X|AAAAAAAAAA/)
      }
      const person = await manager.get(`/api/sellers/${entry?.person_id}`)
      const [{ images }] = person.body.data.purchases
      expect(images.map(({ kind }: { kind: string }) => kind)).toEqual(['signature', 'id'])
      expect(person.text).not.toContain(PIXEL)
      const image = (imageId: string, caller = manager) =>
        caller.get(`/api/sellers/${entry?.person_id}/images/${imageId}`)
      const signed = await image(images[0].id)
      expect(signed.body.data).toEqual({ id: images[0].id, kind: 'signature', image: PIXEL })
      expect(signed.headers.get('cache-control')).toContain('private')
      expect((await image(images[1].id)).body.data.image).toBe(PHOTO)
      expect((await image(images[1].id, clerk)).status).toBe(403)
      expect((await image('img_0-0')).status).toBe(404)
      expect((await manager.get(`/api/sellers/somebody/images/${images[0].id}`)).status).toBe(404)
      expect((await owner.get('/api/manage/audit?kind=appraisal')).text).toContain('appraisal.seller_read')
      for (const path of ['/api/sellers', `/api/sellers/${entry?.person_id}`, '/api/sellers?format=csv'])
        expect((await clerk.get(path)).status).toBe(403)
      expect((await service.ask('/api/sellers', { tier: 'enterprise' })).status).toBe(403)
      expect(await list('from=2020-01-01&to=2020-12-31')).toEqual([])
    })

    test('is found by the words of the name, but only by those who may read sellers', async () => {
      const { id } = await buy({ ...ADA, name: 'Zoë Unusualname' })
      for (const [path, idField] of [
        ['/api/stock', 'id'],
        ['/api/appraisals', 'appraisal_id'],
      ] as const) {
        const idsOf = ({ body }: { body: { data: Record<string, string>[] } }) => body.data.map((each) => each[idField])
        const query = (q: string) => `${path}?q=${encodeURIComponent(q)}`
        for (const q of ['unusualname', 'ZOE unusualname', 'zoe iphone'])
          expect(idsOf(await manager.get(query(q)))).toEqual([id])
        expect(idsOf(await manager.get(query('zoe somebody')))).toEqual([])
        expect((await manager.get(`${query('unusualname')}&format=csv`)).text).toContain(id)
        expect(idsOf(await clerk.get(query('unusualname')))).toEqual([])
        expect(idsOf(await service.ask(query('unusualname'), { tier: 'enterprise' }))).toEqual([])
      }
      await clerk.send('DELETE', `/api/appraisals/${id}/outcome`)
      expect((await manager.get('/api/appraisals?q=unusualname')).body.data).toEqual([])
    })

    test('is corrected as a further version, and the earlier one stays in the register', async () => {
      const { id } = await buy(ADA)
      expect((await outcome(clerk, id, ADA)).status).toBe(200)
      expect(await list(`appraisal_id=${id}`)).toHaveLength(1)
      expect((await outcome(clerk, id, { ...ADA, name: 'Ada Byron' })).status).toBe(200)
      const versions = await list(`appraisal_id=${id}`)
      expect(versions).toMatchObject([
        { name: 'Ada Byron', version: 2, status: 'current', ended_at: null },
        { name: ADA.name, version: 1, status: 'replaced', ended_at: expect.any(String) },
      ])
      expect(await list(`appraisal_id=${id}&status=current`)).toMatchObject([{ name: 'Ada Byron' }])
      expect(await photosOf(id)).toHaveLength(4)
      const entries = await auditOf(id)
      expect(entries.filter(({ action }) => action.startsWith('appraisal.seller_'))).toMatchObject([
        { action: 'appraisal.seller_replaced', detail: { version: '2', person: 'same' } },
        { action: 'appraisal.seller_recorded', detail: { version: '1' } },
      ])
      expect(JSON.stringify(entries)).not.toMatch(/Byron|ovelace|L01X/)
      const sale = { status: 'sold', price: 20_000, confirm_amount: true }
      await clerk.post(`/api/appraisals/${id}/outcome`, sale)
      expect(await list(`appraisal_id=${id}&status=current`)).toHaveLength(1)
      const withSale = await clerk.post(`/api/appraisals/${id}/outcome`, { ...sale, seller: { name: 'x' } })
      expect([withSale.status, withSale.body.error.details[0].field]).toEqual([400, 'seller'])
    })

    test('is corrected by who recorded it for some minutes, then by a manager only', async () => {
      const { id } = await buy(ADA)
      const colleague = await member(service, service.organizationId, 'clerk')
      const refused = await outcome(colleague, id, { name: 'Not Ada' })
      expect([refused.status, refused.body.error.reason_code]).toEqual([403, 'seller_correction_over'])
      const paidKey = (seller: object) =>
        service.ask(`/api/appraisals/${id}/outcome`, {
          tier: 'paid',
          json: { status: 'bought', price: 12_000, seller },
        })
      expect((await paidKey({ name: 'By a key' })).status).toBe(403)
      expect((await outcome(clerk, id, { name: 'Ada Byron' })).status).toBe(200)
      await age(id, (CORRECTION_MINUTES + 1) * MINUTE_MS)
      expect((await outcome(clerk, id, { name: 'Somebody else' })).status).toBe(403)
      const changed = { status: 'bought', price: 11_900, seller: { name: 'Somebody else' } }
      expect((await clerk.post(`/api/appraisals/${id}/outcome`, changed)).status).toBe(403)
      expect(await list(`appraisal_id=${id}&status=current`)).toMatchObject([{ name: 'Ada Byron', price: 12_000 }])
      expect((await outcome(manager, id, { name: 'Ada King' })).status).toBe(200)
      expect((await list(`appraisal_id=${id}`)).map(({ name }) => name)).toEqual(['Ada King', 'Ada Byron', ADA.name])
    })

    test('stays in the register when the purchase is withdrawn, removed or declined', async () => {
      const withdraw: readonly ((id: string) => Promise<{ status: number }>)[] = [
        (id) => clerk.send('DELETE', `/api/appraisals/${id}/outcome`),
        (id) => clerk.post(`/api/appraisals/${id}/outcome`, { status: 'declined', declined_by: 'shop' }),
        (id) => manager.post('/api/appraisals/outcomes/batch', { items: [{ appraisal_id: id, status: 'declined' }] }),
      ]
      for (const way of withdraw) {
        const { id } = await buy(ADA)
        const number = (await clerk.get(`/api/stock/${id}`)).body.data.number
        expect((await way(id)).status).toBe(200)
        const [entry] = await list(`appraisal_id=${id}`)
        expect(entry).toMatchObject({ status: 'withdrawn', name: ADA.name, price: 12_000, bought_on: TODAY })
        expect(entry?.stock_number).toBe(number)
        expect(await list(`from=${TODAY}&to=${TODAY}&status=withdrawn&appraisal_id=${id}`)).toHaveLength(1)
        expect(await photosOf(id)).toHaveLength(2)
        expect(await rows('seller_name', id)).toEqual([])
        expect((await auditOf(id)).map(({ action }) => action)).toContain('appraisal.seller_withdrawn')
        const again = await clerk.post(`/api/appraisals/${id}/outcome`, {
          status: 'bought',
          price: 12_500,
          confirm_amount: true,
          seller: { name: 'Other Person' },
        })
        expect(again.status).toBe(200)
        expect(await list(`appraisal_id=${id}`)).toMatchObject([
          { name: 'Other Person', version: 2, status: 'current', price: 12_500 },
          { name: ADA.name, version: 1, status: 'withdrawn', price: 12_000 },
        ])
      }
      const { id } = await buy(undefined)
      await clerk.send('DELETE', `/api/appraisals/${id}/outcome`)
      expect((await auditOf(id)).map(({ action }) => action)).not.toContain('appraisal.seller_withdrawn')
    })

    test('follows a correction of the price, and versions replaced at once are all kept', async () => {
      const { id } = await buy(ADA)
      const corrected = { status: 'bought', price: 12_300, confirm_amount: true }
      expect((await clerk.post(`/api/appraisals/${id}/outcome`, corrected)).status).toBe(200)
      expect(await list(`appraisal_id=${id}`)).toMatchObject([{ price: 12_300, name: ADA.name }])
      const names = ['One', 'Two', 'Three', 'Four']
      const changes = names.map((name) =>
        manager.post(`/api/appraisals/${id}/outcome`, { ...corrected, seller: { name } }),
      )
      expect((await Promise.all(changes)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
      const versions = await list(`appraisal_id=${id}`)
      expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
      expect(new Set(versions.map(({ name }) => name))).toEqual(new Set([ADA.name, ...names]))
      expect(versions.filter(({ status }) => status === 'current')).toHaveLength(1)
    })

    test('is printed again by who recorded it on the same day, and every reading is recorded', async () => {
      const { id } = await buy(ADA)
      const colleague = await member(service, service.organizationId, 'clerk')
      const read = (caller: typeof clerk) => caller.get(`/api/appraisals/${id}/seller`)
      const { status, body } = await read(clerk)
      expect(status).toBe(200)
      expect(body.data).toEqual({
        kind: 'person',
        name: ADA.name,
        vat_number: null,
        address: ADA.address,
        id_kind: ADA.id_kind,
        id_number: ADA.id_number,
        date_of_birth: ADA.date_of_birth,
        payout: ADA.payout,
        signature: PIXEL,
      })
      expect((await read(colleague)).status).toBe(403)
      expect((await service.ask(`/api/appraisals/${id}/seller`, { tier: 'enterprise' })).status).toBe(403)
      expect((await read(manager)).status).toBe(200)
      await age(id, RECEIPT_HOURS * HOUR_MS + 1)
      expect((await read(clerk)).status).toBe(403)
      const { id: without } = await buy(undefined)
      expect((await clerk.get(`/api/appraisals/${without}/seller`)).status).toBe(404)
      expect((await owner.get('/api/manage/audit?kind=appraisal')).text).toContain('"purpose":"receipt"')
    })

    test('pages, however many purchases a person has', async () => {
      const carol = { name: 'Carol Pages', id_kind: 'passport', id_number: 'PAGES-1' }
      for (let n = 0; n < 3; n++) await buy({ ...carol, photos: ADA.photos })
      const [entry] = await list('limit=1')
      const first = await manager.get(`/api/sellers/${entry?.person_id}?limit=2`)
      expect(first.body.data.purchases).toHaveLength(2)
      expect(first.body.meta).toMatchObject({ has_next: true, limit: 2 })
      const rest = await manager.get(`/api/sellers/${entry?.person_id}?limit=2&after=${first.body.meta.next_after}`)
      expect(rest.body.data.purchases).toHaveLength(1)
      expect(rest.body.meta.has_next).toBe(false)
    })

    test('is the same person by the number of the document, and erased with all purchases', async () => {
      const bob = { name: 'Bob', id_kind: 'passport', id_number: 'P 123' }
      const ids = [(await buy(bob)).id, (await buy({ ...bob, name: 'Robert', id_number: 'p123' })).id]
      const [first, second] = await Promise.all(ids.map(async (id) => (await list(`appraisal_id=${id}`))[0]?.person_id))
      expect(first).toBe(second as string)
      expect((await manager.send('DELETE', `/api/sellers/${first}`)).status).toBe(403)
      const erased = await owner.send('DELETE', `/api/sellers/${first}`)
      expect(erased.body.data).toEqual({ person_id: first, purchases: 2 })
      expect((await owner.get(`/api/sellers/${first}`)).status).toBe(404)
      for (const id of ids) expect(await rows('seller_name', id)).toEqual([])
      expect((await clerk.get(`/api/stock/${ids[0]}`)).status).toBe(200)
    })

    test('is deleted after the days that the organization set', async () => {
      const { id } = await buy(ADA)
      const { organizationId } = await service.newOrganization('Keeps sellers')
      expect(organizationId).not.toBe(service.organizationId)
      await deleteExpiredSellers(service.app.db, Date.now() + 400 * DAY_MS)
      expect(await rows('seller_record', id)).toHaveLength(1)
      expect((await settings({ seller_retention_days: 365 })).body.data.seller_retention_days).toBe(365)
      await deleteExpiredSellers(service.app.db, Date.now() + 364 * DAY_MS)
      expect(await rows('seller_record', id)).toHaveLength(1)
      await deleteExpiredSellers(service.app.db, Date.now() + 366 * DAY_MS)
      expect(await rows('seller_record', id)).toEqual([])
      expect(await allPhotos()).toEqual([])
      await settings({ seller_retention_days: null })
    })

    test('is rejected with advice if a value is none', async () => {
      for (const [seller, field] of [
        [{}, 'seller.name'],
        [{ name: 'A', id_kind: 'library card' }, 'seller.id_kind'],
        [{ name: 'A', date_of_birth: '31.12.1990' }, 'seller.date_of_birth'],
        [{ name: 'A', signature: 'data:text/html;base64,AAAA' }, 'seller.signature'],
        [
          { name: 'A', photos: [{ kind: 'id', image: `data:image/jpeg;base64,${'A'.repeat(401_000)}` }] },
          'seller.photos.0.image',
        ],
        [{ name: 'A', photos: Array.from({ length: 5 }, () => ADA.photos[0]) }, 'seller.photos'],
        [{ name: 'A', payout: { method: 'bitcoin' } }, 'seller.payout.method'],
      ] as const) {
        const { status, body } = await buy(seller)
        expect([status, body.error.details[0].field]).toEqual([400, field])
      }
    })
  })

  describe('a purchase that is sent with its appraisal', () => {
    const purchase = { price: 12_000, confirm_amount: true, seller: ADA }
    const post = (more: object) => clerk.post('/api/appraisals', { variant_id: PHONE, condition: 'Good', ...more })

    test('is recorded with the stock item and the seller in one commit', async () => {
      const { status, body } = await post({ agreed_offer: 12_000, purchase })
      expect(status).toBe(200)
      const { appraisal_id: id, outcome } = body.data
      expect(outcome).toMatchObject({ status: 'bought', bought: { price: 12_000, currency: 'USD', date: TODAY } })
      expect((await clerk.get(`/api/appraisals/${id}`)).body.data.outcome).toEqual(outcome)
      expect((await clerk.get(`/api/stock/${id}`)).body.data).toMatchObject({
        status: 'in_stock',
        bought: outcome.bought,
      })
      expect(await list(`appraisal_id=${id}`)).toMatchObject([{ name: ADA.name, price: 12_000 }])
    })

    test('leaves nothing behind if it is rejected, and names the field', async () => {
      const total = async () => (await clerk.get('/api/appraisals?limit=1')).body.meta.total
      const before = await total()
      for (const [more, field] of [
        [{ purchase: { ...purchase, price: 'x' } }, 'purchase.price'],
        [{ purchase: { ...purchase, price: 99_999_999, confirm_amount: false } }, 'purchase.price'],
        [{ purchase: { ...purchase, seller: { name: '' } } }, 'purchase.seller.name'],
        [{ declined: true, purchase }, 'purchase'],
      ] as const) {
        const { status, body } = await post(more)
        expect([status, body.error.details[0].field]).toEqual([400, field])
      }
      await settings({ seller_record: 'name' })
      const tooMuch = await post({ purchase })
      expect([tooMuch.status, tooMuch.body.error.details[0].field]).toEqual([400, 'purchase.seller.address'])
      await settings({ seller_record: 'full' })
      expect(await total()).toBe(before)
    })

    test('is recorded once if it is sent again with its idempotency key', async () => {
      const json = {
        variant_id: PHONE,
        condition: 'Good',
        purchase: { price: 12_000, confirm_amount: true, seller: ADA },
      }
      const send = () =>
        service.ask('/api/appraisals', { tier: 'paid', json, headers: { 'Idempotency-Key': 'counter-1' } })
      const [first, again] = [await send(), await send()]
      expect(again.body.data).toEqual(first.body.data)
      expect(await list(`appraisal_id=${first.body.data.appraisal_id}`)).toHaveLength(1)
    })
  })

  test('sellers are recorded with outcomes in bulk, and a rejected one applies nothing of its row', async () => {
    const ids = await Promise.all(Array.from({ length: 3 }, appraise))
    const bought = { status: 'bought', price: 12_000, confirm_amount: true }
    const items = [
      {
        appraisal_id: ids[0],
        ...bought,
        seller: { name: 'Bulk One', payout: { method: 'transfer', reference: 'T-1' } },
      },
      { appraisal_id: ids[1], ...bought, seller: { name: 'Bulk Two' } },
      { appraisal_id: ids[1], status: 'declined', declined_by: 'customer' },
      { appraisal_id: ids[2], status: 'declined', seller: { name: 'Nobody' } },
    ]
    const { body } = await manager.post('/api/appraisals/outcomes/batch', { items })
    expect(body.data.map(({ success }: { success: boolean }) => success)).toEqual([true, true, true, false])
    expect(body.data[3].error.details[0].field).toBe('items[3].seller')
    expect(await list(`appraisal_id=${ids[0]}`)).toMatchObject([{ name: 'Bulk One', payout: { reference: 'T-1' } }])
    for (const id of ids.slice(1)) expect(await rows('seller_record', id ?? '')).toEqual([])
    await settings({ seller_record: 'name' })
    const full = { appraisal_id: ids[2], ...bought, seller: { name: 'Bulk Three', address: 'x' } }
    const rejected = await manager.post('/api/appraisals/outcomes/batch', { items: [full] })
    expect(rejected.body.data[0].error.details[0].field).toBe('items[0].seller.address')
    expect((await clerk.get(`/api/appraisals/${ids[2]}`)).body.data.outcome).toBeNull()
    await settings({ seller_record: 'full' })
  })

  test('the register is a CSV file for the authorities, and its export is in the audit trail', async () => {
    const { id } = await buy(ADA)
    const csv = (await manager.get(`/api/sellers?format=csv&from=${TODAY}&to=${TODAY}`)).text
    const [header, ...lines] = csv.split('\n')
    expect(header).toContain('Stock number,Bought on,Device,IMEI or serial number,Second IMEI,Price paid,Currency,Name')
    expect(lines.find((line) => line.includes(id))).toContain('1990-12-31,ID card,L01X 00T47,Cash,R-1,1,In force')
    const german = (await manager.get(`/api/sellers?format=csv&language=de`)).text
    expect(german).toContain('Bestandsnummer;Angekauft am')
    expect(german).toContain('Personalausweis;L01X 00T47;Bar;R-1;1;Gültig')
    expect(lines.find((line) => line.includes(id))).toContain('120,USD,Ada Łovelace')
    expect((await owner.get('/api/manage/audit?kind=appraisal')).text).toContain('appraisal.sellers_exported')
  })
})
