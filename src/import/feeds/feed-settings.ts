/** Parses FEEDS_FILE: lists that are fetched and imported automatically. `docs/importing.md` explains each field. */

import { z } from 'zod'
import { ECB_RATES_URL } from '../../contract/currency.ts'
import { isTimeZone } from '../../contract/values.ts'
import { COMMON_IMPORT_OPTIONS } from '../importer.ts'
import { type FeedSchedule, findScheduleError } from './feed-schedule.ts'

type Environment = Readonly<Record<string, string | undefined>>

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
  /** As written in the file, for display: without the secrets that `url` may contain. */
  readonly address: string
  /** With values of the environment filled in: an http or https URL, or the path of a file. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
  /** Null: runs only on request. */
  readonly schedule: FeedSchedule | null
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly retries: number
  readonly retryPauseMs: number
  /** Changes with every setting that affects how the list is read. */
  readonly settingsHash: string
}

/** Feeds by name that need no further settings; each field can be overridden in the feeds file. */
export const FEED_PRESETS = {
  // The European Central Bank publishes at about 16:00 on business days.
  ecb: { name: 'ecb', format: 'rates', url: ECB_RATES_URL, schedule: '30 16 * * 1-5', time_zone: 'Europe/Berlin' },
} as const

export type FeedPreset = keyof typeof FEED_PRESETS

const isFeedPreset = (name: unknown): name is FeedPreset =>
  typeof name === 'string' && Object.hasOwn(FEED_PRESETS, name)

const MAX_FEEDS = 100
const FEED_NAME = /^[a-z0-9][a-z0-9_-]{0,39}$/
const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: a header must hold none of them
const HEADER_VALUE = /^[^\x00-\x08\x0a-\x1f\x7f]*$/
const PLACEHOLDER = /\$\{([A-Za-z0-9_]+)\}/g

const text = z.string().trim().min(1)
const fields = {
  name: text.regex(FEED_NAME, 'expected lower-case letters, digits, - and _, 40 at most'),
  format: text,
  url: text.refine(
    (url) => isLocalPath(url) || isWebAddress(url),
    'expected an http or https address or the path of a file',
  ),
  headers: z.record(z.string().regex(HEADER_NAME), z.string().regex(HEADER_VALUE)).default({}),
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
} as const
const feedSchema = z.strictObject(fields)
const fileSchema = z.strictObject({ feeds: z.array(z.record(z.string(), z.unknown())).max(MAX_FEEDS) })

export type FeedFileContent = {
  /** Valid feeds, even if environment variables are missing. */
  readonly feeds: readonly FeedSettings[]
  readonly errors: readonly string[]
}

export type FeedFileContext = {
  readonly formats: readonly FeedFormat[]
  readonly environment: Environment
  readonly now: number
}

/** Returns all errors at once, each with the feed and the field. */
export function parseFeedFile(content: string, context: FeedFileContext): FeedFileContent {
  let document: unknown
  try {
    document = JSON.parse(content)
  } catch (error) {
    return { feeds: [], errors: [`it is not JSON: ${error instanceof Error ? error.message : 'unreadable'}`] }
  }
  const file = fileSchema.safeParse(document)
  if (!file.success) {
    return {
      feeds: [],
      errors: file.error.issues.map((issue) => formatIssue(issue.path.join('.') || 'the file', issue)),
    }
  }
  const feeds: FeedSettings[] = []
  const errors: string[] = []
  const names = new Set<unknown>()
  for (const [at, input] of file.data.feeds.entries()) {
    const label = typeof input.name === 'string' && input.name !== '' ? `feed ${input.name}` : `feed ${at + 1}`
    if (input.name !== undefined && names.has(input.name)) errors.push(`${label}: duplicate name`)
    names.add(input.name)
    const { feed, errors: feedErrors } = parsePreset(input, context)
    errors.push(...feedErrors.map((error) => `${label}: ${error}`))
    if (feed) feeds.push(feed)
  }
  return { feeds, errors }
}

/** A feed that only names a preset; `url` replaces its address. */
export function presetFeed(preset: FeedPreset, url: string, context: FeedFileContext): FeedSettings {
  const { feed, errors } = parsePreset({ preset, url }, context)
  if (!feed) throw new Error(`preset ${preset}: ${errors.join('; ')}`)
  return feed
}

function parsePreset({ preset, ...settings }: Readonly<Record<string, unknown>>, context: FeedFileContext) {
  if (preset === undefined) return parseFeed(settings, context)
  if (isFeedPreset(preset)) return parseFeed({ ...FEED_PRESETS[preset], ...settings }, context)
  return { feed: undefined, errors: [`preset: expected one of ${Object.keys(FEED_PRESETS).join(', ')}`] }
}

function parseFeed(input: Readonly<Record<string, unknown>>, context: FeedFileContext) {
  const parsed = feedSchema.safeParse(input)
  const errors = parsed.success ? [] : parsed.error.issues.map((issue) => formatIssue(issue.path.join('.'), issue))
  const missing = new Set<string>()
  // Each check looks only at its own fields, so that one error does not hide another.
  errors.push(...findFormatErrors(input, context.formats), ...findScheduleErrors(input, context.now))
  if (!parsed.success || errors.length > 0) {
    for (const name of listPlaceholders(input)) if (!context.environment[name]) missing.add(name)
    return { feed: undefined, errors: [...errors, ...missingVariableErrors(missing)] }
  }
  const { data } = parsed
  const fill = (value: string) => fillPlaceholders(value, context.environment, missing)
  const headers = Object.fromEntries(Object.entries(data.headers).map(([name, value]) => [name, fill(value)]))
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_VALUE.test(value))
      errors.push(`headers.${name}: the value from the environment is not allowed in a header`)
  }
  const values = Object.entries(data.options).map(([name, value]) => [name, value === true ? 'yes' : String(value)])
  const options = { ...Object.fromEntries(values), ...(data.profile ? { profile: data.profile } : {}) }
  const feed: FeedSettings = {
    name: data.name,
    format: data.format,
    address: data.url,
    url: fill(data.url),
    headers,
    options,
    schedule: data.schedule === undefined ? null : { cron: data.schedule, timeZone: data.time_zone },
    timeoutMs: data.timeout_ms,
    maxBytes: data.max_bytes,
    retries: data.retries,
    retryPauseMs: data.retry_pause_ms,
    settingsHash: hashSettings([data.url, data.headers, data.format, options]),
  }
  return { feed, errors: [...errors, ...missingVariableErrors(missing)] }
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

/** Keeps secrets out of the file: `\${NAME}` in a header or URL is taken from the environment. */
function fillPlaceholders(value: string, environment: Environment, missing: Set<string>): string {
  return value.replace(PLACEHOLDER, (_, name: string) => {
    const variable = environment[name]
    if (!variable) missing.add(name)
    return variable ?? ''
  })
}

function listPlaceholders({ url, headers }: Readonly<Record<string, unknown>>): string[] {
  const texts = [url, ...(isObject(headers) ? Object.values(headers) : [])].filter((entry) => typeof entry === 'string')
  return texts.flatMap((entry) => [...entry.matchAll(PLACEHOLDER)].map((match) => match[1] ?? ''))
}

const missingVariableErrors = (missing: ReadonlySet<string>) =>
  [...missing].map((name) => `environment variable ${name} is not set, but a header or the URL uses it`)

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a feed's URL is a file of this machine: it has no scheme. */
export const isLocalPath = (url: string) => !/^[a-z][a-z0-9+.-]*:/i.test(url)

/** Rejects a user name and password in the URL, which would be shown with it; a header hides them. */
function isWebAddress(url: string): boolean {
  const plain = url.replace(PLACEHOLDER, 'x')
  if (!/^https?:\/\/\S+$/i.test(plain) || !URL.canParse(plain)) return false
  return new URL(plain).username === ''
}

function hashSettings(settings: unknown): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 32)
}
