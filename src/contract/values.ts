import { z } from 'zod'

/** US cents, unless another currency was asked for. */
export const cents = z.int().min(0).describe('Amount in US cents.')

export const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .describe('Currency of the amounts; `USD` by default.')

export const percent = z.int().min(0).max(100)

export const dateValue = z.iso.date()

const FIRST_DAY = '1970-01-01'
const LAST_DAY = '2100-12-31'
/** Days have four digits of a year, so that comparing them as text is comparing them as days. */
export const isDayInRange = (day: string) => day >= FIRST_DAY && day <= LAST_DAY
const DAY = `a day such as 2026-03-02, from ${FIRST_DAY} to ${LAST_DAY}`

/** A day that a caller sends. */
export const dayParameter = z.iso.date({ error: DAY }).refine(isDayInRange, { error: DAY })

const INSTANT = `an instant such as 2026-03-02T09:30:00Z, from ${FIRST_DAY} to ${LAST_DAY}`

/** An instant that a caller sends. */
export const instantParameter = z.iso
  .datetime({ error: INSTANT })
  .refine((text) => isDayInRange(text.slice(0, 10)), { error: INSTANT })

/** ISO 8601 in UTC with milliseconds, the one form of an instant on this wire. */
export const instant = z.iso.datetime({ precision: 3 })

/** ISO 8601 in UTC to the second: the time of a response. */
export const secondInstant = z.iso.datetime({ precision: 0 })

export const slugValue = z.string().regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)

export const imageUrl = z.url({ protocol: /^https?$/ })

/** An object with a name in the OpenAPI document. */
export const component = <Fields extends z.core.$ZodLooseShape>(id: string, description: string, fields: Fields) =>
  z.strictObject(fields).describe(description).meta({ id })

const AUTHOR_KINDS = ['person', 'key', 'command'] as const

/** Who made a record. */
export const authorSchema = component('Author', 'Who made the record.', {
  kind: z
    .enum(AUTHOR_KINDS)
    .describe('A person with a session, an API key, or a command on the machine of the service.'),
  id: z.string().describe('Id of the account or of the key; `command line` for a command.'),
  name: z.string().describe('Name of the person or of the key at that time.'),
  device: z.string().optional().describe('Name of the shop device it was made on; absent elsewhere.'),
})
export type AuthorWire = z.infer<typeof authorSchema>

/** An optional field of a body. Null counts as absent, because many programs write every field. */
export const optionalField = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((sent) => (sent === null ? undefined : sent), schema.optional())

/** Accepts an amount that is far from what launch price and existing prices allow. */
export const confirmAmountField = optionalField(z.boolean({ error: 'true or false' }))

export const idValue = z.string().regex(/^[A-Za-z0-9_]{1,64}$/, 'an id of letters, digits and _')

const TIME_ZONE = 'a time zone such as Europe/Vilnius'

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

export const timeZoneValue = z.string({ error: TIME_ZONE }).max(60, TIME_ZONE).refine(isTimeZone, { error: TIME_ZONE })

const NAME_LENGTH = '1 to 100 characters'
/** Name of a person, an organization or a key. */
export const nameValue = z
  .string()
  .trim()
  .min(1, NAME_LENGTH)
  .max(100, NAME_LENGTH)
  .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'text without control characters')

export const emailValue = z
  .string()
  .trim()
  .toLowerCase()
  .max(254)
  .regex(/^[^\s@"<>\p{Cc}\p{Cs}]+@[^\s@"<>\p{Cc}\p{Cs}]+\.[^\s@"<>\p{Cc}\p{Cs}]+$/u, 'an email address')
