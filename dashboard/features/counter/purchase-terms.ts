import type { ApprovalWire } from '../../../src/contract/approval.ts'
import type { PurchasedDeviceWire } from '../../../src/contract/outcome.ts'
import type { SellerInputWire } from '../../../src/contract/sellers.ts'
import type { Confirmation } from '../../confirmations.ts'

/** What is sent beside the devices and their prices. */
export type PurchaseTerms = Partial<Pick<PurchasedDeviceWire, Confirmation>> & {
  readonly seller?: SellerInputWire | undefined
  readonly approval?: ApprovalWire | undefined
}
/** Something that must be confirmed before a purchase. */
export type Question = { readonly confirms: Confirmation; readonly text: string }
