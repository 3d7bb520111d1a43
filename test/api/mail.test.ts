import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eventStore } from '../../src/events/event-store.ts'
import { startAlertMail } from '../../src/mail/alert-mail-service.ts'
import { alertStore } from '../../src/mail/alert-store.ts'
import { describeAlert } from '../../src/mail/event-alerts.ts'
import type { Mail } from '../../src/mail/mail.ts'
import { browserSession, member, PASSWORD } from '../support/browser-session.ts'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

const FROM = 'Shop <noreply@shop.example>'

onDatabaseOfSuite((store) => {
  let server: Awaited<ReturnType<typeof startMailServer>>
  let service: TestService
  let owner: Awaited<ReturnType<typeof member>>
  beforeAll(async () => {
    server = await startMailServer()
    service = await startService(await store.open(), { SMTP_URL: `${server.url}?from=${encodeURIComponent(FROM)}` })
    owner = await member(service, service.organizationId, 'owner')
  })
  afterAll(async () => {
    await service.stop()
    await server.stop()
  })
  const mailTo = (email: string, subject: string) =>
    waitUntil(
      () => server.received.find((mail) => mail.to[0] === email && mail.headers.get('subject')?.includes(subject)),
      { describe: `mail "${subject}" to ${email}` },
    )
  const linkIn = ({ source }: ReceivedMail) => /join#([\w-]+)/.exec(source)?.[1] ?? ''

  test('an invitation is mailed and its link works', async () => {
    const email = 'invited@example.test'
    const invited = await owner.post('/api/manage/invitations', { email, role: 'clerk' })
    expect(invited.body.data.mailed).toBe(true)
    const token = linkIn(await mailTo(email, 'Invitation to'))
    const guest = browserSession(service)
    expect((await guest.post('/account/link/use', { token, name: 'Guest', password: PASSWORD })).status).toBe(200)
  })

  test('mail is in the language of the person, else in that of the organization', async () => {
    const { organizationId } = await service.newOrganization('Laden')
    const boss = await member(service, organizationId, 'owner')
    const french = await member(service, organizationId, 'manager')
    await french.send('PATCH', '/account/profile', { language: 'fr' })
    const { receipt: details } = (await boss.get('/api/manage/settings')).body.data
    expect((await boss.send('PATCH', '/api/manage/settings', { receipt: { ...details, language: 'de' } })).status).toBe(
      200,
    )
    await boss.post('/api/manage/invitations', { email: 'neu@example.test', role: 'clerk' })
    const { source } = await mailTo('neu@example.test', 'Einladung zu Laden')
    expect(source).toContain('Ihre Rolle: Mitarbeiter')
    expect(source).toContain('lang="de"')
    const { people } = await alertStore(service.app.db).recipients(organizationId, 'manager')
    expect(people.toSorted((left, right) => left.language.localeCompare(right.language))).toEqual([
      { email: boss.email, language: 'de' },
      { email: french.email, language: 'fr' },
    ])
    const alert = describeAlert(
      'key.expiring',
      '{"name":"Kasse","last_four":"abcd","expires_at":"2026-12-01T00:00:00Z"}',
    )
    expect(alert?.text('de')).toBe('Der API-Schlüssel „Kasse“ (…abcd) läuft am 2026-12-01 ab.')
  })

  test('a forgotten password is reset by a mailed link; the response is the same without an account', async () => {
    const person = await member(service, service.organizationId, 'clerk')
    const visitor = browserSession(service)
    for (const email of ['nobody@example.test', person.email]) {
      const { status, body } = await visitor.post('/account/forgot-password', { email })
      expect({ status, data: body.data }).toEqual({ status: 200, data: { done: true } })
    }
    const token = linkIn(await mailTo(person.email, 'Choose a new password'))
    expect((await visitor.post('/account/link/use', { token, password: 'seven purple tractors' })).status).toBe(200)
    await mailTo(person.email, 'Your account was changed')
    expect(server.received.filter(({ to }) => to[0] === 'nobody@example.test')).toEqual([])
  })

  test('a forgotten password is one message with a link for each account of the address', async () => {
    const { organizationId } = await service.newOrganization('Second shop')
    const person = await member(service, service.organizationId, 'clerk')
    await member(service, organizationId, 'clerk', person.email)
    await browserSession(service).post('/account/forgot-password', { email: person.email })
    const { source } = await mailTo(person.email, 'Choose a new password')
    const tokens = new Set([...source.matchAll(/join#([\w-]+)/g)].map(([, token]) => token))
    expect(tokens.size).toBe(2)
    const organizations: string[] = []
    for (const token of tokens) {
      const { data } = (await browserSession(service).post('/account/link', { token })).body
      expect(data).toMatchObject({ purpose: 'password_reset', email: person.email })
      organizations.push(data.organization)
    }
    expect(organizations.sort()).toEqual(['Second shop', 'Test'])
  })

  test('a new address needs the password and the link that is mailed to it; identities and other sessions end', async () => {
    const person = await member(service, service.organizationId, 'clerk')
    const phone = browserSession(service)
    await phone.post('/account/sign-in', { email: person.email, password: PASSWORD })
    const { id } = (await person.get('/account/session')).body.data.person
    const identity = { organization_id: service.organizationId, issuer: 'https://i', subject: id, account_id: id }
    await service.app.db.transaction((tx) =>
      tx
        .insertInto('oidc_identity')
        .values({ ...identity, created_at: 1 })
        .execute(),
    )
    const email = `moved-${person.email}`
    expect((await person.send('PATCH', '/account/profile', { email, password: 'wrong' })).status).toBe(403)
    expect((await person.send('PATCH', '/account/profile', { email, password: PASSWORD })).status).toBe(200)
    expect((await person.get('/account/session')).body.data.person.email).toBe(person.email)
    const token = linkIn(await mailTo(email, 'Confirm your new address'))
    // It sets no password.
    expect((await browserSession(service).post('/account/link/use', { token, password: PASSWORD })).status).toBe(404)
    expect((await person.post('/account/link/use', { token })).status).toBe(200)
    expect((await person.get('/account/session')).body.data.person.email).toBe(email)
    expect((await phone.get('/account/session')).status).toBe(401)
    expect((await person.post('/account/link/use', { token })).status).toBe(404)
    const told = await mailTo(person.email, 'Your account was changed')
    expect(told.source).toContain(email)
    const identities = service.app.db.query.selectFrom('oidc_identity').select('issuer').where('account_id', '=', id)
    expect(await identities.execute()).toEqual([])
    const trail = (await owner.get('/api/manage/audit')).body.data
    expect(trail[0]).toMatchObject({ action: 'person.email_changed', subject: email, detail: { before: person.email } })
  })

  test('an address that has an account in the organization cannot be taken', async () => {
    const person = await member(service, service.organizationId, 'clerk')
    const late = await member(service, service.organizationId, 'clerk')
    expect((await person.send('PATCH', '/account/profile', { email: late.email, password: PASSWORD })).status).toBe(200)
    const token = linkIn(await mailTo(late.email, 'Confirm your new address'))
    expect((await browserSession(service).post('/account/link/use', { token })).status).toBe(400)
  })

  test('a sign-in with a new browser is reported to the person, one with a known browser is not', async () => {
    const person = await member(service, service.organizationId, 'clerk')
    const reports = () =>
      server.received.filter(
        (mail) => mail.to[0] === person.email && mail.headers.get('subject')?.includes('New sign-in'),
      ).length
    const browser = browserSession(service)
    const credentials = { email: person.email, password: PASSWORD }
    expect((await browser.post('/account/sign-in', credentials)).status).toBe(200)
    await mailTo(person.email, 'New sign-in')
    expect((await browser.post('/account/sign-in', credentials)).status).toBe(200)
    await owner.post('/api/manage/invitations', { email: 'after@example.test', role: 'clerk' })
    await mailTo('after@example.test', 'Invitation to')
    expect(reports()).toBe(1)
  })

  test('alerts go to the people they concern, once, in one message', async () => {
    const { organizationId } = await service.newOrganization('Alerts')
    const boss = await member(service, organizationId, 'owner')
    const manager = await member(service, organizationId, 'manager')
    const clerk = await member(service, organizationId, 'clerk')
    const { db } = service.app
    const sent: Mail[] = []
    const changes: (() => void)[] = []
    const stop = startAlertMail({
      store: alertStore(db),
      onChange(react) {
        changes.push(react)
        return () => {}
      },
      send: (mail) => sent.push(mail),
      dashboardUrl: 'https://shop.example/dashboard',
      onError: (error) => expect(error).toBeUndefined(),
      collectMs: 1,
    })
    const isAtStart = async () =>
      (await db.query.selectFrom('setting').selectAll().where('name', '=', 'mail_alerts_position').execute()).length > 0
    await waitUntil(isAtStart, { describe: 'the first position' })
    const webhook = { webhook_id: 'whk_1', url: 'https://shop.example/hook', reason: 'It failed for three days.' }
    const price = {
      watch_id: 'wat_1',
      reference: null,
      variant_id: 'apple-iphone-13-128gb-midnight',
      condition: 'Good',
      previous_price: 30_000,
      current_price: 27_000,
      change_percent: -10,
      currency: 'USD',
    } as const
    const shared = { organizationId, createdAt: Date.now() }
    await eventStore(db).write([
      { ...shared, type: 'webhook.disabled', subject: 'webhook whk_1', data: webhook },
      { ...shared, type: 'price.changed', subject: 'variant', data: price },
    ])
    for (const react of changes) react()
    await waitUntil(() => sent.length >= 3, { describe: 'alerts' })
    const found = sent.map(({ to, text }) => [
      to,
      /webhook/.test(text),
      /from \$300\.00 to \$270\.00 \(-10 %\)/.test(text),
    ])
    expect(found.toSorted()).toEqual(
      [
        [boss.email, true, false],
        [boss.email, false, true],
        [manager.email, false, true],
      ].toSorted(),
    )
    expect(sent.some(({ to }) => to === clerk.email)).toBe(false)
    await stop()
    expect((await alertStore(db).takeEvents()).events).toEqual([])
  })
})
