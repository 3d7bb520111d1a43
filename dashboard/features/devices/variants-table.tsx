import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import type { DeviceWire } from '../../../src/contract/device.ts'
import type { VariantWire } from '../../../src/contract/variant.ts'
import { codeTexts } from '../../codes.ts'
import { useMoney } from '../../money.ts'
import { useHasTier } from '../../session.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ShowMore } from '../../ui/show-more.tsx'
import { EmptyState } from '../../ui/states.tsx'

const SHOWN_AT_FIRST = 4

export function VariantsTable({ device }: { device: DeviceWire }) {
  const { t } = useTranslation('devices')
  const [filter, setFilter] = useState('')
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = (variant: VariantWire) => words.every((word) => variant.name.toLowerCase().includes(word))
  const found = device.variants.filter(fits)
  return (
    <Card
      title={t('variants', { count: device.variants.length })}
      action={
        device.variants.length > SHOWN_AT_FIRST + 2 ? (
          <SearchField
            label={t('variant.filter')}
            placeholder={t('variant.filterPlaceholder')}
            value={filter}
            onValueChange={setFilter}
          />
        ) : undefined
      }
    >
      {found.length === 0 ? (
        <EmptyState title={t('variant.none')} />
      ) : (
        <ShowMore items={found} limit={SHOWN_AT_FIRST} label={t('variant.showAll', { count: found.length })}>
          {(shown) => <Table device={device} variants={shown} />}
        </ShowMore>
      )}
    </Card>
  )
}

function Table({ device, variants }: { device: DeviceWire; variants: readonly VariantWire[] }) {
  const { t } = useTranslation('devices')
  const { attributeName } = codeTexts()
  const mayPaid = useHasTier('paid')
  const money = useMoney()
  const names = [
    ...new Set(device.variants.flatMap((variant) => variant.attributes.map((attribute) => attribute.attribute_name))),
  ]
  return (
    <DataTable
      label={t('variant.title')}
      rows={variants}
      rowKey={(variant) => variant.id}
      isMuted={(variant) => variant.disabled}
      columns={[
        ...names.map((name) => ({
          title: attributeName(name),
          cell: ({ attributes }: VariantWire) =>
            attributes.find((attribute) => attribute.attribute_name === name)?.attribute_value ?? '–',
        })),
        {
          title: t('variant.listPrice'),
          cell: (variant) => {
            if (variant.price_source === 'unknown') return t('variant.unknown')
            const listPrice = money.formatListPrice(variant)
            return variant.price_source === 'estimated' ? t('variant.about', { price: listPrice }) : listPrice
          },
        },
        {
          title: t('variant.partNumbers'),
          className: 'muted',
          cell: ({ part_numbers: numbers }) => numbers.join(', ') || <span className="blank">–</span>,
        },
      ]}
      actions={({ id, name }) =>
        mayPaid ? (
          <Link to={`/dashboard/devices/${device.id}/price/${id}`}>
            <Trans
              t={t}
              i18nKey="variant.currentPriceOf"
              values={{ name }}
              components={{ name: <span className="visually-hidden" /> }}
            />
          </Link>
        ) : null
      }
    />
  )
}
