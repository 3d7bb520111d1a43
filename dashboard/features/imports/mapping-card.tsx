import type { PricePreviewWire } from '../../../src/contract/uploads.ts'
import { Card } from '../../ui/card.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'
import { PRICE_FIELD_LABELS } from './upload-labels.ts'
import { type ColumnMapping, withColumn } from './upload-options.ts'

/** Lets the user correct the detected field of each column. */
export function MappingCard({
  prices,
  mapping,
  change,
}: {
  prices: PricePreviewWire
  mapping: ColumnMapping
  change: (mapping: ColumnMapping) => void
}) {
  const { implied } = prices
  const said = [implied.currency ? `currency ${implied.currency}` : '', implied.side ? `kind ${implied.side}` : '']
    .filter(Boolean)
    .join(' and ')
  const is = (...fields: string[]) => fields.some((field) => Object.values(mapping).includes(field))
  const missing = [
    is('amount', 'cents') ? '' : 'the price',
    is('model', 'variant', 'sku', 'partNumber') ? '' : 'the device',
  ]
    .filter(Boolean)
    .join(' and ')
  return (
    <Card
      title="Columns"
      note={`Check the field of each column.${said ? ` Detected from the price column: ${said}.` : ''}`}
    >
      {missing ? <p className="doubt">Choose the column for {missing}.</p> : null}
      <TableScroll label="Columns" asCards>
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Field</th>
              <th scope="col">Example</th>
            </tr>
          </thead>
          <tbody>
            {prices.columns.map(({ name, examples }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <tr key={at} className={mapping[name] ? undefined : 'upload-unused'}>
                <td data-label="Column">{name || `Column ${at + 1}`}</td>
                <td data-label="Field">
                  <select
                    aria-label={`Field for ${name || `column ${at + 1}`}`}
                    value={mapping[name] ?? ''}
                    onChange={(event) => change(withColumn(mapping, name, event.target.value || null))}
                  >
                    <option value="">Ignore</option>
                    {Object.entries(PRICE_FIELD_LABELS).map(([field, words]) => (
                      <option key={field} value={field}>
                        {words}
                      </option>
                    ))}
                  </select>
                </td>
                <td data-label="Example" className="muted upload-examples">
                  {examples.join(' · ') || '–'}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </Card>
  )
}
