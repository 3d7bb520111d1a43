import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { onDatabaseOfSuite } from '../support/databases.ts'
import { openConnection, readResponses } from '../support/raw-http.ts'
import { startService, type TestService } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'

onDatabaseOfSuite((store) => {
  let service: TestService
  beforeAll(async () => {
    service = await startService(await store.open())
  })
  afterAll(() => service.stop())

  describe('a page that is not a positive integer means the default', () => {
    for (const sent of [
      '1e309',
      '-1',
      '0',
      '0x10',
      '%201%20',
      '1.5',
      '99999999999999999999',
      'abc',
      '',
      'NaN',
      '１',
      '1%00',
    ]) {
      test(`page=${sent} and limit=${sent}`, async () => {
        const { status, body } = await service.ask(`/api/devices?page=${sent}&limit=${sent}`, { tier: 'public' })
        expect(status).toBe(200)
        // A whole number, however long, is above the maximum and so becomes the maximum.
        expect(body.meta).toMatchObject({ page: 1, limit: /^\d{4,}$/.test(sent) ? 100 : 20 })
      })
    }
    test('page[]=2 is another parameter', async () => {
      expect((await service.ask('/api/devices?page[]=2', { tier: 'public' })).body.meta.page).toBe(1)
    })
    test('limit above the maximum is the maximum', async () => {
      expect((await service.ask('/api/devices?limit=101', { tier: 'public' })).body.meta.limit).toBe(100)
      expect((await service.ask('/api/devices?limit=9007199254740991', { tier: 'public' })).body.meta.limit).toBe(100)
    })
    test('the first of a repeated parameter counts', async () => {
      expect((await service.ask('/api/devices?limit=3&limit=7', { tier: 'public' })).body.meta.limit).toBe(3)
    })
  })

  describe('hostile text is harmless', () => {
    for (const sent of [
      '%00',
      '%zz',
      '%',
      '%ff%fe',
      '%ED%A0%80',
      '%F0%9F%93%B1',
      "';drop%20table%20device;--",
      '(a%2B)%2B%24',
      '.*'.repeat(60),
      'a'.repeat(5_000),
      '%25%5F',
      '__proto__',
      'constructor',
    ]) {
      for (const path of [
        '/api/devices?search=',
        '/api/devices?make=',
        '/api/variants?search=',
        '/api/variants?storage=',
        '/api/variants?device_id=',
      ]) {
        test(`${path}${sent.slice(0, 24)}`, async () => {
          expect((await service.ask(path + sent, { tier: 'public' })).status).toBe(200)
        })
      }
    }
    test('as an attribute name', async () => {
      for (const name of ['__proto__', 'constructor', '%00', 'toString', '%zz']) {
        expect((await service.ask(`/api/variants?${name}=x`, { tier: 'public' })).status).toBe(200)
      }
    })
  })

  describe('a body', () => {
    const post = (body: BodyInit, headers: Record<string, string> = { 'Content-Type': 'application/json' }) =>
      service.ask('/api/imei', { tier: 'enterprise', method: 'POST', body, headers })
    test('over 64 KiB is 413, declared', async () => {
      expect((await post(JSON.stringify({ identifier: 'x'.repeat(70_000) }))).status).toBe(413)
    })
    test('over 64 KiB, chunked, is 413 before it is read completely', async () => {
      const { status, sentBytes } = await chunked(service.url, service.keys.enterprise, 50_000_000)
      expect(status).toBe(413)
      expect(sentBytes).toBeLessThan(20_000_000)
    })
    test('of another media type is 415', async () => {
      expect((await post('{}', { 'Content-Type': 'text/plain' })).status).toBe(415)
      expect((await post('identifier=1', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(415)
    })
    for (const [why, text] of [
      ['empty', ''],
      ['broken', '{"identifier":'],
      ['with trailing text', '{} x'],
      ['with a duplicate key', '{"identifier":"1","identifier":"2"}'],
      ['nested too deep', `{"identifier":${'['.repeat(40)}${']'.repeat(40)}}`],
      ['with __proto__', '{"__proto__":{"tier":"enterprise"}}'],
      ['not UTF-8', new Uint8Array([0x22, 0xff, 0x22])],
    ] as const) {
      test(`that is ${why} is 400 with a message and a detail`, async () => {
        const { status, body } = await post(text)
        expect(status).toBe(400)
        expect(body.error.code).toBe('VALIDATION_ERROR')
        expect(body.error.details[0].field).toBe('body')
      })
    }
    test('that was rejected does not affect the next request', async () => {
      await post('{"__proto__":{"status":500}}')
      expect((await service.ask('/api/meta/conditions', { tier: 'public' })).status).toBe(200)
    })
  })

  describe('a spelling of the path', () => {
    for (const path of [
      '//api/imei',
      '/API/imei',
      '/api/imei/',
      '/api%2fimei',
      '/api/./imei%00',
      '/api/imei;x=1',
      '/api/imei%20',
      '/.env',
      '/api',
    ]) {
      test(`${path} never bypasses the key check`, async () => {
        const response = await fetch(service.url + path)
        expect([401, 404]).toContain(response.status)
        const body = (await response.json()) as { success: boolean }
        expect(body.success).toBe(false)
      })
    }
    for (const header of ['X-HTTP-Method-Override', 'X-Method-Override', 'X-Original-URL', 'X-Rewrite-URL']) {
      test(`${header} changes nothing`, async () => {
        const response = await service.ask('/api/imei', { headers: { [header]: 'GET' }, method: 'DELETE' })
        expect(response.status).toBe(405)
      })
    }
    for (const method of ['HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND']) {
      test(`${method} without a key is rejected`, async () => {
        const { status } = await raw(
          service.url,
          `${method} /api/devices HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
        )
        expect([400, 401, 405]).toContain(status)
      })
    }
  })

  describe('bytes that are not a request', () => {
    const key = () => `Authorization: Bearer ${service.keys.enterprise}`
    const lookup = '{"identifier":"490154203237518"}'
    for (const [why, text] of [
      ['nonsense', () => 'NONSENSE\r\n\r\n'],
      ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['a head without end', () => `GET / HTTP/1.1\r\n${'X-A: aaaaaaaaaaaaaaaa\r\n'.repeat(1_000)}`],
      ['a request line without end', () => `GET /${'a'.repeat(20_000)}`],
      [
        'a second request behind a length and chunks',
        () =>
          `POST /api/imei HTTP/1.1\r\nHost: a\r\n${key()}\r\nContent-Type: application/json\r\nContent-Length: ${lookup.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/imei HTTP/1.1\r\nHost: a\r\n${key()}\r\n\r\n`,
      ],
      [
        'a second request behind two lengths',
        () =>
          `POST /api/imei HTTP/1.1\r\nHost: a\r\n${key()}\r\nContent-Type: application/json\r\nContent-Length: 0\r\nContent-Length: 60\r\n\r\nGET /api/imei HTTP/1.1\r\nHost: a\r\n${key()}\r\n\r\n`,
      ],
      ['a header hidden behind a line feed', () => `GET /api/devices HTTP/1.1\r\nHost: a\r\nX-A: b\n${key()}\r\n\r\n`],
    ] as const) {
      test(`such as ${why} are rejected once, and the connection ends`, async () => {
        const { text: responses } = await raw(service.url, text())
        const [first, ...more] = readResponses(responses)
        expect(first?.status).toBeGreaterThanOrEqual(400)
        expect(first?.head).toContain('Connection: close')
        // The rest of the bytes on the connection was not parsed as a request.
        expect(more).toEqual([])
        expect(responses).not.toContain('"success":true')
      })
    }
  })

  test('three thousand pipelined requests of one caller do not block other callers', async () => {
    const one = `GET /api/devices?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.keys.public}\r\n\r\n`
    const connected = Promise.withResolvers<void>()
    const other = openConnection(service.url, () => connected.resolve())
    await connected.promise
    const flood = openConnection(service.url, (socket) => socket.write(one.repeat(3_000)))
    let isClosed = false
    flood.closed.then(() => {
      isClosed = true
    })
    const answers = () => readResponses(flood.received())
    const answeredBefore = Promise.withResolvers<number>()
    flood.socket.once('data', () => other.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'))
    other.socket.once('data', () => answeredBefore.resolve(answers().length))
    expect(await answeredBefore.promise).toBeLessThan(3_000)
    // The server may close the connection of a caller that sends without reading; all responses up to then are correct.
    await waitUntil(() => answers().length === 3_000 || isClosed, {
      describe: 'every response, or the end',
      everyMs: 100,
    })
    for (const { status } of answers()) expect(status).toBe(200)
    flood.socket.destroy()
    other.socket.destroy()
  })

  test('the organization cannot be chosen by a parameter or a header', async () => {
    const other = await service.newOrganization()
    const response = await service.ask(`/api/imei?organization_id=${other.organizationId}`, {
      tier: 'public',
      headers: { 'X-Organization-Id': other.organizationId },
    })
    expect(response.status).toBe(403)
  })
})

/** A request as bytes, for requests that no client library would send. */
function raw(url: string, text: string): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, () => socket.write(text))
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('close', () => resolve({ status: Number(received.split(' ')[1]), text: received }))
    socket.on('error', reject)
  })
}

/** Sends a body in chunks until the response arrives and returns the number of bytes sent. */
function chunked(url: string, key: string, most: number): Promise<{ status: number; sentBytes: number }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    let sentBytes = 0
    let received = ''
    const piece = 'x'.repeat(16_384)
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /api/imei HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      )
      const more = () => {
        if (received || sentBytes > most || socket.destroyed) return
        sentBytes += piece.length
        socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`, () => setTimeout(more, 0))
      }
      more()
    })
    const finish = () => resolve({ status: Number(received.split(' ')[1]), sentBytes })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      socket.destroy()
    })
    socket.on('close', finish)
    socket.on('error', finish)
  })
}
