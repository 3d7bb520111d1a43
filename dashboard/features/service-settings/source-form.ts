import type { IdentifierType } from '../../../src/contract/lookups.ts'

/** Statuses that a source may report, with the meanings a word of its response can have. */
export const MEANINGS = {
  blacklist: ['clean', 'blacklisted', 'pending', 'unknown'],
  gsma: ['clean', 'blacklisted', 'unknown'],
  ctia: ['clean', 'lost_stolen', 'unknown'],
  carrier_lock: ['unlocked', 'locked', 'unknown'],
} as const
export type Status = keyof typeof MEANINGS
export const STATUSES = Object.keys(MEANINGS) as Status[]
export type Meaning = (typeof MEANINGS)[Status][number]

export type Word = { readonly text: string; readonly meaning: string }
export type StatusForm = { readonly path: string; readonly words: readonly Word[] }

/** The definition of a source as fields of a form. */
export type SourceForm = {
  readonly name: string
  readonly url: string
  readonly method: 'GET' | 'POST'
  /** Field of the body with the identifier; null: the body is more than that and only edited as JSON. */
  readonly bodyField: string | null
  readonly oauth: { readonly tokenUrl: string; readonly clientId: string; readonly scope: string } | null
  readonly identifiers: readonly string[]
  readonly list: string
  readonly area: string
  readonly identifierPath: string
  readonly statuses: Readonly<Partial<Record<Status, StatusForm>>>
  /** The definition it was read from: fields that the form does not show are kept. */
  readonly original: Definition
}

export type Definition = Readonly<Record<string, unknown>>

const PLACEHOLDER = '{identifier}'
const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
const text = (value: unknown) => (typeof value === 'string' ? value : '')

export function toForm(original: Definition): SourceForm {
  const request = object(original.request)
  const answer = object(original.answer)
  const facts = object(answer.facts)
  const oauth = object(request.oauth)
  const statuses = STATUSES.filter((status) => facts[status] !== undefined).map((status) => {
    const { path, words } = object(facts[status])
    const pairs = Object.entries(object(words)).map(([word, meaning]) => ({ text: word, meaning: text(meaning) }))
    return [status, { path: text(path), words: pairs }] as const
  })
  return {
    name: text(original.name),
    url: text(request.url),
    method: request.method === 'POST' ? 'POST' : 'GET',
    bodyField: bodyFieldOf(request.body),
    oauth: request.oauth
      ? { tokenUrl: text(oauth.token_url), clientId: text(oauth.client_id), scope: text(oauth.scope) }
      : null,
    identifiers: Array.isArray(original.identifiers) ? original.identifiers.map(text) : (['imei'] as IdentifierType[]),
    list: text(original.list),
    area: text(original.area),
    identifierPath: text(answer.identifier),
    statuses: Object.fromEntries(statuses),
    original,
  }
}

function bodyFieldOf(body: unknown): string | null {
  const entries = Object.entries(object(body))
  if (entries.length === 0) return ''
  const [field, value] = entries[0] ?? []
  return entries.length === 1 && value === PLACEHOLDER ? (field ?? '') : null
}

export function toDefinition(form: SourceForm): Definition {
  const { original } = form
  const { method: _, body, oauth: storedOauth, ...request } = object(original.request)
  const answer = object(original.answer)
  const facts = object(answer.facts)
  const mapped = STATUSES.flatMap((status) => {
    const mapping = form.statuses[status]
    if (!mapping) return []
    const words = mapping.words.filter((word) => word.text !== '').map((word) => [word.text, word.meaning])
    return [[status, { ...object(facts[status]), path: mapping.path, words: Object.fromEntries(words) }] as const]
  })
  const spoken = Array.isArray(original.speaks_for) ? original.speaks_for : []
  const otherFacts = Object.entries(facts).filter(([name]) => !(STATUSES as string[]).includes(name))
  const newBody = form.bodyField === null ? body : { [form.bodyField || 'identifier']: PLACEHOLDER }
  return withoutEmpty({
    ...original,
    name: form.name,
    // A source may clear a status by its 404 alone, which the form does not show.
    speaks_for: STATUSES.filter((status) => form.statuses[status] || (spoken.includes(status) && !facts[status])),
    list: form.list || undefined,
    area: form.area || undefined,
    identifiers: [...form.identifiers],
    request: withoutEmpty({
      ...request,
      method: form.method,
      url: form.url,
      body: form.method === 'POST' ? newBody : undefined,
      oauth: form.oauth
        ? withoutEmpty({
            ...object(storedOauth),
            token_url: form.oauth.tokenUrl,
            client_id: form.oauth.clientId,
            scope: form.oauth.scope || undefined,
          })
        : undefined,
    }),
    answer: withoutEmpty({
      ...answer,
      identifier: form.identifierPath || undefined,
      facts: Object.fromEntries([...mapped, ...otherFacts]),
    }),
  })
}

const withoutEmpty = (fields: Definition): Definition =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
