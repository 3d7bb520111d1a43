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
  const session = useSession()
  const sandbox = useApiQuery<SandboxWire[]>('/account/sandbox')
  return (
    <>
      <PageHeader title="Docs" lead="Quick start, limits, errors, grades and test identifiers.">
        <a className="button button-plain" href="/docs">
          Full reference
        </a>
        <a className="button button-plain" href="/openapi.json">
          OpenAPI file
        </a>
      </PageHeader>
      <Card title="Quick start">
        <QuickStart />
      </Card>
      <Card title="Rate limits" note="Per key, sliding one-minute window.">
        <DataTable label="Limits" head={['Tier', 'Key prefix', 'Requests per minute']}>
          {TIERS.map((one) => (
            <tr key={one}>
              <td data-label="Tier">
                <TierBadge tier={one} />
              </td>
              <td data-label="Key prefix">
                <code>{KEY_PREFIXES[one]}</code>
              </td>
              <td data-label="Requests per minute">{formatCount(session.organization?.limits[one] ?? 0)}</td>
            </tr>
          ))}
        </DataTable>
      </Card>
      <Card title="Errors">
        <DataTable label="Errors" head={['Status', 'Code', 'When']}>
          {ERROR_CODES.map((code) => (
            <tr key={code}>
              <td data-label="Status">{ERRORS[code].status}</td>
              <td data-label="Code" className="nowrap">
                <code>{code}</code>
              </td>
              <td data-label="When">{ERRORS[code].meaning.replaceAll('`', '')}</td>
            </tr>
          ))}
        </DataTable>
      </Card>
      <Card title="Condition grades">
        <dl className="facts">
          {CONDITION_GRADES.map((grade) => (
            <div key={grade.name}>
              <dt>{grade.name}</dt>
              <dd>{grade.definition}</dd>
            </div>
          ))}
        </dl>
      </Card>
      <Card
        title="Sandbox identifiers"
        note="Test identifiers with fixed results for every outcome. They do not belong to real devices."
      >
        <QueryView query={sandbox}>
          {(rows) =>
            rows.length === 0 ? (
              <p className="muted">The sandbox source is disabled in this installation.</p>
            ) : (
              <DataTable label="Sandbox identifiers" head={['Identifier', 'Outcome', 'Description']}>
                {rows.map((row) => (
                  <tr key={row.identifier}>
                    <td data-label="Identifier">
                      <code>{row.identifier}</code>
                    </td>
                    <td data-label="Outcome">{humanize(row.outcome)}</td>
                    <td data-label="Description">{row.about}</td>
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
