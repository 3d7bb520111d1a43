import { z } from 'zod'
import { IDENTIFIER_TYPES } from '../../contract/lookups.ts'
import { enteredSecret, oauthSchema } from '../../lib/oauth-tokens.ts'
import { areRequestHeaders, REQUEST_HEADERS_EXPECTED } from '../../lib/request-header.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { valuePath as path } from '../../lib/value-path.ts'
import { FINDING_CODES } from '../source-facts.ts'
import { IMPORTED_LISTS_SOURCE } from './imported-lists-source.ts'
import { SANDBOX_SOURCE } from './sandbox-identifiers.ts'

/** Describes an outside source declaratively. `docs/risk.md` explains each field. */

const statusMapping = <const Status extends string>(statuses: readonly Status[]) =>
  z
    .strictObject({
      path,
      words: z.record(z.string().min(1), z.enum([...statuses, 'unknown'])),
      required: z.boolean().default(true),
    })
    .optional()

const statusMappings = {
  blacklist: statusMapping(['clean', 'blacklisted', 'pending']),
  gsma: statusMapping(['clean', 'blacklisted']),
  ctia: statusMapping(['clean', 'lost_stolen']),
  carrier_lock: statusMapping(['locked', 'unlocked']),
}

const STATUSES = ['blacklist', 'gsma', 'ctia', 'carrier_lock'] as const

const providerSchema = z
  .strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9_-]{0,30}$/, 'lower-case letters, digits, - and _')
      .refine(
        (name) => ![IMPORTED_LISTS_SOURCE, SANDBOX_SOURCE, 'none', 'identifier'].includes(name),
        'a name of its own',
      ),
    /** Statuses that the source may clear; a mapping of any other is an error. */
    speaks_for: z.array(z.enum(STATUSES)).default([]),
    /** Name and area of its list, for `cleared_by`. */
    list: z.string().min(1).max(80).nullable().default(null),
    area: z.string().min(1).max(40).nullable().default(null),
    identifiers: z.array(z.enum(IDENTIFIER_TYPES)).min(1).default(['imei']),
    request: z.strictObject({
      method: z.enum(['GET', 'POST']).default('GET'),
      url: z.string().regex(/^https?:\/\/[^\s]+$/, 'an http or https address'),
      headers: z.record(z.string(), enteredSecret).refine(areRequestHeaders, REQUEST_HEADERS_EXPECTED).default({}),
      oauth: oauthSchema.optional(),
      body: z.record(z.string(), z.json()).optional(),
    }),
    answer: z.strictObject({
      /** Path of the identifier in the response; a response about another one is rejected. */
      identifier: path.optional(),
      observed_at: path.optional(),
      /** Path of the reference of the check, for `evidence`. */
      evidence_id: path.optional(),
      facts: z
        .strictObject({
          ...statusMappings,
          carrier_name: z.strictObject({ path, required: z.boolean().default(false) }).optional(),
        })
        .default({}),
      findings: z
        .partialRecord(
          z.enum(FINDING_CODES),
          z.strictObject({ path, words: z.array(z.union([z.string().min(1), z.boolean(), z.number()])).min(1) }),
        )
        .default({}),
      /** Meaning of a 404; without it, a failure. */
      not_found: z.strictObject({ blacklist: z.enum(['clean', 'unknown']) }).optional(),
    }),
    timeout_ms: z.int().min(100).max(10_000).default(3_000),
    retries: z.int().min(0).max(3).default(1),
    cache_minutes: z.int().min(0).max(525_600).default(60),
    /** How long stale facts may be served while the provider is down. */
    stale_minutes: z
      .int()
      .min(0)
      .max(525_600)
      .default(7 * 24 * 60),
    max_bytes: z
      .int()
      .min(1_024)
      .max(4 * 1024 * 1024)
      .default(256 * 1024),
    concurrency: z.int().min(1).max(1_000).default(32),
    breaker: z
      .strictObject({ failures: z.int().min(1).default(5), pause_ms: z.int().min(100).default(10_000) })
      .default({ failures: 5, pause_ms: 10_000 }),
  })
  .superRefine((provider, context) => {
    for (const status of STATUSES) {
      if (provider.answer.facts[status] && !provider.speaks_for.includes(status)) {
        context.addIssue({ code: 'custom', path: ['answer', 'facts', status], message: `not in speaks_for` })
      }
    }
    if (provider.answer.not_found?.blacklist === 'clean' && !provider.speaks_for.includes('blacklist')) {
      context.addIssue({ code: 'custom', path: ['answer', 'not_found'], message: 'speaks_for does not name blacklist' })
    }
  })

export type ProviderSettings = z.infer<typeof providerSchema>

/** The longest cache lifetime over all sources. */
export function maxCacheAgeMs(providers: readonly ProviderSettings[]): number {
  const minutes = providers.map((provider) => Math.max(provider.cache_minutes, provider.stale_minutes))
  return Math.max(0, ...minutes) * MINUTE_MS
}

/** Reports all errors together with their position. */
export function parseProvider(
  definition: unknown,
):
  | { readonly provider: ProviderSettings; readonly mistakes: readonly [] }
  | { readonly provider: null; readonly mistakes: readonly string[] } {
  const parsed = providerSchema.safeParse(definition)
  if (parsed.success) return { provider: parsed.data, mistakes: [] }
  const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the source'}: ${message}`)
  return { provider: null, mistakes }
}
