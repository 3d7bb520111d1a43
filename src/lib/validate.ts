import type { z } from 'zod'
import { DomainError, excerpt, invalid } from './errors.ts'
import { type Reason, reason } from './reasons.ts'

/** How an error names the input. */
type InputName = {
  /** Name of the whole input. */
  readonly root: string
  /** Prefix of field names. */
  readonly prefix?: string
  /** Do not repeat the value: it may be a password. */
  readonly isSecret?: boolean
  /** As `isSecret`, for these fields alone. */
  readonly secretFields?: readonly string[]
}

/** An error names at most so many wrong fields. */
const MAX_DETAILS = 20

/** Parses input by its schema. An error states what was expected and sent, and `details` every wrong field. */
export function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  { root, prefix = '', isSecret = false, secretFields = [] }: InputName,
): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: describeExpectation })
  if (parsed.success) return parsed.data

  const errorOf = (issue: z.core.$ZodIssue | undefined): DomainError => {
    const { path = [], message = 'something else' } = issue ?? {}
    const received = path.reduce<unknown>(
      (node, name) => (node as Record<PropertyKey, unknown> | undefined)?.[name],
      input,
    )
    const field = path.length === 0 ? root : `${prefix}${path.join('.')}`
    const hidesValue = isSecret || secretFields.includes(String(path[0]))
    if (!hidesValue || received === undefined)
      return invalid(field, received, message, received === undefined ? undefined : reasonOf(issue, received))
    const withoutValue = `${field} is invalid; expected ${message}.`
    return new DomainError(
      'invalid',
      withoutValue,
      reasonOf(issue, '') ?? reason('value_not_accepted', { value: '' }),
      [{ field, message: withoutValue }],
    )
  }
  const [first, ...others] = parsed.error.issues.slice(0, MAX_DETAILS).map((issue) => errorOf(findCause(issue)))
  if (!first) throw errorOf(undefined)
  const details = [first, ...others].flatMap((error) => error.details)
  const byField = new Map(details.toReversed().map((detail) => [detail.field, detail]))
  throw new DomainError(first.code, first.message, first.reason, [...byField.values()].toReversed())
}

/** The exact reason, where the issue says one. */
function reasonOf(issue: z.core.$ZodIssue | undefined, input: unknown): Reason | undefined {
  const value = excerpt(input)
  switch (issue?.code) {
    case 'too_small':
      return tooSmall(issue.origin, Number(issue.minimum), value)
    case 'too_big':
      return tooLarge(issue.origin, Number(issue.maximum), value)
    case 'invalid_type':
      if (issue.expected === 'number') return reason('not_a_number', { value })
      return issue.expected === 'int' ? reason('not_a_whole_number', { value }) : undefined
    case 'invalid_value':
      return issue.values.length > 1 ? reason('not_one_of', { value, choices: issue.values.join(', ') }) : undefined
    case 'invalid_format':
      return FORMAT_REASONS[issue.format]?.(value)
    case 'unrecognized_keys':
      return reason('unknown_field', { field: issue.keys.join(', ') })
    default:
      return undefined
  }
}

function tooSmall(origin: string, minimum: number, value: string): Reason {
  if (origin === 'string') return reason('text_too_short', { minimum })
  return origin === 'array' ? reason('too_few', { minimum }) : reason('number_too_small', { value, minimum })
}

function tooLarge(origin: string, maximum: number, value: string): Reason {
  if (origin === 'string') return reason('text_too_long', { maximum })
  return origin === 'array' ? reason('too_many', { maximum }) : reason('number_too_large', { value, maximum })
}

const FORMAT_REASONS: Readonly<Record<string, (value: string) => Reason>> = {
  date: () => reason('not_a_day'),
  datetime: (value) => reason('not_an_instant', { value }),
  email: (value) => reason('not_an_email', { value }),
  url: (value) => reason('not_a_web_address', { value }),
}

/** Of a value that may have several forms, the first issue of the form that fits best. */
function findCause(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue
  const [best, next] = issue.errors.toSorted((left, right) => left.length - right.length)
  const cause = best?.[0] && best.length !== next?.length ? findCause(best[0]) : undefined
  return cause ? { ...cause, path: [...issue.path, ...cause.path] } : issue
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'a JSON object',
  record: 'a JSON object',
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a day such as 2026-11-16',
  datetime: 'an instant such as 2026-11-16T08:30:00Z',
  url: 'a URL such as https://shop.example/',
  base64: 'text in base64',
}

/** Completes "expected …" for schemas without a text of their own. */
function describeExpectation(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPES[issue.expected] ?? 'a value'
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${amount(issue.minimum, issue.origin)}`
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${amount(issue.maximum, issue.origin)}`
    case 'invalid_value':
      return `${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}`
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'another form'
    case 'unrecognized_keys':
      return `no field named ${issue.keys.join(' or ')}`
    case 'invalid_union':
      return [...new Set(issue.errors.map(([first]) => first?.message ?? 'something else'))].join(', or ')
    default:
      return 'another value'
  }
}

function amount(limit: number | bigint, origin: string): string {
  const unit = origin === 'string' ? ' character' : origin === 'array' ? ' item' : ''
  return `${limit}${unit}${unit && limit !== 1 ? 's' : ''}`
}
