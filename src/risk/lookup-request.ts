import { type LookupRequestWire, lookupRequestSchema } from '../contract/lookups.ts'
import { type Identifier, isInvalidIdentifier } from '../identifier/identifier.ts'
import { parseIdentifier } from '../identifier/identifier-parser.ts'
import { DomainError, invalid } from '../lib/errors.ts'
import { parseOrThrow } from '../lib/validate.ts'

export type LookupRequest = {
  /** The identifier as sent. */
  readonly input: string
  readonly identifier: Identifier
  /** The model that the caller states, as a device id or a title. */
  readonly model?: string | undefined
}

/** The identifier of a request; `prefix` names the item of a batch in errors. */
export function parseLookupRequest(request: LookupRequestWire, prefix = ''): LookupRequest {
  const { identifier: input, identifier_type: type, model } = request
  const identifier = parseIdentifier(input, type)
  if (isInvalidIdentifier(identifier)) throw invalid(`${prefix}identifier`, input, identifier.expected)
  return { input, identifier, model: model?.trim() || undefined }
}

/** The items of a batch, each valid or with its own error. */
export function parseLookupRequests(items: readonly unknown[]): readonly (LookupRequest | DomainError)[] {
  return items.map((item, index) => {
    const itemName = `items[${index}]`
    try {
      return parseLookupRequest(
        parseOrThrow(lookupRequestSchema, item, { root: itemName, prefix: `${itemName}.` }),
        `${itemName}.`,
      )
    } catch (error) {
      if (error instanceof DomainError) return error
      throw error
    }
  })
}
