import { z } from 'zod'
import { IDENTIFIER_TYPES } from '../../contract/lookups.ts'
import { MINUTE_MS } from '../../lib/time.ts'
import { FINDING_CODES } from '../source-facts.ts'
import { IMPORTED_LISTS_SOURCE } from './imported-lists-source.ts'
import { SANDBOX_SOURCE } from './sandbox-identifiers.ts'

/**
 * The file that `SOURCES_FILE` names: describes every outside source declaratively. `docs/risk.md` explains each field.
 */

const path = z
  .string()
  .regex(/^[A-Za-z0-9_$-]+(\.[A-Za-z0-9_$-]+)*$/, 'a path of names joined by dots, such as result.status')

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
    /** Statuses that the source may clear; a mapping of any other is an error in the file. */
    speaks_for: z.array(z.enum(STATUSES)).default([]),
    /** Name and area of its list, for `cleared_by`. */
    list: z.string().min(1).max(80).nullable().default(null),
    area: z.string().min(1).max(40).nullable().default(null),
    identifiers: z.array(z.enum(IDENTIFIER_TYPES)).min(1).default(['imei']),
    request: z.strictObject({
      method: z.enum(['GET', 'POST']).default('GET'),
      url: z.string().regex(/^https?:\/\/[^\s]+$/, 'an http or https address'),
      headers: z.record(z.string(), z.string()).default({}),
      /** OAuth 2.0 client credentials: a token is fetched and sent as the bearer token. */
      oauth: z
        .strictObject({
          token_url: z.string().regex(/^https?:\/\/[^\s]+$/, 'an http or https address'),
          client_id: z.string().min(1).max(200),
          client_secret: z
            .string()
            .regex(/^\$\{[A-Z0-9_]+\}$/, `a variable of the environment such as \${CLIENT_SECRET}`),
          scope: z.string().min(1).max(500).optional(),
        })
        .optional(),
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

const fileSchema = z
  .strictObject({ sources: z.array(providerSchema).max(32) })
  .refine(({ sources }) => new Set(sources.map(({ name }) => name)).size === sources.length, 'two sources of one name')

export type ProviderSettings = z.infer<typeof providerSchema>

/** The longest cache lifetime over all sources. */
export function maxCacheAgeMs(providers: readonly ProviderSettings[]): number {
  const minutes = providers.map((provider) => Math.max(provider.cache_minutes, provider.stale_minutes))
  return Math.max(0, ...minutes) * MINUTE_MS
}

/** Parses the file; reports all errors together with their position. */
export function parseProviders(
  text: string,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly providers: readonly ProviderSettings[]; readonly mistakes: readonly string[] } {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    return { providers: [], mistakes: [`it is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`] }
  }
  const parsed = fileSchema.safeParse(document)
  if (!parsed.success) {
    const mistakes = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`)
    return { providers: [], mistakes }
  }
  const missing = new Set<string>()
  const providers = parsed.data.sources.map((provider) => {
    const { headers, oauth, ...request } = provider.request
    const filled = oauth && {
      ...oauth,
      ...withEnvironment({ client_secret: oauth.client_secret }, environment, missing),
    }
    return {
      ...provider,
      request: {
        ...request,
        headers: withEnvironment(headers, environment, missing),
        ...(filled && { oauth: filled }),
      },
    }
  })
  return {
    providers,
    mistakes: [...missing].map(
      (name) => `environment variable ${name} is not set, but a header or the client secret uses it`,
    ),
  }
}

/** Secrets stay out of the file: `\${NAME}` is read from the environment. */
function withEnvironment<Name extends string>(
  values: Readonly<Record<Name, string>>,
  environment: Readonly<Record<string, string | undefined>>,
  missing: Set<string>,
): Record<Name, string> {
  const filled = Object.entries<string>(values).map(([name, value]) => [
    name,
    value.replace(/\$\{([A-Z0-9_]+)\}/g, (_, variable: string) => {
      const secret = environment[variable]
      if (!secret) missing.add(variable)
      return secret ?? ''
    }),
  ])
  return Object.fromEntries(filled) as Record<Name, string>
}
