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

/** The label outside of the page, where `printPage('label')` finds it; on the screen it is hidden. */
export const LabelToPrint = (props: { item: StockItemWire; size: LabelSize }) =>
  createPortal(
    <div className="labels-to-print">
      <Label {...props} />
    </div>,
    document.body,
  )
