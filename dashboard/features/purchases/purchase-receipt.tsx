import type { PurchaseWire } from '../../../src/contract/purchases.ts'
import type { ReceiptDetailsWire } from '../../../src/contract/receipt-details.ts'
import { maskIdentifier } from '../../../src/identifier/identifier-mask.ts'
import type { PaperTexts } from '../appraisals/paper-texts.ts'
import {
  type Copy,
  PaidLines,
  type Paper,
  SellerFacts,
  SellerLines,
  type SellerOnPaper,
  SheetHeader,
  Signatures,
  termsIn,
} from '../appraisals/receipt.tsx'

/** Printed receipt of all devices of a purchase, with one total and one signature. */
export function PurchaseReceipt({
  purchase,
  organization,
  details,
  texts,
  paper,
  copy,
  seller,
}: {
  purchase: PurchaseWire
  organization: string
  details: ReceiptDetailsWire
  texts: PaperTexts
  paper: Paper
  copy: Copy
  /** Null if no seller is recorded, or the person may not read it. */
  seller: SellerOnPaper | null
}) {
  const { t, format, language } = texts
  const { lines, currency, total, date } = purchase
  return (
    <article className={`sheet sheet-${paper}`} lang={language} aria-label={t('receipt.label')}>
      <SheetHeader
        details={details}
        organization={organization}
        texts={texts}
        copy={copy}
        isPurchase
        when={format.day(date)}
      />
      <h2>{purchase.purchase_id}</h2>
      <table className="sheet-lines">
        <tbody>
          {lines.map((line) => (
            <tr key={line.appraisal_id}>
              <td>
                <strong>{line.device_name}</strong>
                <br />
                <span className="sheet-small">
                  {t('receipt.number')} {format.count(line.stock_number)}
                  {[line.identifier, line.second_identifier].flatMap((identifier) =>
                    identifier ? [` · ${copy === 'shop' ? identifier : maskIdentifier(identifier)}`] : [],
                  )}
                </span>
              </td>
              <td className="number">{format.amount(line.price, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="sheet-foot">
        <div>
          <PaidLines purchase={{ price: total, currency }} payout={seller?.payout ?? null} texts={texts} />
        </div>
      </div>
      {seller ? (
        <SellerFacts seller={seller} isForCustomer={copy === 'customer'} texts={texts} />
      ) : copy === 'shop' && details.seller_lines ? (
        <SellerLines texts={texts} />
      ) : null}
      <Signatures
        bought={{ date, by: purchase.created_by.name }}
        terms={termsIn(texts, details.terms, true)}
        signature={seller?.signature ?? null}
        texts={texts}
      />
    </article>
  )
}
