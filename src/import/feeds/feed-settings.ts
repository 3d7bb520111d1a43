/** Parses feeds: lists and price services that are fetched and imported automatically. `docs/importing.md` explains each field. */

import { z } from 'zod'
import { ECB_RATES_URL } from '../../contract/currency.ts'
import { type PriceTemplate, priceTemplateSchema } from '../../contract/price-services.ts'
import { isTimeZone } from '../../contract/values.ts'
import { isRequestHeader, REQUEST_HEADERS_EXPECTED } from '../../lib/request-header.ts'
import { COMMON_IMPORT_OPTIONS } from '../importer.ts'
import { type FeedSchedule, findScheduleError } from './feed-schedule.ts'
import { type PriceApi, priceApiSchema } from './price-api.ts'
import { expandTemplate } from './price-templates.ts'

/** An import format and its options. */
export type FeedFormat = {
  readonly format: string
  readonly options?: Readonly<Record<string, string>>
  /** Those without a value. */
  readonly flags?: Readonly<Record<string, string>>
}

export type FeedSettings = {
  readonly name: string
  readonly format: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
  /** The template of a price service that has one. */
  readonly template: PriceTemplate | null
  /** How a price service is asked; null for a file, which is downloaded as it is. */
  readonly api: PriceApi | null
  /** Null: runs only on request. */
  readonly schedule: FeedSchedule | null
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly retries: number
  readonly retryPauseMs: number
  /** Changes with every setting that affects how the list is read. */
  readonly settingsHash: string
}

/** Feeds by name that need no further settings; each field can be overridden. */
const FEED_PRESETS = {
  // The European Central Bank publishes at about 16:00 on business days.
  ecb: { name: 'ecb', format: 'rates', url: ECB_RATES_URL, schedule: '30 16 * * 1-5', time_zone: 'Europe/Berlin' },
} as const

type FeedPreset = keyof typeof FEED_PRESETS

const isFeedPreset = (name: unknown): name is FeedPreset =>
  typeof name === 'string' && Object.hasOwn(FEED_PRESETS, name)

const FEED_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
/** A template names its secrets like this; such a text is never sent. */
const NO_PLACEHOLDER = /^(?![\s\S]*\$\{\w+\})/
const PLACEHOLDER_MESSAGE = 'a placeholder: enter the secret itself'

/** Rejects a user name and password in the URL, which would be shown with it; a header hides them. */
const isWebAddress = (url: string): boolean =>
  /^https?:\/\/\S+$/i.test(url) && URL.canParse(url) && new URL(url).username === ''

const text = z.string().trim().min(1)
const fields = {
  name: text.regex(FEED_NAME, 'expected lower-case letters, digits, - and _, 40 at most'),
  format: text,
  url: text.regex(NO_PLACEHOLDER, PLACEHOLDER_MESSAGE).refine(isWebAddress, 'expected an http or https address'),
  headers: z
    .record(z.string().regex(HEADER_NAME), z.string().regex(NO_PLACEHOLDER, PLACEHOLDER_MESSAGE))
    .superRefine((headers, context) => {
      for (const header of Object.entries(headers))
        if (!isRequestHeader(header))
          context.addIssue({ code: 'custom', path: [header[0]], message: REQUEST_HEADERS_EXPECTED })
    })
    .default({}),
  profile: text.optional(),
  options: z.record(text, z.union([z.string(), z.number(), z.literal(true)])).default({}),
  schedule: text.optional(),
  time_zone: text.refine(isTimeZone, 'expected a time zone such as Europe/Vilnius').default('UTC'),
  timeout_ms: z.int().min(100).max(3_600_000).default(300_000),
  max_bytes: z
    .int()
    .min(1024)
    .max(16 * 1024 ** 3)
    .default(256 * 1024 ** 2),
  retries: z.int().min(0).max(10).default(3),
  retry_pause_ms: z.int().min(0).max(600_000).default(5_000),
  api: priceApiSchema.optional(),
} as const
const feedSchema = z.strictObject(fields)
export type FeedContext = {
  readonly formats: readonly FeedFormat[]
  readonly now: number
}

/** The feed, or all its errors at once, each with its field. */
export type ParsedFeed =
  | { readonly feed: FeedSettings; readonly errors: readonly [] }
  | { readonly feed: null; readonly errors: readonly string[] }

/** A feed that only names a preset; `url` replaces its address. */
export function presetFeed(preset: FeedPreset, url: string, context: FeedContext): FeedSettings {
  const { feed, errors } = parseFeed({ preset, url }, context)
  if (!feed) throw new Error(`preset ${preset}: ${errors.join('; ')}`)
  return feed
}

export function parseFeed({ preset, ...own }: Readonly<Record<string, unknown>>, context: FeedContext): ParsedFeed {
  if (preset !== undefined && !isFeedPreset(preset)) {
    return { feed: null, errors: [`preset: expected one of ${Object.keys(FEED_PRESETS).join(', ')}`] }
  }
  const template = applyTemplate(own)
  if ('errors' in template) return { feed: null, errors: template.errors }
  const input = preset === undefined ? template.input : { ...FEED_PRESETS[preset], ...template.input }
  const parsed = feedSchema.safeParse(input)
  const errors = parsed.success ? [] : parsed.error.issues.map((issue) => formatIssue(issue.path.join('.'), issue))
  if (isObject(input.api) && input.format !== 'observations') errors.push('api: the format must be observations')
  // Each check looks only at its own fields, so that one error does not hide another.
  errors.push(...findFormatErrors(input, context.formats), ...findScheduleErrors(input, context.now))
  if (!parsed.success || errors.length > 0) return { feed: null, errors }
  const { data } = parsed
  const values = Object.entries(data.options).map(([name, value]) => [name, value === true ? 'yes' : String(value)])
  const options = { ...Object.fromEntries(values), ...(data.profile ? { profile: data.profile } : {}) }
  const feed: FeedSettings = {
    name: data.name,
    format: data.format,
    url: data.url,
    headers: data.headers,
    options,
    template: template.template,
    api: data.api ?? null,
    schedule: data.schedule === undefined ? null : { cron: data.schedule, timeZone: data.time_zone },
    timeoutMs: data.timeout_ms,
    maxBytes: data.max_bytes,
    retries: data.retries,
    retryPauseMs: data.retry_pause_ms,
    // A renewed secret does not change the list.
    settingsHash: hashSettings([
      data.url,
      Object.keys(data.headers),
      data.format,
      options,
      ...(data.api ? [data.api.fields] : []),
    ]),
  }
  return { feed, errors: [] }
}

/** A price service that only names its template; every field can be overridden. */
function applyTemplate({
  template,
  ...own
}: Readonly<Record<string, unknown>>):
  | { readonly input: Readonly<Record<string, unknown>>; readonly template: PriceTemplate | null }
  | { readonly errors: readonly string[] } {
  if (template === undefined) return { input: own, template: null }
  const parsed = priceTemplateSchema.safeParse(template)
  if (!parsed.success) {
    return { errors: parsed.error.issues.map((issue) => formatIssue(['template', ...issue.path].join('.'), issue)) }
  }
  const fields = expandTemplate(parsed.data)
  const ownApi = isObject(own.api) ? own.api : {}
  const oauth = { ...fields.api.oauth, ...(isObject(ownApi.oauth) ? ownApi.oauth : {}) }
  const options = { ...fields.options, ...(isObject(own.options) ? own.options : {}) }
  return { input: { ...fields, ...own, options, api: { ...fields.api, ...ownApi, oauth } }, template: parsed.data }
}

function formatIssue(path: string, issue: z.core.$ZodIssue): string {
  return path ? `${path}: ${issue.message}` : issue.message
}

function findFormatErrors(input: Readonly<Record<string, unknown>>, formats: readonly FeedFormat[]): string[] {
  if (typeof input.format !== 'string') return []
  const format = formats.find((candidate) => candidate.format === input.format)
  if (!format) return [`format: expected one of ${formats.map((candidate) => candidate.format).join(', ')}`]
  const { flags = {} } = format
  const options = { ...COMMON_IMPORT_OPTIONS, ...format.options }
  const errors: string[] = []
  for (const [name, value] of isObject(input.options) ? Object.entries(input.options) : []) {
    const isFlag = Object.hasOwn(flags, name)
    if (!isFlag && !Object.hasOwn(options, name)) {
      errors.push(`options.${name}: the format ${format.format} has no such option`)
    } else if (isFlag !== (value === true)) {
      errors.push(`options.${name}: expected ${isFlag ? 'true' : 'a text or a number'}`)
    }
  }
  if (input.profile !== undefined && !Object.hasOwn(options, 'profile')) {
    errors.push(`profile: the format ${format.format} has no profiles`)
  }
  return errors
}

function findScheduleErrors(input: Readonly<Record<string, unknown>>, now: number): string[] {
  if (typeof input.schedule !== 'string' || input.schedule.trim() === '') return []
  const zone = input.time_zone
  const timeZone = typeof zone === 'string' && isTimeZone(zone) ? zone : 'UTC'
  const error = findScheduleError({ cron: input.schedule.trim(), timeZone }, now)
  return error ? [`schedule: ${error}`] : []
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function hashSettings(settings: unknown): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 32)
}
