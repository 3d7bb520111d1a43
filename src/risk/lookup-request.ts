import { type LookupRequestWire, type LookupResultWire, lookupRequestSchema } from '../contract/lookups.ts'
import {
  type Identifier,
  type InvalidIdentifier,
  isCheckDigitValid,
  isInvalidIdentifier,
} from '../identifier/identifier.ts'
import { parseIdentifier, splitDualSim } from '../identifier/identifier-parser.ts'
import { PRODUCT_BAR_CODE } from '../identifier/other-numbers.ts'
import { DomainError, invalid } from '../lib/errors.ts'
import { reason } from '../lib/reasons.ts'
import { parseOrThrow } from '../lib/validate.ts'

export type LookupRequest = {
  /** The identifier as sent. */
  readonly input: string
  readonly identifier: Identifier
  /** The other IMEI of a device with two SIM cards. */
  readonly second: { readonly input: string; readonly identifier: Identifier } | null
  /** The model that the caller states, as a device id or a title. */
  readonly model?: string | undefined
}

/** The identifier of a request, or both of a device with two SIM cards; `prefix` names the item of a batch in errors. */
export function parseLookupRequest(request: LookupRequestWire, prefix = ''): LookupRequest {
  const { identifier_type: type, model, second_identifier: sentSecond } = request
  const dualSim =
    sentSecond === undefined && (type === undefined || type === 'imei') ? splitDualSim(request.identifier) : null
  const [input, secondInput] = dualSim ?? [request.identifier, sentSecond]
  const identifier = parseIdentifier(input, type)
  if (isInvalidIdentifier(identifier))
    throw invalid(`${prefix}identifier`, input, identifier.expected, invalidReason(identifier))
  const second =
    secondInput === undefined ? null : parseSecondImei(secondInput, identifier, `${prefix}second_identifier`)
  return { input, identifier, second, model: model?.trim() || undefined }
}

/** Why a text is no identifier: a box is scanned at its product barcode before its IMEI. */
const invalidReason = ({ expected }: InvalidIdentifier) =>
  reason(expected === PRODUCT_BAR_CODE ? 'product_barcode' : 'not_an_identifier')

/** Null if it is the first IMEI again. */
function parseSecondImei(input: string, first: Identifier, field: string): LookupRequest['second'] {
  const second = parseIdentifier(input, 'imei')
  if (isInvalidIdentifier(second)) throw invalid(field, input, second.expected, reason('not_an_identifier'))
  if (!isCheckDigitValid(second)) {
    throw invalid(
      field,
      input,
      `an IMEI with the check digit ${second.expectedCheckDigit}; check the number`,
      reason('check_digit_wrong', { digit: second.expectedCheckDigit ?? '' }),
    )
  }
  if (first.type !== 'imei')
    throw invalid(field, input, 'absent unless the identifier is an IMEI', reason('second_without_imei'))
  return second.key === first.key ? null : { input, identifier: second }
}

/** The identifiers of the device: one, or both of a device with two SIM cards. */
export const lookupIdentifiers = ({ identifier, second }: LookupRequest): readonly Identifier[] =>
  second ? [identifier, second.identifier] : [identifier]

/** Normalized identifiers of a stored lookup. */
export const identifierKeysOf = ({
  identifier,
  second_identifier,
  identifier_type,
}: Pick<LookupResultWire, 'identifier' | 'second_identifier' | 'identifier_type'>): string[] =>
  lookupIdentifiers(parseLookupRequest({ identifier, second_identifier, identifier_type })).map(({ key }) => key)

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
