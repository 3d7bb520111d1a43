import type { RatesPageWire } from '../../../src/contract/dashboard.ts'
import { apiPost } from '../../api.ts'
import { formatDay, pluralize } from '../../format.ts'
import { useApiMutation, useApiQuery } from '../../queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ErrorMessage } from '../../ui/states.tsx'
import { TableScroll } from '../../ui/table-scroll.tsx'

const SOURCE_LABELS: Readonly<Record<RatesPageWire['currencies'][number]['source'], string>> = {
  imported: 'Imported',
  ecb: 'European Central Bank (bundled)',
  federal_reserve: 'Federal Reserve, monthly average (bundled)',
  peg: 'Fixed official rate',
}

export function ExchangeRatesCard() {
  const query = useApiQuery<RatesPageWire>('/account/rates')
  const update = useApiMutation()
  return (
    <Card title="Exchange rates" note="Used for prices in other currencies.">
      <QueryView query={query}>
        {({ currencies, may_update: mayUpdate }) => {
          const newest = currencies.reduce((day, { date, source }) => (source !== 'peg' && date > day ? date : day), '')
          const stale = currencies.filter((rate) => rate.stale).length
          return (
            <>
              <p>
                {pluralize(currencies.length, 'currency', 'currencies')}, newest rates of {formatDay(newest)}.{' '}
                {stale > 0 ? <Badge tone="warn">{stale} older than 45 days</Badge> : null}
              </p>
              {mayUpdate ? (
                <p>
                  <Button
                    isBusy={update.isPending}
                    onClick={() =>
                      update.mutate(async () => {
                        await apiPost('/account/rates/update', {})
                      })
                    }
                  >
                    Update rates
                  </Button>{' '}
                  <span className="muted" role="status">
                    {update.isSuccess ? 'Updated.' : 'Reference rates of the European Central Bank, last 90 days.'}
                  </span>
                </p>
              ) : null}
              {update.error ? <ErrorMessage error={update.error} /> : null}
              <details>
                <summary>All rates</summary>
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
  return (
    <TableScroll label="Exchange rates" asCards>
      <table>
        <thead>
          <tr>
            <th scope="col">Currency</th>
            <th scope="col" className="number">
              For 1 US dollar
            </th>
            <th scope="col">Date</th>
            <th scope="col">Source</th>
          </tr>
        </thead>
        <tbody>
          {currencies.map(({ currency, rate, date, stale, source }) => (
            <tr key={currency}>
              <td data-label="Currency">{currency}</td>
              <td data-label="For 1 US dollar" className="number">
                {rate}
              </td>
              <td data-label="Date" className="nowrap">
                {formatDay(date)} {stale ? <Badge tone="warn">Old</Badge> : null}
              </td>
              <td data-label="Source">{SOURCE_LABELS[source]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}
