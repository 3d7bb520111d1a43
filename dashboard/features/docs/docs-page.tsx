import { useTranslation } from 'react-i18next'
import { CONDITION_GRADES } from '../../../src/contract/condition-grades.ts'
import type { SandboxWire } from '../../../src/contract/dashboard.ts'
import { ERROR_CODES, ERRORS } from '../../../src/contract/error-catalogue.ts'
import { KEY_PREFIXES, TIERS } from '../../../src/contract/tiers.ts'
import { formatCount, humanize } from '../../format.ts'
import { useApiQuery } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { TierBadge } from '../../ui/badge.tsx'
import { Card } from '../../ui/card.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { QuickStart } from '../overview/quick-start.tsx'

export function DocsPage() {
  const { t } = useTranslation('docs')
  const session = useSession()
  const sandbox = useApiQuery<SandboxWire[]>('/account/sandbox')
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
      <Card title={t('limits.title')} note={t('limits.note')}>
        <DataTable label={t('limits.label')} head={[t('limits.tier'), t('limits.prefix'), t('limits.perMinute')]}>
          {TIERS.map((one) => (
            <tr key={one}>
              <td data-label={t('limits.tier')}>
                <TierBadge tier={one} />
              </td>
              <td data-label={t('limits.prefix')}>
                <code>{KEY_PREFIXES[one]}</code>
              </td>
              <td data-label={t('limits.perMinute')}>{formatCount(session.organization?.limits[one] ?? 0)}</td>
            </tr>
          ))}
        </DataTable>
      </Card>
      <Card title={t('errors.title')}>
        <DataTable label={t('errors.title')} head={[t('errors.status'), t('errors.code'), t('errors.when')]}>
          {ERROR_CODES.map((code) => (
            <tr key={code}>
              <td data-label={t('errors.status')}>{ERRORS[code].status}</td>
              <td data-label={t('errors.code')} className="nowrap">
                <code>{code}</code>
              </td>
              <td data-label={t('errors.when')}>{ERRORS[code].meaning.replaceAll('`', '')}</td>
            </tr>
          ))}
        </DataTable>
      </Card>
      <Card title={t('grades')}>
        <dl className="facts">
          {CONDITION_GRADES.map((grade) => (
            <div key={grade.name}>
              <dt>{grade.name}</dt>
              <dd>{grade.definition}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card title={t('sandbox.title')} note={t('sandbox.note')}>
        <QueryView query={sandbox}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="muted">{t('sandbox.disabled')}</p>
            ) : (
              <DataTable
                label={t('sandbox.title')}
                head={[t('sandbox.identifier'), t('sandbox.outcome'), t('sandbox.description')]}
              >
                {rows.map((row) => (
                  <tr key={row.identifier}>
                    <td data-label={t('sandbox.identifier')}>
                      <code>{row.identifier}</code>
                    </td>
                    <td data-label={t('sandbox.outcome')}>{humanize(row.outcome)}</td>
                    <td data-label={t('sandbox.description')}>{row.about}</td>
                  </tr>
                ))}
              </DataTable>
            )
          }
        </QueryView>
      </Card>
    </>
  )
}
