import { type LookupRequestWire, lookupRequestSchema } from '../contract/imei.ts'
import { DomainError, invalid } from '../errors.ts'
import { readAs } from '../read-as.ts'
import { type Identifier, isUnreadable } from './identifier/identifier.ts'
import { readIdentifier } from './identifier/read.ts'

export type LookupRequest = {
  /** The identifier as it was sent; it is echoed. */
  readonly sent: string
  readonly identifier: Identifier
}

/** The identifier behind a request; `prefix` names an item of a batch in a refusal. */
export function readLookupRequest(request: LookupRequestWire, prefix = ''): LookupRequest {
  const { identifier: sent, identifier_type: type } = request
  const identifier = readIdentifier(sent, type)
  if (isUnreadable(identifier)) throw invalid(`${prefix}identifier`, sent, identifier.expected)
  return { sent, identifier }
}

/** The items of a batch: each is accepted or refused for itself. */
export function readLookupRequests(items: readonly unknown[]): readonly (LookupRequest | DomainError)[] {
  return items.map((item, index) => {
    const whole = `items[${index}]`
    try {
      return readLookupRequest(readAs(lookupRequestSchema, item, { whole, prefix: `${whole}.` }), `${whole}.`)
    } catch (error) {
      if (error instanceof DomainError) return error
      throw error
    }
  })
}
