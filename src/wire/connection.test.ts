import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { readAnswers } from '../../test/support/wire.ts'
import { connection } from './connection.ts'
import { type Outgoing, outgoing } from './outgoing.ts'
import { BodyTrouble, type Reception } from './reception.ts'

/** A connection whose other side is this test. */
function open(answer: Reception['answer'], { takesAtOnce = Number.POSITIVE_INFINITY } = {}) {
  const seen = { sent: '', ended: false, cut: false, shut: false, paused: false }
  const clock = { nowMs: 0, dateField: 'Date: now\r\n' }
  let room = takesAtOnce
  const line = {
    remoteAddress: '192.0.2.1',
    write(bytes: Uint8Array, from: number, length: number) {
      if (seen.ended) return -1
      const gone = Math.min(room, length)
      room -= gone
      seen.sent += Buffer.from(bytes.subarray(from, from + gone)).toString('latin1')
      return gone
    },
    shutdown: () => {
      seen.shut = true
    },
    end: () => {
      seen.ended = true
      it.closed()
    },
    terminate: () => {
      seen.cut = true
      it.closed()
    },
    pause: () => {
      seen.paused = true
    },
    resume: () => {
      seen.paused = false
    },
  }
  const it = connection(line, { answer, refuse: (what) => said(what === 'late' ? 408 : what.status, 'no') }, clock)
  return {
    seen,
    say: (text: string) => it.data(Buffer.from(text, 'latin1')),
    closeOurSide: it.ended,
    hangUp: it.closed,
    retire: it.retire,
    read(bytes: number) {
      room = bytes
      it.drained()
    },
    later(ms: number) {
      clock.nowMs += ms
      it.sweep()
    },
    /** The answers so far as "status body". */
    answers: () => readAnswers(seen.sent).map(({ status, body }) => `${status} ${body}`),
  }
}

const said = (status: number, text: string): Outgoing => outgoing(status, { 'X-A': 'b' }, text)
const settle = () => new Promise((resolve) => setImmediate(resolve))
const get = (path: string, ...more: string[]) => [`GET ${path} HTTP/1.1`, 'Host: a', ...more, '', ''].join('\r\n')
const post = (path: string, body: string, ...more: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, ...more, '', body].join('\r\n')
const echo: Reception['answer'] = ({ target }) => said(200, target)
const echoBody: Reception['answer'] = ({ method, target }, sender) =>
  method === 'GET'
    ? said(200, target)
    : sender.body(100).then(
        (bytes) => said(200, Buffer.from(bytes).toString('latin1')),
        (trouble: BodyTrouble) => said(400, trouble.fault),
      )

describe('a connection', () => {
  test('answers with the head it was given and what frames the answer', () => {
    const { say, seen } = open(echo)
    say(get('/x'))
    expect(seen.sent).toBe('HTTP/1.1 200 OK\r\nX-A: b\r\nDate: now\r\nContent-Length: 2\r\n\r\n/x')
  })

  test('gives the same answers however the requests are cut into pieces', async () => {
    const chunks = 'POST /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n4\r\ndefg\r\n0\r\n\r\n'
    const text = get('/1') + post('/2', 'two') + chunks + get('/3') + post('/4', '') + get('/5')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 12 }), async (cuts) => {
        const { say, answers } = open(echoBody)
        const ends = [...new Set([...cuts, text.length])].sort((a, b) => a - b)
        let at = 0
        for (const end of ends) {
          if (end > at) say(text.slice(at, end))
          at = end
          if (end % 2) await settle()
        }
        for (let turn = 0; turn < 10; turn++) await settle()
        expect(answers()).toEqual(['200 /1', '200 two', '200 abcdefg', '200 /3', '200 ', '200 /5'])
      }),
      { numRuns: 60 },
    )
  })

  test('sends answers in the order of the requests, whichever is ready first', async () => {
    const release: (() => void)[] = []
    const { say, answers } = open(
      ({ target }) => new Promise((resolve) => release.push(() => resolve(said(200, target)))),
    )
    say(get('/1') + get('/2'))
    expect(release.length).toBe(1)
    release[0]?.()
    await settle()
    release[1]?.()
    await settle()
    expect(answers()).toEqual(['200 /1', '200 /2'])
  })

  test('lets others have their turn after a number of requests sent at once', async () => {
    const { say, answers } = open(echo)
    say(get('/x').repeat(100))
    expect(answers().length).toBeLessThan(50)
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(answers().length).toBe(100)
  })

  test('sends no body to HEAD, and none with 304 or 204', () => {
    const { say, seen } = open(({ target }) => said(Number(target.slice(1)), 'body'))
    say(get('/200').replace('GET', 'HEAD'))
    say(get('/304'))
    say(get('/204'))
    expect(seen.sent).not.toContain('body')
    expect(seen.sent.match(/Content-Length/g)).toHaveLength(1)
  })

  test('ends after the answer where the caller asks for it, or is about to be stopped', () => {
    for (const [text, retires] of [
      [get('/x', 'Connection: close'), false],
      ['GET /x HTTP/1.0\r\n\r\n', false],
      [get('/x'), true],
    ] as const) {
      const { say, seen, retire } = open(echo)
      say(text.slice(0, 8))
      if (retires) retire()
      say(text.slice(8))
      expect(seen.sent).toContain('Connection: close\r\n')
      expect(seen.ended).toBe(true)
    }
  })

  test('that is idle ends at once when it is stopped', () => {
    const { say, seen, retire } = open(echo)
    say(get('/x'))
    retire()
    expect(seen.ended).toBe(true)
  })

  test('answers a caller who closed its own side after the request', async () => {
    const { say, seen, closeOurSide } = open(async () => said(200, 'late'))
    say(get('/x'))
    closeOurSide()
    expect(seen.ended).toBe(false)
    await settle()
    expect(seen.sent).toContain('late')
    expect(seen.ended).toBe(true)
  })

  test('answers everything that came before the caller closed its side, and before a stop', async () => {
    for (const leave of ['closeOurSide', 'retire'] as const) {
      const caller = open(async ({ target }) => said(200, target))
      caller.say(get('/1') + get('/2'))
      caller[leave]()
      for (let turn = 0; turn < 5; turn++) await settle()
      expect(caller.answers()[0]).toBe('200 /1')
      if (leave === 'closeOurSide') expect(caller.answers()).toEqual(['200 /1', '200 /2'])
      expect(caller.seen.ended || caller.seen.shut).toBe(true)
    }
    const many = open(echo)
    many.say(get('/x').repeat(40))
    many.retire()
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(many.answers().length).toBeGreaterThan(32)
  })

  test('does not wait for the rest of a request from a caller who closed its side', async () => {
    const { say, seen, closeOurSide } = open(async ({ target }) => said(200, target))
    say(`${get('/1')}GET /2 HT`)
    closeOurSide()
    for (let turn = 0; turn < 3; turn++) await settle()
    expect(seen.ended).toBe(true)
  })

  test('refuses what is no request and reads no further', async () => {
    const { say, seen, answers } = open(echo)
    say(`GET /x\r\n\r\n${get('/y')}`)
    await settle()
    expect(answers()).toEqual(['400 no'])
    expect(seen.shut || seen.ended).toBe(true)
    say(get('/z'))
    expect(answers()).toEqual(['400 no'])
  })

  test('refuses a head that does not end', () => {
    const long = open(echo)
    long.say(`GET /x HTTP/1.1\r\n${'X-A: aaaaaaaaaaaaaaaa\r\n'.repeat(1_000)}`)
    expect(long.answers()).toEqual(['431 no'])
    const line = open(echo)
    line.say(`GET /${'a'.repeat(20_000)}`)
    expect(line.answers()).toEqual(['414 no'])
  })
})

describe('a body', () => {
  test('is refused as soon as it is too large, declared or not, and the connection with it', async () => {
    const declared = open(echoBody)
    declared.say(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n`)
    await settle()
    expect(declared.answers()).toEqual(['400 too large'])
    expect(declared.seen.shut).toBe(true)
    const chunked = open(echoBody)
    chunked.say(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'32\r\n'}${'x'.repeat(50)}\r\n`)
    await settle()
    expect(chunked.answers()).toEqual([])
    chunked.say(`33\r\n${'x'.repeat(51)}\r\n`)
    await settle()
    expect(chunked.answers()).toEqual(['400 too large'])
    expect(chunked.seen.shut).toBe(true)
  })

  test('that nobody wanted is skipped when it is short, and the next request is read', async () => {
    const { say, answers } = open(echo)
    say(post('/1', 'ignored').slice(0, -3))
    expect(answers()).toEqual(['200 /1'])
    say(`red${get('/2')}`)
    await settle()
    expect(answers()).toEqual(['200 /1', '200 /2'])
  })

  test('is awaited for ten seconds and no longer', async () => {
    const { say, later, answers, seen } = open(echoBody)
    say(post('/1', 'abcdef').slice(0, -3))
    later(9_000)
    say('d')
    later(2_000)
    await settle()
    expect(answers()).toEqual(['400 late'])
    expect(seen.shut).toBe(true)
  })

  test('that is cut short tells whoever waits for it', async () => {
    let trouble: unknown
    const { say, hangUp } = open((_, sender) =>
      sender.body(100).then(
        () => said(200, ''),
        (error) => {
          trouble = error
          return said(400, '')
        },
      ),
    )
    say(post('/1', 'abcdef').slice(0, -3))
    hangUp()
    await settle()
    expect(trouble).toEqual(new BodyTrouble('cut short'))
  })

  test('with broken chunks is refused, and nothing after it is taken for a request', async () => {
    const { say, answers } = open(echoBody)
    say(`POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n${get('/smuggled')}`)
    await settle()
    expect(answers()).toEqual(['400 broken'])
  })

  test('is sent only when it is asked for, where the caller waits for that', async () => {
    const { say, seen } = open(echoBody)
    say(post('/', 'abc', 'Expect: 100-continue').slice(0, -3))
    expect(seen.sent).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    say('abc')
    await settle()
    expect(seen.sent).toContain('\r\n\r\nabc')
  })

  test('of a caller who waits to be told to go on, and is not, ends the connection', () => {
    const { say, seen } = open(() => said(401, 'no'))
    say(post('/', 'abc', 'Expect: 100-continue').slice(0, -3))
    expect(seen.sent).toContain('Connection: close')
    expect(seen.sent).not.toContain('100 Continue')
  })

  test('is forgotten with its request', async () => {
    const { say, answers } = open(({ target }, sender) =>
      sender.body(Number(target.slice(1))).then(
        (bytes) => said(200, String(bytes.length)),
        (trouble: BodyTrouble) => said(400, trouble.fault),
      ),
    )
    say(post('/9', 'abcdef'))
    await settle()
    say(get('/3'))
    await settle()
    say(post('/3', 'abcdef'))
    await settle()
    say(get('/3'))
    await settle()
    expect(answers()).toEqual(['200 6', '200 0', '400 too large', '200 0'])
  })

  test('that comes before anybody asks for it makes the sender wait', () => {
    const { say, seen } = open(() => new Promise(() => {}))
    say(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(70_000)}`)
    expect(seen.paused).toBe(true)
  })
})

describe('an answer', () => {
  test('that is not read at once is sent on as it is read, and the next request waits for that', () => {
    const { say, seen, read, answers } = open(({ target }) => said(200, target.repeat(100)), { takesAtOnce: 50 })
    say(get('/1') + get('/2'))
    expect(seen.sent.length).toBe(50)
    read(100)
    expect(seen.sent.length).toBe(150)
    read(1_000_000)
    expect(answers()).toEqual([`200 ${'/1'.repeat(100)}`, `200 ${'/2'.repeat(100)}`])
  })

  test('that is not read ends the connection', () => {
    const { say, seen, later } = open(() => said(200, 'x'.repeat(100)), { takesAtOnce: 50 })
    say(get('/1'))
    later(11_000)
    expect(seen.cut).toBe(false)
    later(2_000)
    expect(seen.cut).toBe(true)
  })

  test('that is read by the byte ends the connection within a minute', () => {
    const { say, seen, later, read } = open(() => said(200, 'x'.repeat(10_000)), { takesAtOnce: 50 })
    say(get('/1'))
    for (let second = 0; second < 61 && !seen.cut; second++) {
      later(1_000)
      read(1)
    }
    expect(seen.cut).toBe(true)
  })

  test('made piece by piece is sent in chunks, or up to the end for an old caller', async () => {
    const stream = () =>
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of ['ab', '', 'cde']) controller.enqueue(Buffer.from(piece))
          controller.close()
        },
      })
    const { say, seen } = open(() => ({ status: 200, fields: '', body: stream() }))
    say(get('/1'))
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(seen.sent).toEndWith('Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n')
    const old = open(() => ({ status: 200, fields: '', body: stream() }))
    old.say('GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n')
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(old.seen.sent).toEndWith('Connection: close\r\n\r\nabcde')
    expect(old.seen.ended).toBe(true)
  })

  test('made piece by piece is followed by the answer to the next request', async () => {
    const { say, seen } = open(({ target }) =>
      target === '/2' ? said(200, 'two') : { status: 200, fields: '', body: new Response('one').body },
    )
    say(get('/1') + get('/2'))
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(seen.sent).toEndWith('two')
  })

  test('whose making fails halfway cuts the connection, so that nobody takes a part for the whole', async () => {
    const { say, seen } = open(() => ({
      status: 200,
      fields: '',
      body: new ReadableStream<Uint8Array>({
        pull(controller) {
          controller.error(new Error('gone'))
        },
      }),
    }))
    say(get('/1'))
    for (let turn = 0; turn < 5; turn++) await settle()
    expect(seen.cut).toBe(true)
  })
})

describe('whoever is slow is let go:', () => {
  test('without a word, who says nothing', () => {
    const { seen, later } = open(echo)
    later(11_000)
    expect(seen.ended).toBe(false)
    later(1_500)
    expect([seen.ended, seen.sent]).toEqual([true, ''])
  })

  test('with 408, who takes too long for a head', () => {
    const { say, seen, later, answers } = open(echo)
    say('GET /x HT')
    later(9_000)
    say('TP/1.1\r\n')
    expect(seen.ended).toBe(false)
    later(1_500)
    expect(answers()).toEqual(['408 no'])
    expect(seen.ended || seen.shut).toBe(true)
  })

  test('two seconds after the last answer, who goes on sending', () => {
    const { say, seen, later } = open(echo)
    say(`${get('/x', 'Connection: close')}more`)
    expect([seen.shut, seen.cut]).toEqual([true, false])
    say('and more')
    later(2_500)
    expect(seen.cut).toBe(true)
  })
})
