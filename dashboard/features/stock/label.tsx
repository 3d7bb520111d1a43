import { createPortal } from 'react-dom'
import type { LabelSize } from '../../../src/contract/receipt-details.ts'
import type { StockItemWire } from '../../../src/contract/stock.ts'
import { formatAmount } from '../../format.ts'
import { Barcode } from '../../ui/barcode.tsx'
import { conditionText } from './condition-text.ts'

/** White at the sides, as in the style sheet. */
const PADDING_MM = 2
const NON_BREAKING_HYPHEN = '\u2011'

/** The label of a device in stock: number, price, model, grade or faults, and the IMEI or serial number as a barcode. */
export function Label({ item, size }: { item: StockItemWire; size: LabelSize }) {
  const { number, device_name: name, identifier, asking_price: asking, currency } = item
  const code = identifier?.replace(/[^0-9A-Za-z]/g, '') ?? ''
  return (
    <article className={`label label-${size}`}>
      <p className="label-head">
        <span>#{number}</span>
        {asking === null ? null : <span>{formatAmount(asking, currency)}</span>}
      </p>
      {/* A break after "Wi-" is hard to read. */}
      <p className="label-name">{name.replaceAll('-', NON_BREAKING_HYPHEN)}</p>
      <p className="label-grade">{conditionText(item)}</p>
      {code ? (
        <>
          <Barcode text={code} maxWidthMm={Number.parseInt(size, 10) - 2 * PADDING_MM} />
          <p className="label-code">{code}</p>
        </>
      ) : null}
    </article>
  )
}

/** The labels outside of the page, where `printPage('label')` finds them; on the screen they are hidden. */
export const LabelsToPrint = ({ items, size }: { items: readonly StockItemWire[]; size: LabelSize }) =>
  createPortal(
    <div className="labels-to-print">
      {items.map((item) => (
        <Label key={item.id} item={item} size={size} />
      ))}
    </div>,
    document.body,
  )
