import { useTranslation } from 'react-i18next'
import type { RatesPageWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'

export function ExchangeRatesCard() {
  const { t } = useTranslation('imports')
  const query = useApiQuery('/account/rates')
  const update = useApiMutation()
  return (
    <Card title={t('kind.rates')} note={t('rates.note')}>
      <QueryView query={query}>
        {({ currencies, may_update: mayUpdate }) => {
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
                    onClick={() => update.mutate(() => apiPost('/account/rates/update', {}))}
                  >
                    {t('rates.update')}
                  </Button>{' '}
                  <span className="muted" role="status">
                    {t(update.isSuccess ? 'rates.updated' : 'rates.reference')}
                  </span>
                </p>
              ) : null}
              {update.error ? <ErrorMessage error={update.error} /> : null}
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

function RatesTable({ currencies }: Pick<RatesPageWire, 'currencies'>) {
  const { t } = useTranslation('imports')
  return (
    <DataTable
      label={t('kind.rates')}
      head={[t('column.currency'), { number: t('column.perDollar') }, t('column.date'), t('column.source')]}
    >
      {currencies.map(({ currency, rate, date, stale, source }) => (
        <tr key={currency}>
          <td data-label={t('column.currency')}>{currency}</td>
          <td data-label={t('column.perDollar')} className="number">
            {rate}
          </td>
          <td data-label={t('column.date')} className="nowrap">
            {formatDay(date)} {stale ? <Badge tone="warn">{t('rates.old')}</Badge> : null}
          </td>
          <td data-label={t('column.source')}>{t(`rates.source.${source}`)}</td>
        </tr>
      ))}
    </DataTable>
  )
}
