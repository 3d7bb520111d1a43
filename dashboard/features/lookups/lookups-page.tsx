import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import { formatTime } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useApiQuery } from '../../queries.ts'
import { useHasRole, useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ApiCallPanel } from '../../ui/code-block.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { RiskBadge, statusText } from './risk-badge.tsx'

const PAGE_SIZE = 25

export function LookupsPage() {
  const { t } = useTranslation(['lookups', 'common'])
  const [query] = useSearchParams()
  const [, navigate] = useLocation()
  const mayCheck = useHasTier('enterprise')
  const isManager = useHasRole('manager')
  // Identifiers are personal data: the URL fragment is never sent to a server or logged.
  const identifier = decodeURIComponent(useLocationProperty(() => location.hash).slice(1))
  const filter = identifier ? `&identifier=${encodeURIComponent(identifier)}` : ''
  const position = query.get('after') ? `after=${query.get('after')}` : `page=${query.get('page') ?? 1}`
  const path = `imei?limit=${PAGE_SIZE}&${position}${filter}` as const
  const result = useApiQuery(mayCheck ? `/account/explore/${path}` : null)
  return (
    <>
      <PageHeader title={t('history.title')} lead={t('history.lead')}>
        {isManager ? (
          <>
            <Link className="button button-plain" to="/dashboard/learned-tacs">
              {t('common:nav.learnedTacs')}
            </Link>
            <a
              className="button button-plain"
              href={`/account/lookups.csv?language=${currentLanguage()}${filter}`}
              download
            >
              {t('history.downloadCsv')}
            </a>
          </>
        ) : null}
      </PageHeader>
      {mayCheck ? (
        <>
          <IdentifierFilter key={identifier} chosen={identifier} />
          <Card>
            <QueryView
              query={result}
              skeletonLines={6}
              empty={
                <EmptyState
                  title={t(identifier ? 'history.noneOfThis' : 'history.none')}
                  hint={<Link to="/dashboard/check">{t('history.check')}</Link>}
                />
              }
            >
              {(lookups, { meta }) => (
                <>
                  <DataTable
                    label={t('history.lookups')}
                    head={[
                      t('column.when'),
                      t('column.identifier'),
                      t('column.device'),
                      t('column.risk'),
                      t('column.blacklist'),
                      t('column.sources'),
                    ]}
                  >
                    {lookups.map((lookup) => (
                      <tr key={lookup.lookup_id}>
                        <td data-label={t('column.when')} className="nowrap">
                          {formatTime(lookup.timestamp)}
                        </td>
                        <td data-label={t('column.identifier')}>
                          <Link to={`/dashboard/lookups/${lookup.lookup_id}`}>{lookup.identifier}</Link>
                          <div className="muted">{lookup.identifier_type.toUpperCase()}</div>
                        </td>
                        <td data-label={t('column.device')}>
                          {lookup.device_match.matched_device_name ?? t('unknownDevice')}
                        </td>
                        <td data-label={t('column.risk')}>
                          <RiskBadge lookup={lookup} />
                        </td>
                        <td data-label={t('column.blacklist')}>{statusText(lookup.blacklist_status)}</td>
                        <td data-label={t('column.sources')} className="muted">
                          {lookup.source === 'none' ? '–' : lookup.source.replaceAll('+', ', ')}
                        </td>
                      </tr>
                    ))}
                  </DataTable>
                  {meta ? (
                    <Pagination
                      meta={meta}
                      onChange={({ page, after }) =>
                        navigate(`${after ? `?after=${after}` : `?page=${page}`}${location.hash}`)
                      }
                    />
                  ) : null}
                </>
              )}
            </QueryView>
          </Card>
          <ApiCallPanel path={path} response={result.data?.rawBody} />
        </>
      ) : (
        <EmptyState title={t('history.needsEnterprise')} />
      )}
    </>
  )
}

function IdentifierFilter({ chosen }: { chosen: string }) {
  const { t } = useTranslation('lookups')
  const [text, setText] = useState(chosen)
  const [, navigate] = useLocation()
  const apply = (value: string) => navigate(`/dashboard/lookups${value ? `#${encodeURIComponent(value)}` : ''}`)
  return (
    <form
      className="filters"
      onSubmit={(event) => {
        event.preventDefault()
        apply(text.trim())
      }}
    >
      <label className="search">
        <span className="visually-hidden">{t('history.filter')}</span>
        <input
          type="search"
          placeholder={t('history.filter')}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <Button type="submit">{t('history.apply')}</Button>
      {chosen ? <Button onClick={() => apply('')}>{t('history.showAll')}</Button> : null}
    </form>
  )
}
