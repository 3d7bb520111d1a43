import type { AppraisalItemWire, AppraisalPreviewWire } from '../contract/appraisal.ts'
import { type AppraisalRequestWire, appraisalRequestSchema } from '../contract/appraisal-request.ts'
import type { ErrorCode } from '../contract/errors.ts'
import type { LookupResultWire } from '../contract/imei.ts'
import { betweenCurrencies, type Exchange } from '../currency/exchange.ts'
import type { Rates } from '../currency/rates.ts'
import type { Asking, DurableAnswers } from '../durable/durable-answers.ts'
import type { Replayable } from '../durable/idempotency.ts'
import type { Writes } from '../durable/record-store.ts'
import { type DomainCode, DomainError } from '../errors.ts'
import type { NewEvent } from '../events/event.ts'
import { readAs } from '../read-as.ts'
import type { Lookups, PreparedLookup } from '../risk/lookups.ts'
import type { AppraisalFilter, AppraisalRecord, AppraisalStore } from './appraisal-store.ts'
import { type AppraisalFacts, appraise } from './appraise.ts'
import { type Identity, identify, type Registry, type TextMatch } from './identity.ts'
import type { Policies } from './policies.ts'
import { type Policy, policyIn, withOverrides } from './policy.ts'
import { presentAppraisal } from './present.ts'
import type { Valuation } from './valuation.ts'

/** Items of a batch that are worked on before other requests get their turn. */
const AT_A_TIME = 8

export type ResolveText = (text: string, attributes: Readonly<Record<string, string>>) => TextMatch | Promise<TextMatch>

export type Appraisals = {
  /** The answer's JSON, after its record is durable. */
  readonly one: (body: AppraisalRequestWire, asking: Asking) => Promise<Replayable>
  /** One result or refusal for each item; all records become durable together. */
  readonly batch: (body: { readonly items: readonly unknown[] }, asking: Asking) => Promise<Replayable>
  /** What the answer would be, without a record. A lookup that was made before stands in for asking the sources again. */
  readonly preview: (
    request: AppraisalRequestWire,
    asking: Pick<Asking, 'organizationId' | 'now'>,
    lookup: LookupResultWire | null,
  ) => Promise<AppraisalPreviewWire>
  readonly history: (
    organizationId: string,
    page: AppraisalFilter & { readonly page: number; readonly limit: number; readonly now: number },
  ) => Promise<{ readonly answers: readonly string[]; readonly total: number }>
  /** One answer of the organization, as the JSON it was. */
  readonly find: (organizationId: string, id: string) => Promise<string | null>
}

export type AppraisalParts = {
  readonly registry: () => Registry
  readonly resolveText: ResolveText
  readonly lookups: Pick<Lookups, 'prepare'>
  readonly valuation: Valuation
  readonly policies: Pick<Policies, 'of'>
  readonly rates: Pick<Rates, 'exchange'>
  readonly store: Pick<AppraisalStore, 'writes' | 'history' | 'find'>
  readonly answers: Pick<DurableAnswers, 'give'>
  readonly nextId: (now: number) => string
}

type Terms = { readonly policy: Policy; readonly exchange: Exchange }
type MadeAppraisal = AppraisalRecord & { readonly lookup: PreparedLookup | null }

export function openAppraisals(parts: AppraisalParts): Appraisals {
  const { rates, store, answers } = parts

  /** `prefix` names an item of a batch in a refusal. */
  async function make(request: AppraisalRequestWire, asking: Asking, prefix = ''): Promise<MadeAppraisal> {
    const terms = termsOf(request, asking.organizationId, prefix)
    const text = request.text === undefined ? null : await parts.resolveText(request.text, request.attributes ?? {})
    // What does not exist is refused before any source is asked about the identifier.
    const named = identify(request, parts.registry(), text, null)
    const lookup = request.identifier === undefined ? null : await lookUp(request, request.identifier, asking, prefix)
    const identity = lookup ? identify(request, parts.registry(), text, lookup.result) : named
    return { ...(await record(request, identity, terms, lookup, asking)), lookup }
  }

  function termsOf(request: AppraisalRequestWire, organizationId: string, prefix = ''): Terms {
    const own = parts.policies.of(organizationId)
    const exchange = rates.exchange(request.currency ?? own.currency, `${prefix}currency`)
    return { policy: policyFor(own, request, exchange), exchange }
  }

  const lookUp = (request: AppraisalRequestWire, identifier: string, asking: Asking, prefix: string) =>
    parts.lookups.prepare({ identifier, identifier_type: request.identifier_type }, asking, prefix)

  function policyFor(own: Policy, { policy }: AppraisalRequestWire, exchange: Exchange): Policy {
    const wanted = policy ? withOverrides(own, policy) : own
    if (wanted.currency === exchange.currency) return wanted
    const from = rates.exchange(wanted.currency)
    return policyIn(wanted, exchange.currency, (amount) => betweenCurrencies(amount, from, exchange))
  }

  async function factsOf(
    request: AppraisalRequestWire,
    identity: Identity,
    { policy, exchange }: Terms,
    lookup: LookupResultWire | null,
  ): Promise<AppraisalFacts> {
    const valued = parts.valuation(identity.variants, exchange, policy.labourPerHour)
    const { worth, costs } = valued instanceof Promise ? await valued : valued
    return { identity, lookup, worth, costs, policy, condition: request.condition, defects: request.defects ?? [] }
  }

  async function preview(
    request: AppraisalRequestWire,
    { organizationId, now }: Pick<Asking, 'organizationId' | 'now'>,
    lookup: LookupResultWire | null,
  ): Promise<AppraisalPreviewWire> {
    const terms = termsOf(request, organizationId)
    const text = request.text === undefined ? null : await parts.resolveText(request.text, request.attributes ?? {})
    const identity = identify(request, parts.registry(), text, lookup)
    const facts = await factsOf(request, identity, terms, lookup)
    const about = { id: '', now, reference: request.reference || null, exchange: terms.exchange }
    const { appraisal_id: _, ...appraisal } = presentAppraisal(facts, appraise(facts), about)
    // Beside the grade that was chosen, what the device would be worth in each.
    const ungraded = { ...facts, condition: undefined }
    const { value, offer } = presentAppraisal(ungraded, appraise(ungraded), about)
    const grades = value.map((worth, at) => ({
      ...worth,
      max_offer: offer.by_condition[at]?.max_offer ?? null,
      recommended_offer: offer.by_condition[at]?.recommended_offer ?? null,
    }))
    return { ...appraisal, grades }
  }

  async function record(
    request: AppraisalRequestWire,
    identity: Identity,
    terms: Terms,
    lookup: PreparedLookup | null,
    asking: Asking,
  ): Promise<AppraisalRecord> {
    const facts = await factsOf(request, identity, terms, lookup?.result ?? null)
    const { exchange } = terms
    const id = parts.nextId(asking.now)
    const reference = request.reference || null
    const answer = presentAppraisal(facts, appraise(facts), { id, now: asking.now, reference, exchange })
    return {
      id,
      reference,
      decision: answer.offer.decision,
      deviceId: identity.device?.id ?? null,
      createdAt: asking.now,
      answer: JSON.stringify(answer),
    }
  }

  /** The appraisals and the lookups they rest on become durable in one commit. */
  function keeping(asking: Asking, made: readonly MadeAppraisal[]) {
    const lookups = made.flatMap(({ lookup }) => lookup ?? [])
    const all: Writes[] = [store.writes(asking.organizationId, made), ...lookups.map(({ writes }) => writes)]
    return {
      writes: {
        tables: all.flatMap(({ tables }) => tables),
        counts: all.flatMap(({ counts }) => counts),
        events: made.map((each) => appraisalEvent(asking.organizationId, each)),
      },
      written() {
        for (const { written } of lookups) written()
      },
    }
  }

  /** Begun a few at a time, so that hundreds of them do not hold up everybody else. */
  async function makeAll(items: readonly unknown[], asking: Asking): Promise<(MadeAppraisal | DomainError)[]> {
    const making: Promise<MadeAppraisal | DomainError>[] = []
    for (const [index, item] of items.entries()) {
      const whole = `items[${index}]`
      const one = settled(async () =>
        make(readAs(appraisalRequestSchema, item, { whole, prefix: `${whole}.` }), asking, `${whole}.`),
      )
      // Whoever fails is heard of below; until then it must not count as a failure nobody waits for.
      one.catch(() => {})
      making.push(one)
      if (making.length % AT_A_TIME === 0) await new Promise((turn) => setImmediate(turn))
    }
    return Promise.all(making)
  }

  return {
    one: (body, asking) =>
      answers.give('/api/appraisals', body, asking, async () => {
        const made = await make(body, asking)
        return { answer: made.answer, ...keeping(asking, [made]) }
      }),

    batch: (body, asking) =>
      answers.give('/api/appraisals/batch', body, asking, async () => {
        const made = await makeAll(body.items, asking)
        const answer = `[${made.map(itemAnswer).join(',')}]`
        return {
          answer,
          ...keeping(
            asking,
            made.flatMap((each) => (each instanceof DomainError ? [] : each)),
          ),
        }
      }),

    preview,

    history(organizationId, { page, ...wanted }) {
      const offset = Math.min((page - 1) * wanted.limit, Number.MAX_SAFE_INTEGER)
      return store.history(organizationId, { ...wanted, offset })
    },

    find: store.find,
  }
}

/** An item is refused for what was sent and for nothing else; what else goes wrong fails the whole batch. */
const REFUSALS: Readonly<Partial<Record<DomainCode, ErrorCode>>> = {
  invalid: 'VALIDATION_ERROR',
  not_found: 'NOT_FOUND',
}

async function settled<T>(work: () => Promise<T>): Promise<T | DomainError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DomainError && REFUSALS[error.code]) return error
    throw error
  }
}

/** Put together from the records' own text, so that answer and record cannot differ. */
function itemAnswer(made: AppraisalRecord | DomainError, index: number): string {
  if (!(made instanceof DomainError)) return `{"index":${index},"success":true,"result":${made.answer}}`
  const { message, details } = made
  const code = REFUSALS[made.code] ?? 'VALIDATION_ERROR'
  const error = { code, message, ...(details.length > 0 ? { details: [...details] } : {}) }
  const refused: AppraisalItemWire = { index, success: false, error }
  return JSON.stringify(refused)
}

function appraisalEvent(
  organizationId: string,
  { id, reference, decision, deviceId, createdAt }: AppraisalRecord,
): NewEvent {
  const data = { appraisal_id: id, reference, decision, device_id: deviceId }
  return { type: 'appraisal.created', organizationId, subject: `appraisal ${id}`, createdAt, data }
}
