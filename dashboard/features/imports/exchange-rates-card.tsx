import { useTranslation } from 'react-i18next'
import type { CurrencyRateWire } from '../../../src/contract/management-rates.ts'
import { callApi } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useApiMutation, useOperation } from '../../queries.ts'
import { useHasRole, useSession } from '../../session.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { Card } from '../../ui/page.tsx'
import { ErrorMessage, QueryView } from '../../ui/states.tsx'

export function ExchangeRatesCard() {
  const { t } = useTranslation('imports')
  const { runs_service: isOperator } = useSession()
  const mayUpdate = useHasRole('owner') && isOperator
  const query = useOperation('GET /api/manage/rates', {})
  const update = useApiMutation()
  return (
    <Card title={t('kind.rates')} note={t('rates.note')}>
      <QueryView query={query}>
        {(currencies) => {
          const newest = currencies.reduce((day, { date, source }) => (source !== 'peg' && date > day ? date : day), '')
          const stale = currencies.filter((rate) => rate.stale).length
          return (
            <>
              <p>
                {t('rates.newest', { count: currencies.length, day: formatDay(newest) })}{' '}
                {stale > 0 ? <Badge tone="warn">{t('rates.stale', { stale })}</Badge> : null}
              </p>
              {mayUpdate ? (
                <p>
                  <Button
                    isBusy={update.isPending}
                    onClick={() => update.mutate(() => callApi('POST /api/manage/rates/update', {}))}
                  >
                    {t('rates.update')}
                  </Button>{' '}
                  <span className="muted" role="status">
                    {t(update.isSuccess ? 'rates.updated' : 'rates.reference')}
                  </span>
                </p>
              ) : null}
              <ErrorMessage error={update.error} />
              <details>
                <summary>{t('rates.all')}</summary>
                <RatesTable currencies={currencies} />
              </details>
            </>
          )
        }}
      </QueryView>
    </Card>
  )
}

function RatesTable({ currencies }: { currencies: readonly CurrencyRateWire[] }) {
  const { t } = useTranslation('imports')
  return (
    <DataTable
      label={t('kind.rates')}
      rows={currencies}
      rowKey={({ currency }) => currency}
      columns={[
        { title: t('column.currency'), cell: ({ currency }) => currency },
        { title: t('column.perDollar'), className: 'number', cell: ({ rate }) => rate },
        {
          title: t('column.date'),
          className: 'nowrap',
          cell: ({ date, stale }) => (
            <>
              {formatDay(date)} {stale ? <Badge tone="warn">{t('rates.old')}</Badge> : null}
            </>
          ),
        },
        { title: t('column.source'), cell: ({ source }) => t(`rates.source.${source}`) },
      ]}
    />
  )
}
