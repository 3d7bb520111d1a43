import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LIST_CHANGE_KINDS } from '../../../src/contract/device-list-columns.ts'
import type {
  DeviceListComparisonWire,
  DeviceListDifferenceWire,
  DeviceListWithRowsWire,
} from '../../../src/contract/device-lists.ts'
import { formatAmount, formatCount, formatTime, minorUnitsPerUnit } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { Chips } from '../../ui/chips.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { MoreRows } from './more-rows.tsx'

const ROWS_PER_PAGE = 20
type OpenList = Omit<DeviceListWithRowsWire, 'rows'>

/** What changed since the previous version of the list, or since another one. */
export function CompareCard({ list }: { list: OpenList }) {
  const { t } = useTranslation('appraise-list')
  const [otherId, setOtherId] = useState(list.previous?.id ?? '')
  const others = (useOperation('GET /api/lists', {}).data?.data ?? []).filter(({ id }) => id !== list.id)
  const query = useOperation(
    'GET /api/lists/{id}',
    otherId ? { params: { id: list.id }, query: { compare: otherId, limit: '1' } } : null,
  )
  if (others.length === 0) return null
  const comparison = query.data?.data.comparison
  return (
    <Card title={t('compare.title')} note={list.previous ? t('compare.noteFound') : t('compare.note')}>
      <SelectField
        label={t('compare.with')}
        value={otherId}
        options={[
          ['', t('compare.none')],
          ...others.map(
            ({ id, name, created_at: time }) => [id, t('compare.option', { name, time: formatTime(time) })] as const,
          ),
        ]}
        onValueChange={setOtherId}
      />
      <ErrorMessage error={query.error} />
      {otherId && comparison ? <Differences comparison={comparison} currency={list.currency} /> : null}
    </Card>
  )
}

function Differences({ comparison, currency }: { comparison: DeviceListComparisonWire; currency: string }) {
  const { t } = useTranslation('appraise-list')
  const { counts, differences } = comparison
  const [kind, setKind] = useState<(typeof LIST_CHANGE_KINDS)[number] | null>(null)
  const [most, setMost] = useState(ROWS_PER_PAGE)
  const shown = differences.filter(({ kinds }) => kind === null || kinds.includes(kind))
  if (differences.length === 0) return <p role="status">{t('compare.same')}</p>
  return (
    <>
      <Chips
        legend={t('results.filter')}
        isLegendHidden
        options={LIST_CHANGE_KINDS.filter((each) => counts[each] > 0).map((each) => ({
          value: each,
          text: `${t(`compare.kind.${each}`)} ${formatCount(counts[each])}`,
        }))}
        isPressed={(each) => kind === each}
        press={(each) => setKind(kind === each ? null : each)}
      >
        <span className="muted">{t('compare.unchanged', { count: counts.unchanged })}</span>
      </Chips>
      <DataTable
        label={t('compare.title')}
        rows={shown.slice(0, most)}
        rowKey={({ after, before }) => `${after?.line ?? ''}-${before?.line ?? ''}`}
        columns={[
          { title: t('column.line'), cell: ({ after, before }) => after?.line ?? before?.line ?? '–' },
          {
            title: t('column.device'),
            isRowName: true,
            cell: ({ device, identifier }) => (
              <>
                {device || '–'}
                {identifier ? <div className="muted">{identifier}</div> : null}
              </>
            ),
          },
          {
            title: t('compare.change'),
            cell: ({ kinds }) => kinds.map((each) => t(`compare.kind.${each}`)).join(', '),
          },
          { title: t('column.grade'), cell: (row) => <Change row={row} read={({ grade }) => grade} /> },
          {
            title: t('column.asking'),
            className: 'number',
            cell: (row) => <Change row={row} read={({ asking_price: price }) => priceText(price, currency)} />,
          },
          {
            title: t('field.quantity'),
            className: 'number',
            cell: (row) => <Change row={row} read={({ quantity }) => formatCount(quantity)} />,
          },
        ]}
      />
      <MoreRows left={shown.length - most} show={() => setMost(most + 5 * ROWS_PER_PAGE)} />
    </>
  )
}

type Version = NonNullable<DeviceListDifferenceWire['after']>

const priceText = (price: Version['asking_price'], currency: string) =>
  price ? formatAmount(price.value * minorUnitsPerUnit(price.currency ?? currency), price.currency ?? currency) : ''

/** A value, with the earlier one struck out if it was another. */
function Change({ row, read }: { row: DeviceListDifferenceWire; read: (version: Version) => string }) {
  const [before, after] = [row.before && read(row.before), row.after && read(row.after)]
  if (before === null || after === null || before === after) return (after ?? before) || '–'
  return (
    // One element: on a phone each child of a cell is a line.
    <span>
      <s className="muted">{before || '–'}</s> {after || '–'}
    </span>
  )
}
