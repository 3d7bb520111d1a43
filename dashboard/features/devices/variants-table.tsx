import { useState } from 'react'
import { Link } from 'wouter'
import type { DeviceWire } from '../../../src/contract/device.ts'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { humanize, pluralize } from '../../format.ts'
import { useMoney } from '../../money.ts'
import { useHasTier } from '../../session.tsx'
import { Card } from '../../ui/card.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'

const SHOWN_AT_FIRST = 4

export function VariantsTable({ device }: { device: DeviceWire }) {
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (variant: VariantWire) => words.every((word) => variant.name.toLowerCase().includes(word))
  const found = device.variants.filter(fits)
  return (
    <Card
      title={pluralize(device.variants.length, 'variant')}
      action={
        device.variants.length > SHOWN_AT_FIRST + 2 ? (
          <label>
            <span className="visually-hidden">Filter variants</span>
            <input
              type="search"
              placeholder="Filter…"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
            />
          </label>
        ) : undefined
      }
    >
      {found.length === 0 ? (
        <EmptyState title="No variants match" />
      ) : (
        <ShowMore items={found} limit={SHOWN_AT_FIRST} label={`Show all ${found.length} variants`}>
          {(shown) => <Table device={device} variants={shown} />}
        </ShowMore>
      )}
    </Card>
  )
}

function Table({ device, variants }: { device: DeviceWire; variants: readonly VariantWire[] }) {
  const mayPaid = useHasTier('paid')
  const money = useMoney()
  const names = [...new Set(device.variants.flatMap((variant) => variant.attributes.map((one) => one.attribute_name)))]
  return (
    <TableScroll label="Variants" asCards>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th key={name} scope="col">
                {humanize(name)}
              </th>
            ))}
            <th scope="col">List price</th>
            <th scope="col">Part numbers</th>
            <th scope="col">
              <span className="visually-hidden">Current price</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {variants.map((variant) => (
            <tr key={variant.id} className={variant.disabled ? 'past' : undefined}>
              {names.map((name) => (
                <td key={name} data-label={humanize(name)}>
                  {variant.attributes.find((one) => one.attribute_name === name)?.attribute_value ?? '–'}
                </td>
              ))}
              <td data-label="List price">
                {variant.price_source === 'unknown'
                  ? 'unknown'
                  : `${variant.price_source === 'estimated' ? 'about ' : ''}${money.formatListPrice(variant.price)}`}
              </td>
              <td data-label="Part numbers" className={variant.part_numbers.length > 0 ? 'muted' : 'muted blank'}>
                {variant.part_numbers.join(', ') || '–'}
              </td>
              <td className="row-actions">
                {mayPaid ? (
                  <Link to={`/dashboard/devices/${device.id}/price/${variant.id}`}>
                    Current price<span className="visually-hidden"> of {variant.name}</span>
                  </Link>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}
