import { useTranslation } from 'react-i18next'
import { humanize } from '../../format.ts'
import { useOperation } from '../../queries.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { Card, PageHeader } from '../../ui/page.tsx'
import { QueryView } from '../../ui/states.tsx'
import { QuickStart } from '../overview/quick-start.tsx'

/** Sections of the reference page. */
const GUIDE = ['keys', 'errors', 'limits', 'pages', 'clients', 'grades'] as const

export function DocsPage() {
  const { t } = useTranslation('docs')
  const sandbox = useOperation('GET /api/meta/sandbox', {})
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')}>
        <a className="button button-plain" href="/docs">
          {t('reference')}
        </a>
        <a className="button button-plain" href="/openapi.json">
          {t('openapi')}
        </a>
      </PageHeader>
      <Card title={t('quickStart')}>
        <QuickStart />
      </Card>
      <Card title={t('guide.title')} note={t('guide.note')}>
        <ul className="plain-list">
          {GUIDE.map((section) => (
            <li key={section}>
              <a href={`/docs#${section}`}>{t(`guide.${section}`)}</a>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t('sandbox.title')} note={t('sandbox.note')}>
        <QueryView query={sandbox}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="muted">{t('sandbox.disabled')}</p>
            ) : (
              <DataTable
                label={t('sandbox.title')}
                rows={rows}
                rowKey={(row) => row.identifier}
                columns={[
                  { title: t('sandbox.identifier'), className: 'nowrap', cell: (row) => <code>{row.identifier}</code> },
                  { title: t('sandbox.outcome'), cell: (row) => humanize(row.outcome) },
                  { title: t('sandbox.description'), cell: (row) => row.about },
                ]}
              />
            )
          }
        </QueryView>
      </Card>
    </>
  )
}
