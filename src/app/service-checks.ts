import type { MailTestWire, SourceTestWire } from '../contract/service-settings.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import type { PriceTest } from '../import/feeds/price-test-service.ts'
import { invalid } from '../lib/errors.ts'
import { type Failure, presentFailure } from '../lib/failure.ts'
import { reason } from '../lib/reasons.ts'
import { type Recipient, testMail } from '../mail/mail.ts'
import type { MailService } from '../mail/mail-service.ts'
import { providerSource } from '../risk/sources/provider-service.ts'
import type { ProviderSettings } from '../risk/sources/provider-settings.ts'

/** A person waits for it. */
const TEST_MAIL_TIMEOUT_MS = 20_000

export async function sendTestMail(mail: MailService, to: Recipient): Promise<MailTestWire> {
  try {
    await mail.sendNow(testMail(to), TEST_MAIL_TIMEOUT_MS)
    return { outcome: 'sent', reason: null }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed', reason: `The mail server ${mail.server} did not accept the message: ${reason}` }
  }
}

const NO_PRICES = { failure_reason: null, results: null, listings: [] }

/** Asks a price service once about one device. */
export async function testPrices(test: () => Promise<PriceTest>): Promise<SourceTestWire> {
  const startedAt = performance.now()
  const result = await test()
  const durationMs = Math.round(performance.now() - startedAt)
  const common = { duration_ms: durationMs, facts: {}, findings: [] }
  return result.outcome === 'failed'
    ? { ...common, ...NO_PRICES, outcome: 'failed', ...statedFailure(result.failure) }
    : {
        ...common,
        outcome: 'answered',
        reason: null,
        failure_reason: null,
        results: result.results,
        listings: [...result.listings],
      }
}

function statedFailure(failed: Failure) {
  const { failure: reason, failure_reason } = presentFailure(failed)
  return { reason, failure_reason }
}

/** Asks the source once, without cache and without counting for its health. */
export async function testSource(provider: ProviderSettings, text: string): Promise<SourceTestWire> {
  const identifier = parseIdentifier(text)
  if (!('type' in identifier))
    throw invalid('identifier', text, 'an IMEI, MEID, ESN or serial number', reason('not_an_identifier'))
  let problem: string | null = null
  const source = providerSource(provider, {
    cache: { read: async () => null, write() {} },
    now: Date.now,
    onFailure: (failure) => {
      problem = failure.reason
    },
  })
  const startedAt = performance.now()
  const result = await source.lookUp(identifier, Date.now())
  const durationMs = Math.round(performance.now() - startedAt)
  if (result === null) {
    const reason = `It is not asked about identifiers of the type ${identifier.type}.`
    return { outcome: 'not_asked', reason, duration_ms: durationMs, facts: {}, findings: [], ...NO_PRICES }
  }
  if (result.state !== 'answered') {
    return {
      outcome: 'failed',
      reason: problem ?? 'no response',
      duration_ms: durationMs,
      facts: {},
      findings: [],
      ...NO_PRICES,
    }
  }
  const { findings, carrierLock, carrierName, ...statuses } = result.facts
  const facts = { ...statuses, carrier_lock: carrierLock, carrier_name: carrierName }
  return {
    outcome: 'answered',
    reason: null,
    duration_ms: durationMs,
    facts: Object.fromEntries(
      Object.entries(facts).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    findings: findings.map(({ code }) => code),
    ...NO_PRICES,
  }
}
