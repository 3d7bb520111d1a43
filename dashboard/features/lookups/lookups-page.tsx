import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useSearchParams } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'
import type { LookupResultWire } from '../../../src/contract/lookups.ts'
import { codeTexts } from '../../codes.ts'
import { formatTime } from '../../format.ts'
import { currentLanguage } from '../../i18n.ts'
import { useOperation } from '../../queries.ts'
import { useHasRole, useHasTier } from '../../session.tsx'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { DownloadButton } from '../../ui/download-button.tsx'
import { EmailText } from '../../ui/email-text.tsx'
import { SearchField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { Pagination } from '../../ui/pagination.tsx'
import { EmptyState, QueryView } from '../../ui/states.tsx'
import { counterUrl } from '../counter/deal.ts'
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
  const after = query.get('after')
  const request = { query: { limit: PAGE_SIZE, ...(after ? { after } : { page: query.get('page') ?? 1 }), identifier } }
  const result = useOperation('GET /api/imei', mayCheck ? request : null)
  return (
    <>
      <PageHeader title={t('history.title')} lead={t('history.lead')}>
        {isManager ? (
          <DownloadButton
            route="GET /api/imei"
            request={{ query: { identifier, format: 'csv', language: currentLanguage() } }}
          >
            {t('history.downloadCsv')}
          </DownloadButton>
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
                  <LookupsTable lookups={lookups} />
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
        </>
      ) : (
        <EmptyState title={t('history.needsEnterprise')} />
      )}
    </>
  )
}

function LookupsTable({ lookups }: { lookups: readonly LookupResultWire[] }) {
  const { t } = useTranslation('lookups')
  const mayAppraise = useHasTier('paid')
  return (
    <DataTable
      label={t('history.lookups')}
      rows={lookups}
      rowKey={(lookup) => lookup.lookup_id}
      className="one-line"
      columns={[
        {
          title: t('column.identifier'),
          isRowName: true,
          cell: ({ lookup_id: id, identifier, identifier_type: type }) => (
            <>
              <Link to={`/dashboard/lookups/${id}`}>{identifier}</Link>
              {type === 'imei' ? null : <span className="muted"> {codeTexts().identifierType(type)}</span>}
            </>
          ),
        },
        {
          title: t('column.device'),
          className: 'cut',
          cell: ({ device_match: { matched_device_name: name } }) =>
            name ? <span title={name}>{name}</span> : <span className="muted">{t('unknownDevice')}</span>,
        },
        { title: t('column.risk'), cell: (lookup) => <RiskBadge lookup={lookup} /> },
        { title: t('column.blacklist'), cell: (lookup) => statusText(lookup.blacklist_status) },
        { title: t('column.when'), className: 'nowrap', cell: ({ timestamp }) => formatTime(timestamp) },
        {
          title: t('column.by'),
          className: 'cut roomy-only',
          cell: ({ created_by: by }) => <EmailText>{by.name}</EmailText>,
        },
        {
          title: t('column.sources'),
          className: 'muted desk-only',
          cell: ({ source }) => (source === 'none' ? '–' : source.replaceAll('+', ', ')),
        },
      ]}
      actions={
        mayAppraise
          ? ({ lookup_id: lookup }) => (
              <Link className="button button-plain" to={counterUrl({ lookup })}>
                {t('lookup.appraise')}
              </Link>
            )
          : undefined
      }
    />
  )
}

function IdentifierFilter({ chosen }: { chosen: string }) {
  const { t } = useTranslation('lookups')
  const [text, setText] = useState(chosen)
  const [, navigate] = useLocation()
  const apply = (value: string) => navigate(`/dashboard/lookups${value ? `#${encodeURIComponent(value)}` : ''}`)
  return (
    <Form className="filters" submit={() => apply(text.trim())}>
      <SearchField
        className="search"
        label={t('history.filter')}
        placeholder={t('history.filter')}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onValueChange={setText}
      />
      <Button type="submit">{t('history.apply')}</Button>
      {chosen ? <Button onClick={() => apply('')}>{t('history.showAll')}</Button> : null}
    </Form>
  )
}
