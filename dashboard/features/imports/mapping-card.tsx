import type { PricePreviewWire } from '../../../src/contract/uploads.ts'
import { Card, TableScroll } from '../../ui/basics.tsx'
import { PRICE_FIELD_LABELS } from './upload-labels.ts'
import { type ColumnMapping, withColumn } from './upload-options.ts'

/** What each column was taken for, with some of its cells, to be corrected. */
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
      note={`What each column is taken for.${said ? ` The name of the price column says ${said}.` : ''}`}
    >
      {missing ? <p className="doubt">Say which column is {missing}.</p> : null}
      <TableScroll label="Columns" cards>
        <table>
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Is taken for</th>
              <th scope="col">For example</th>
            </tr>
          </thead>
          <tbody>
            {prices.columns.map(({ name, examples }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <tr key={at} className={mapping[name] ? undefined : 'upload-unused'}>
                <td data-label="Column">{name || `Column ${at + 1}`}</td>
                <td data-label="Is taken for">
                  <select
                    aria-label={`What ${name || `column ${at + 1}`} is`}
                    value={mapping[name] ?? ''}
                    onChange={(event) => change(withColumn(mapping, name, event.target.value || null))}
                  >
                    <option value="">nothing, leave it out</option>
                    {Object.entries(PRICE_FIELD_LABELS).map(([field, words]) => (
                      <option key={field} value={field}>
                        {words}
                      </option>
                    ))}
                  </select>
                </td>
                <td data-label="For example" className="soft upload-examples">
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
