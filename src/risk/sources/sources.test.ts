import { describe, expect, test } from 'bun:test'
import { type Identifier, isCheckDigitValid, isInvalidIdentifier } from '../../identifier/identifier.ts'
import { parseIdentifier } from '../../identifier/identifier-parser.ts'
import { DAY_MS } from '../../lib/time.ts'
import { isUnreliableIdentifier } from '../risk-score.ts'
import { combineFacts } from '../source-facts.ts'
import { checkImportedLists, type ImportedList, type ListedIdentifier } from './imported-lists-source.ts'
import { parseProvider } from './provider-settings.ts'
import { isSandboxIdentifier, SANDBOX_IDENTIFIERS } from './sandbox-identifiers.ts'
import { sandboxSource } from './sandbox-service.ts'

function read(text: string, type?: Identifier['type']): Identifier {
  const identifier = parseIdentifier(text, type)
  if (isInvalidIdentifier(identifier)) throw new Error(identifier.expected)
  return identifier
}

const PHONE = read('356938035643809')
const NOW = Date.UTC(2026, 10, 15)
const STOLEN_LIST: ImportedList = {
  name: 'operator-stolen',
  kind: 'stolen',
  entries: 3,
  importedAt: NOW - 2 * DAY_MS,
  clearance: { area: 'DE', maxAgeDays: 7 },
}
const listing = (more: Partial<ListedIdentifier> = {}): ListedIdentifier => ({
  list: 'operator-stolen',
  kind: 'stolen',
  status: 'blacklist',
  reportedOn: '2026-03-04',
  listedAt: 1,
  ...more,
})

describe('registry', () => {
  test('without lists it states nothing', () => {
    expect(checkImportedLists(PHONE, [], [], NOW)).toBeNull()
  })

  test('a stolen list reports listed identifiers and clears unlisted ones', () => {
    expect(checkImportedLists(PHONE, [listing()], [STOLEN_LIST], NOW)?.facts).toMatchObject({
      blacklist: 'blacklisted',
      gsma: null,
      ctia: null,
      findings: [{ code: 'reported_lost_stolen', observedAt: Date.UTC(2026, 2, 4) }],
    })
    expect(checkImportedLists(PHONE, [], [STOLEN_LIST], NOW)).toMatchObject({
      facts: { blacklist: 'clean', findings: [] },
      clearances: [
        { source: 'registry', list: 'operator-stolen', area: 'DE', entries: 3, updatedAt: NOW - 2 * DAY_MS },
      ],
    })
  })

  test('a list that its operator did not allow to clear only reports listings', () => {
    const accusing = { ...STOLEN_LIST, clearance: null }
    expect(checkImportedLists(PHONE, [], [accusing], NOW)?.facts.blacklist).toBeNull()
    expect(checkImportedLists(PHONE, [listing()], [accusing], NOW)?.facts.blacklist).toBe('blacklisted')
  })

  test('a list clears until the last day its operator allowed', () => {
    const aged = (ms: number) => checkImportedLists(PHONE, [], [{ ...STOLEN_LIST, importedAt: NOW - ms }], NOW)
    expect(aged(7 * DAY_MS)?.facts.blacklist).toBe('clean')
    expect(aged(7 * DAY_MS + 1)?.facts.blacklist).toBeNull()
  })

  test('an empty list, a sample and any other kind of list clear nothing', () => {
    for (const list of [
      { ...STOLEN_LIST, entries: 0 },
      { ...STOLEN_LIST, name: 'sample-stolen' },
      { ...STOLEN_LIST, kind: 'barred' },
      { ...STOLEN_LIST, kind: 'barred_tac' },
      { ...STOLEN_LIST, kind: 'registration' },
    ]) {
      expect(checkImportedLists(PHONE, [], [list], NOW)?.facts.blacklist).toBeNull()
    }
  })

  test('a stolen list of IMEIs says nothing about a serial number or an ESN', () => {
    expect(checkImportedLists(read('C8QH6T96DPNG'), [], [STOLEN_LIST], NOW)?.facts.blacklist).toBeNull()
    expect(checkImportedLists(read('82138ED8'), [], [STOLEN_LIST], NOW)?.facts.blacklist).toBeNull()
  })

  for (const [why, more, blacklist, code] of [
    ['pending', { status: 'pending' }, 'pending', 'report_pending'],
    ['barred', { kind: 'barred', status: 'barred' }, 'blacklisted', 'blacklisted'],
    ['of a barred TAC', { kind: 'barred_tac', status: 'barred' }, 'blacklisted', 'barred_tac'],
  ] as const) {
    test(`a listing ${why} is ${blacklist}`, () => {
      const facts = checkImportedLists(PHONE, [listing({ ...more, reportedOn: null })], [STOLEN_LIST], NOW)?.facts
      expect(facts).toMatchObject({ blacklist, findings: [{ code, observedAt: 1 }] })
    })
  }

  test('prohibited takes precedence over allowed', () => {
    const both = [listing({ kind: 'registration', status: 'approved' }), listing({ status: 'pending' }), listing()]
    for (const order of [both, [...both].reverse()]) {
      expect(checkImportedLists(PHONE, order, [STOLEN_LIST], NOW)?.facts.blacklist).toBe('blacklisted')
    }
  })
})

describe('sandbox', () => {
  test('an identifier outside its table gets no response', async () => {
    expect(await sandboxSource.lookUp(PHONE, 0)).toBeNull()
    expect(isSandboxIdentifier(PHONE)).toBe(false)
  })

  test('its identifiers are well-formed, and every documented outcome exists', () => {
    for (const { identifier, type } of SANDBOX_IDENTIFIERS) {
      expect(isCheckDigitValid(read(identifier, type))).toBe(true)
      expect(read(identifier).type).toBe(type)
    }
    const outcomes = SANDBOX_IDENTIFIERS.map(({ outcome }) => outcome)
    for (const outcome of ['clean', 'lost', 'stolen', 'pending', 'locked', 'activation lock', 'source down', 'slow']) {
      expect(outcomes).toContain(outcome)
    }
  })

  for (const { identifier, type, outcome, unavailable, facts } of SANDBOX_IDENTIFIERS) {
    test(`${identifier} is ${outcome}`, async () => {
      const read = parseIdentifier(identifier, type)
      if (isInvalidIdentifier(read)) throw new Error(identifier)
      const answer = await sandboxSource.lookUp(read, 0)
      expect(answer?.state).toBe(unavailable ? 'unavailable' : 'answered')
      if (outcome === 'clean') expect(isUnreliableIdentifier(read)).toBe(false)
      if (answer) expect(combineFacts([answer], NOW).blacklist).toBe(facts.blacklist ?? 'unknown')
    })
  }
})

describe('the definition of a source', () => {
  const minimal = { name: 'x', request: { url: 'https://x.test/{identifier}' }, answer: {} }
  const mistakesOf = (definition: unknown) => parseProvider(definition).mistakes

  test('has an error for every mistake, with its position', () => {
    expect(mistakesOf(minimal)).toEqual([])
    const wrong = { ...minimal, name: 'registry', request: { url: 'ftp://x' }, surprise: 1 }
    expect(mistakesOf(wrong).map((mistake) => mistake.split(':')[0])).toEqual(['name', 'request.url', 'the source'])
    expect(mistakesOf([])[0]).toStartWith('the source: ')
  })

  test('a status outside speaks_for is an error', () => {
    const answer = { facts: { gsma: { path: 'a', words: { ok: 'clean' } } } }
    expect(mistakesOf({ ...minimal, answer }).join()).toContain('speaks_for')
  })

  test('a placeholder instead of a secret is an error', () => {
    const request = {
      ...minimal.request,
      headers: { key: `Bearer \${NO_SUCH}` },
      oauth: { token_url: 'https://x.test/', client_id: 'shop', client_secret: `\${NO_SUCH}` },
    }
    expect(mistakesOf({ ...minimal, request })).toEqual([
      'request.headers.key: a placeholder: enter the secret itself',
      'request.oauth.client_secret: a placeholder: enter the secret itself',
    ])
  })
})
